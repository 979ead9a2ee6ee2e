use super::*;

#[test]
fn no_bit_changes_unseen() {
    for (seal, text) in [(JSON, "{\n  \"a\": 1"), (SQL, "SELECT 1;\n"), (SQL, "")] {
        let closed = seal.close(text).into_bytes();
        assert_eq!(seal.check(&closed), State::Intact);
        for at in 0..closed.len() * 8 {
            let mut flipped = closed.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            assert_ne!(seal.check(&flipped), State::Intact, "bit {at}");
        }
        for length in 0..closed.len() {
            assert_ne!(
                seal.check(&closed[..length]),
                State::Intact,
                "cut at {length}"
            );
        }
    }
}
