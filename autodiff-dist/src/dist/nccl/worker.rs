//! The thread that makes all calls of NCCL.

use super::header::Header;
use super::raw::{Comm, Device, Job};
use super::{Command, NCCL};
use crate::dist::bytes::{bytes, bytes_mut};
use crate::dist::{Call, CommError, Kind, Numbers, Reduce};
use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::Receiver;

pub(super) struct Worker {
    comm: Comm,
    size: usize,
    /// Messages that came before they were asked for: NCCL has no tags. By rank and tag.
    early: HashMap<(usize, u16), VecDeque<Numbers>>,
}

impl Worker {
    /// Joins the ranks.
    pub fn join(device: Device, id: &[u8], rank: usize, size: usize) -> Result<Self, String> {
        Ok(Worker {
            comm: Comm::join(device, id, rank, size)?,
            size,
            early: HashMap::new(),
        })
    }

    /// Does what comes, until nobody can ask any more. After an error all calls are that error.
    pub fn run(mut self, todo: &Receiver<Command>) {
        let mut failed: Option<String> = None;
        for command in todo {
            let (call, reply) = match command {
                Command::Call(call, reply) => (call, reply),
                Command::Fail(why) => {
                    if failed.is_none() {
                        self.comm.abort();
                        failed = Some(format!("this rank ended: {why}"));
                    }
                    continue;
                }
            };
            let text = call.to_string();
            let refused = |why: String| CommError::Engine {
                engine: NCCL,
                call: text,
                why,
            };
            // There is no such call, which is no fault of the engine.
            let (result, is_fatal) = match (&failed, call) {
                (Some(why), _) => (Err(refused(why.clone())), false),
                (None, Call::Receive { from: None, .. }) => {
                    let why = "it receives from a named rank only: use the ranks of MPI for messages from any";
                    (Err(refused(why.into())), false)
                }
                (None, call) => match self.call(call) {
                    Ok(numbers) => (Ok(numbers), false),
                    Err(why) => (Err(refused(why)), true),
                },
            };
            if let (Err(error), true) = (&result, is_fatal) {
                failed = Some(error.to_string());
            }
            reply.give(result);
        }
        if failed.is_none() {
            self.comm.leave();
        }
    }

    fn call(&mut self, call: Call) -> Result<Numbers, String> {
        let nothing = Numbers::U8(Vec::new());
        match call {
            Call::AllReduce(x, op) => {
                let len = x.len();
                self.exchange(&Job::AllReduce(op), &x, len, len)
            }
            Call::Broadcast(x, root) => {
                let len = x.len();
                self.exchange(&Job::Broadcast(root), &x, len, len)
            }
            Call::AllGather(x) => {
                let len = x.len();
                self.exchange(&Job::AllGather, &x, len, len * self.size)
            }
            Call::ReduceScatter(x, op) => {
                let share = x.len() / self.size;
                self.exchange(&Job::ReduceScatter(op), &x, share, share)
            }
            Call::Send { x, to, tag } => {
                let (kind, len) = (x.kind(), x.len());
                self.send(&Header { kind, len, tag }.numbers(), to)?;
                self.send(&x, to)?;
                Ok(nothing)
            }
            Call::Receive {
                from: Some(from),
                tag,
            } => self.receive(from, tag),
            // Whoever has the result knows that all have come.
            Call::Barrier => {
                let one = Numbers::U8(vec![1]);
                self.exchange(&Job::AllReduce(Reduce::Max), &one, 1, 1)?;
                Ok(nothing)
            }
            Call::Receive { from: None, .. } => unreachable!("refused before"),
        }
    }

    /// Gives NCCL `x`, and takes `made` numbers of the same type. `count` is what NCCL is told.
    fn exchange(
        &self,
        job: &Job,
        x: &Numbers,
        count: usize,
        made: usize,
    ) -> Result<Numbers, String> {
        let (kind, mut out) = (x.kind(), Numbers::zeros(x.kind(), made));
        if count > 0 {
            let device = &self.comm.device;
            let from = device.upload(bytes(x))?;
            let mut to = device.alloc(out.bytes())?;
            self.comm.run(job, kind, count, &from, &mut to)?;
            device.download(&to, bytes_mut(&mut out))?;
        }
        Ok(out)
    }

    fn send(&self, x: &Numbers, to: usize) -> Result<(), String> {
        self.exchange(&Job::Send(to), x, x.len(), 0).map(drop)
    }

    /// The next message of a rank under a tag. Those under other tags are kept.
    fn receive(&mut self, from: usize, tag: u16) -> Result<Numbers, String> {
        let early = self.early.get_mut(&(from, tag));
        if let Some(x) = early.and_then(VecDeque::pop_front) {
            return Ok(x);
        }
        loop {
            let header = self.take(from, Kind::I64, Header::LEN)?;
            let header = Header::read(&header).ok_or("what came is no header of a message")?;
            let x = self.take(from, header.kind, header.len)?;
            if header.tag == tag {
                return Ok(x);
            }
            self.early
                .entry((from, header.tag))
                .or_default()
                .push_back(x);
        }
    }

    /// So many numbers, which a rank sends.
    fn take(&self, from: usize, kind: Kind, len: usize) -> Result<Numbers, String> {
        self.exchange(&Job::Receive(from), &Numbers::zeros(kind, 0), len, len)
    }
}
