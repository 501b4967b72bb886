use crate::dist::{CommError, Kind, Numbers};
use core::fmt;

/// How the numbers of all ranks become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// Their sum.
    Sum,
    /// The largest; NaN if one is.
    Max,
    /// The smallest; NaN if one is.
    Min,
}

/// What a rank asks for. [`Collective`](crate::dist::Collective) has a method for each.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Call {
    /// Each rank gets the numbers of all ranks, reduced.
    AllReduce(Numbers, Reduce),
    /// Each rank gets the numbers of one rank. The others bring as many of the same type.
    Broadcast(Numbers, usize),
    /// Each rank gets the numbers of all ranks, one after the other.
    AllGather(Numbers),
    /// Each rank gets its share of the numbers of all ranks, reduced.
    ReduceScatter(Numbers, Reduce),
    /// Sends to a rank, under a tag.
    Send {
        /// The numbers.
        x: Numbers,
        /// The rank that receives them.
        to: usize,
        /// Tells messages between two ranks apart.
        tag: u16,
    },
    /// Receives from a rank, or from whichever sends first.
    Receive {
        /// The rank that sends; any, if there is none.
        from: Option<usize>,
        /// The tag under which it sends.
        tag: u16,
    },
    /// Waits until all ranks have come.
    Barrier,
}

/// What must be the same in the calls of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Signature {
    /// 0 to 3: all-reduce, broadcast, all-gather, reduce-scatter; 4: barrier.
    pub(crate) what: u64,
    pub(crate) kind: Option<Kind>,
    pub(crate) len: u64,
    /// The root, or the way to reduce.
    pub(crate) how: u64,
}

impl Call {
    /// What all ranks must ask for alike; `None` for messages between two.
    pub(crate) fn signature(&self) -> Option<Signature> {
        let of = |what, x: &Numbers, how| Signature {
            what,
            kind: Some(x.kind()),
            len: x.len() as u64,
            how,
        };
        Some(match self {
            Call::AllReduce(x, op) => of(0, x, *op as u64),
            Call::Broadcast(x, from) => of(1, x, *from as u64),
            Call::AllGather(x) => of(2, x, 0),
            Call::ReduceScatter(x, op) => of(3, x, *op as u64),
            Call::Barrier => Signature {
                what: 4,
                kind: None,
                len: 0,
                how: 0,
            },
            Call::Send { .. } | Call::Receive { .. } => return None,
        })
    }

    /// Whether ranks and lengths make sense.
    pub(crate) fn check(&self, size: usize) -> Result<(), CommError> {
        let rank = match self {
            Call::Broadcast(_, rank) | Call::Send { to: rank, .. } => Some(*rank),
            Call::Receive { from, .. } => *from,
            _ => None,
        };
        match (rank, self) {
            (Some(rank), _) if rank >= size => Err(CommError::NoRank {
                rank,
                size,
                call: self.to_string(),
            }),
            (_, Call::ReduceScatter(x, _)) if !x.len().is_multiple_of(size) => {
                Err(CommError::Uneven {
                    len: x.len(),
                    size,
                    call: self.to_string(),
                })
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            "all_reduce",
            "broadcast",
            "all_gather",
            "reduce_scatter",
            "barrier",
        ];
        let name = names.get(self.what as usize).unwrap_or(&"an unknown call");
        let Some(kind) = self.kind else {
            return f.write_str(name);
        };
        write!(f, "{name} of {} {kind}", self.len)?;
        match (self.what, self.how) {
            (0 | 3, 0) => f.write_str(" by sum"),
            (0 | 3, 1) => f.write_str(" by max"),
            (0 | 3, 2) => f.write_str(" by min"),
            (1, from) => write!(f, " from rank {from}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Send { x, to, .. } => write!(f, "send of {} {} to rank {to}", x.len(), x.kind()),
            Call::Receive {
                from: Some(from), ..
            } => write!(f, "receive from rank {from}"),
            Call::Receive { from: None, .. } => write!(f, "receive from any rank"),
            other => match other.signature() {
                Some(signature) => signature.fmt(f),
                None => Ok(()),
            },
        }
    }
}
