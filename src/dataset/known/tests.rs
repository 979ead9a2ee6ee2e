use super::*;

#[test]
fn equal_halves_with_different_others_are_a_collision() {
    let known = KnownIds::default();
    assert_eq!(known.add(Id { low: 1, high: 2 }, 9), Ok(true));
    assert_eq!(known.add(Id { low: 1, high: 2 }, 9), Ok(false));
    assert_eq!(known.add(Id { low: 1, high: 3 }, 9), Err(Collision(1)));
    assert_eq!(known.get(Id { low: 1, high: 2 }), Ok(Some(9)));
    assert_eq!(known.get(Id { low: 1, high: 3 }), Err(Collision(1)));
}
