//! A limit on the steps that a comparison takes.

/// Steps for one comparison, some 0.2 s.
pub(super) const WORK: usize = 1 << 27;

/// Steps that are left, a nanosecond or two each.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepBudget(usize);

/// No steps are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exhausted;

impl StepBudget {
    pub(super) const fn new(steps: usize) -> Self {
        Self(steps)
    }

    /// Takes `steps` away.
    #[inline]
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.0 = self.0.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }

    /// Fails if more than what is left has been used.
    #[inline]
    pub(super) fn check(self, steps: usize) -> Result<(), Exhausted> {
        if steps > self.0 {
            Err(Exhausted)
        } else {
            Ok(())
        }
    }

    /// Steps that are left.
    pub(super) const fn left(self) -> usize {
        self.0
    }
}
