//! What ranks tell each other beside the numbers: which calls they have begun, that they end, that they failed.
//!
//! A rank that waits for half of the limit asks all others how many calls they have begun. A rank whose program hangs answers with
//! fewer, a rank that is stopped does not answer: either is named when the limit is over.

use super::raw::{Channel, Refused, Request, Thread};
use std::collections::BTreeMap;

const TAG: u16 = 0;
const ASK: u64 = 1;
const TOLD: u64 = 2;
const LEFT: u64 = 3;
const FAILED: u64 = 4;

/// What this rank knows of the others.
#[derive(Default)]
pub(super) struct Others {
    /// The calls that a rank had begun when it answered.
    told: BTreeMap<usize, u64>,
    /// The calls that a rank had begun when it ended.
    pub(super) left: BTreeMap<usize, u64>,
    /// Ranks that failed, and why.
    pub(super) failed: BTreeMap<usize, String>,
    sending: Vec<Request>,
    receiving: Vec<(usize, Request)>,
}

impl Others {
    fn tell(
        &mut self,
        mpi: &Thread,
        to: usize,
        what: u64,
        number: u64,
        text: &str,
    ) -> Result<(), Refused> {
        let mut message = what.to_le_bytes().to_vec();
        message.extend(number.to_le_bytes());
        message.extend(text.as_bytes());
        self.sending
            .push(mpi.send(Channel::Control, message, to, TAG)?);
        Ok(())
    }

    fn tell_all(
        &mut self,
        mpi: &Thread,
        what: u64,
        number: u64,
        text: &str,
    ) -> Result<(), Refused> {
        let others = (0..mpi.size).filter(|r| *r != mpi.rank);
        others
            .into_iter()
            .try_for_each(|to| self.tell(mpi, to, what, number, text))
    }

    pub(super) fn ask(&mut self, mpi: &Thread) -> Result<(), Refused> {
        self.told.clear();
        self.tell_all(mpi, ASK, 0, "")
    }

    pub(super) fn leave(&mut self, mpi: &Thread, begun: u64) -> Result<(), Refused> {
        self.tell_all(mpi, LEFT, begun, "")
    }

    pub(super) fn fail(&mut self, mpi: &Thread, begun: u64, why: &str) -> Result<(), Refused> {
        self.failed.insert(mpi.rank, why.to_string());
        self.tell_all(mpi, FAILED, begun, why)
    }

    /// Takes what has come, and answers. Returns whether something came.
    pub(super) fn progress(&mut self, mpi: &Thread, begun: u64) -> Result<bool, Refused> {
        let mut some = false;
        while let Some((from, len)) = mpi.probe(Channel::Control, None, TAG)? {
            self.receiving
                .push((from, mpi.receive(Channel::Control, from, TAG, len)?));
            some = true;
        }
        let mut at = 0;
        while at < self.receiving.len() {
            if !self.receiving[at].1.test(mpi)? {
                at += 1;
                continue;
            }
            let (from, request) = self.receiving.remove(at);
            let message: Vec<u8> = request.received().of().unwrap_or_default();
            let number = |at: usize| {
                let bytes = message.get(at..at + 8)?;
                Some(u64::from_le_bytes(bytes.try_into().ok()?))
            };
            let (Some(what), Some(number)) = (number(0), number(8)) else {
                continue;
            };
            match what {
                ASK => self.tell(mpi, from, TOLD, begun, "")?,
                TOLD => drop(self.told.insert(from, number)),
                LEFT => drop(self.left.insert(from, number)),
                FAILED => {
                    let why = String::from_utf8_lossy(&message[16..]).into_owned();
                    self.failed.insert(from, why);
                }
                _ => {}
            }
        }
        let mut unsent = Vec::new();
        for mut request in std::mem::take(&mut self.sending) {
            if !request.test(mpi)? {
                unsent.push(request);
            }
        }
        self.sending = unsent;
        Ok(some)
    }

    /// Whether everything that was told has been taken over by MPI.
    pub(super) fn is_quiet(&self) -> bool {
        self.sending.is_empty()
    }

    /// The rank that keeps this one waiting in a call.
    pub(super) fn missing(&self, mpi: &Thread, number: u64) -> usize {
        let others = || (0..mpi.size).filter(|r| *r != mpi.rank);
        let silent = others().find(|r| !self.told.contains_key(r));
        let behind = others().find(|r| self.told.get(r).is_some_and(|n| *n < number));
        behind.or(silent).or(others().next()).unwrap_or(0)
    }
}
