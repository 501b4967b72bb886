//! The thread that speaks to MPI.

use super::MPI;
use super::control::Others;
use super::raw::{Channel, Refused, Request, Thread};
use super::wire::{agree, from_bytes, to_bytes};
use crate::dist::reply::Reply;
use crate::dist::{Call, CommError, Kind, Numbers, Reduce};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

pub(super) enum Command {
    Call(Call, Reply),
    Fail(String),
    Leave,
}

/// A call under way.
struct Under {
    call: String,
    /// The number of the call, of those that all ranks make.
    number: Option<u64>,
    begun: Instant,
    asked: bool,
    phase: Phase,
    reply: Reply,
}

enum Phase {
    /// The signatures of all ranks.
    Signatures(Request, Box<Call>),
    /// Waits for a message.
    Probe { from: Option<usize>, tag: u16 },
    /// The call itself, and what is done with the numbers that come.
    Numbers(Request, After),
}

/// What must not overtake another.
#[derive(Clone, Copy)]
enum Order {
    Call,
    Message { from: Option<usize>, tag: u16 },
}

impl Phase {
    fn order(&self) -> Option<Order> {
        match self {
            Phase::Signatures(..) => Some(Order::Call),
            Phase::Probe { from, tag } => Some(Order::Message {
                from: *from,
                tag: *tag,
            }),
            Phase::Numbers(..) => None,
        }
    }
}

impl Order {
    /// Whether something of another order must wait for this.
    fn holds(self, other: Order) -> bool {
        match (self, other) {
            (Order::Call, Order::Call) => true,
            (Order::Message { from, tag }, Order::Message { from: f, tag: t }) => {
                tag == t && (from.is_none() || f.is_none() || from == f)
            }
            _ => false,
        }
    }
}

#[derive(Clone, Copy)]
enum After {
    Nothing,
    Round(Kind),
    /// Reduces what all ranks brought; this rank's share of it, if it is to be shared out.
    Reduce(Reduce, usize, bool),
    /// A message with its type in front.
    Message,
}

/// How long a rank that failed waits for the others to notice, before it ends them.
const GRACE: Duration = Duration::from_secs(2);

pub(super) fn run(
    limit: Duration,
    started: &SyncSender<Result<(usize, usize), String>>,
    todo: &Receiver<Command>,
) {
    let mpi = match Thread::start() {
        Ok(mpi) => mpi,
        Err(why) => return drop(started.send(Err(why))),
    };
    if started.send(Ok((mpi.rank, mpi.size))).is_err() {
        return;
    }
    let mut work = Work {
        limit,
        others: Others::default(),
        under: Vec::new(),
        begun: 0,
        broken: None,
        idle: 0,
        mpi,
    };
    work.run(todo);
    work.leave();
}

struct Work {
    mpi: Thread,
    limit: Duration,
    others: Others,
    under: Vec<Under>,
    /// Calls of all ranks that this one has begun.
    begun: u64,
    /// The error after which calls of all ranks cannot go on.
    broken: Option<CommError>,
    /// Rounds without news.
    idle: u32,
}

impl Work {
    fn run(&mut self, todo: &Receiver<Command>) {
        loop {
            let command = match self.under.is_empty() {
                // Others may ask at any time.
                true => match todo.recv_timeout(Duration::from_millis(20)) {
                    Ok(command) => Some(command),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
                false => match todo.try_recv() {
                    Ok(command) => Some(command),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => return,
                },
            };
            match command {
                Some(Command::Call(call, reply)) => self.begin(call, reply),
                Some(Command::Fail(why)) => {
                    let (rank, begun) = (self.mpi.rank, self.begun);
                    let told = self.others.fail(&self.mpi, begun, &why);
                    self.note(told);
                    self.broken.get_or_insert(CommError::Failed { rank, why });
                }
                Some(Command::Leave) => {
                    self.finish();
                    return;
                }
                None => {}
            }
            self.progress();
        }
    }

    fn note(&mut self, result: Result<(), Refused>) {
        if let Err(why) = result {
            self.broken.get_or_insert(CommError::Engine {
                engine: MPI,
                call: "control".to_string(),
                why,
            });
        }
    }

    fn begin(&mut self, call: Call, reply: Reply) {
        self.idle = 0;
        let signature = call.signature();
        let number = signature.map(|_| {
            self.begun += 1;
            self.begun
        });
        if let (Some(error), true) = (&self.broken, signature.is_some()) {
            return reply.give(Err(error.clone()));
        }
        let text = call.to_string();
        let phase = match signature {
            // What differs is found before MPI would wait for ever, or mix the numbers up.
            Some(signature) if cfg!(debug_assertions) => {
                let request = self
                    .mpi
                    .gather(Channel::Control, Numbers::I64(signature.to_words()));
                request.map(|request| Phase::Signatures(request, Box::new(call)))
            }
            _ => self.data(call),
        };
        match phase {
            Ok(phase) => self.under.push(Under {
                call: text,
                number,
                begun: Instant::now(),
                asked: false,
                phase,
                reply,
            }),
            Err(why) => reply.give(Err(refused(text, why))),
        }
    }

    fn data(&self, call: Call) -> Result<Phase, Refused> {
        let mpi = &self.mpi;
        let with = |request: Result<Request, Refused>, after| {
            request.map(|request| Phase::Numbers(request, after))
        };
        match call {
            Call::AllReduce(x, Reduce::Sum) => {
                let kind = x.kind();
                with(mpi.sum(x.widened()), After::Round(kind))
            }
            Call::ReduceScatter(x, Reduce::Sum) => {
                let kind = x.kind();
                with(mpi.sum_of_share(x.widened()), After::Round(kind))
            }
            // MPI says nothing of NaN in its maximum, so it is computed here.
            Call::AllReduce(x, op) => {
                let len = x.len();
                with(mpi.gather(Channel::Data, x), After::Reduce(op, len, false))
            }
            Call::ReduceScatter(x, op) => {
                let len = x.len();
                with(mpi.gather(Channel::Data, x), After::Reduce(op, len, true))
            }
            Call::Broadcast(x, from) => with(mpi.broadcast(x, from), After::Nothing),
            Call::AllGather(x) => with(mpi.gather(Channel::Data, x), After::Nothing),
            Call::Barrier => with(mpi.barrier(), After::Nothing),
            Call::Send { x, to, tag } => with(
                mpi.send(Channel::Data, to_bytes(&x), to, tag),
                After::Nothing,
            ),
            Call::Receive { from, tag } => Ok(Phase::Probe { from, tag }),
        }
    }

    /// Looks after everything once.
    fn progress(&mut self) {
        let told = self.others.progress(&self.mpi, self.begun);
        let news = *told.as_ref().unwrap_or(&false);
        self.note(told.map(drop));
        if self.broken.is_none()
            && let Some((rank, why)) = self.others.failed.first_key_value()
        {
            let (rank, why) = (*rank, why.clone());
            self.broken = Some(CommError::Failed { rank, why });
        }
        let mut some = news;
        // The calls themselves begin in their order, whichever signatures come first, and a message goes to who asked first.
        let mut before: Vec<Order> = Vec::new();
        for mut under in std::mem::take(&mut self.under) {
            let order = under.phase.order();
            let step = match order {
                Some(order) if before.iter().any(|b| b.holds(order)) => Ok(Step::Wait),
                _ => self.step(&mut under),
            };
            before.extend(order.filter(|_| matches!(step, Ok(Step::Wait))));
            match step {
                Ok(Step::Wait) => match self.overdue(&mut under) {
                    None => self.under.push(under),
                    Some(error) => {
                        if under.number.is_some() {
                            self.broken.get_or_insert(error.clone());
                        }
                        under.reply.give(Err(error));
                    }
                },
                Ok(Step::Next(phase)) => {
                    some = true;
                    under.phase = phase;
                    self.under.push(under);
                }
                Ok(Step::Done(x)) => {
                    some = true;
                    under.reply.give(Ok(x));
                }
                Err(error) => {
                    some = true;
                    if under.number.is_some() {
                        self.broken.get_or_insert(error.clone());
                    }
                    under.reply.give(Err(error));
                }
            }
        }
        self.idle = if some { 0 } else { self.idle.saturating_add(1) };
        // Small calls take microseconds: look often at first, and leave the core to the computation later.
        match self.idle {
            _ if self.under.is_empty() => {}
            0..200 => std::thread::yield_now(),
            200..2000 => std::thread::sleep(Duration::from_micros(20)),
            _ => std::thread::sleep(Duration::from_micros(200)),
        }
    }

    fn step(&self, under: &mut Under) -> Result<Step, CommError> {
        let failed = |why| refused(under.call.clone(), why);
        let mpi = &self.mpi;
        if let Phase::Signatures(request, _) | Phase::Numbers(request, _) = &mut under.phase
            && !request.test(mpi).map_err(failed)?
        {
            return Ok(Step::Wait);
        }
        Ok(match &mut under.phase {
            Phase::Probe { from, tag } => {
                match mpi.probe(Channel::Data, *from, *tag).map_err(failed)? {
                    None => Step::Wait,
                    Some((from, len)) => {
                        let request = mpi
                            .receive(Channel::Data, from, *tag, len)
                            .map_err(failed)?;
                        Step::Next(Phase::Numbers(request, After::Message))
                    }
                }
            }
            _ => {
                let nothing = Phase::Probe { from: None, tag: 0 };
                match std::mem::replace(&mut under.phase, nothing) {
                    Phase::Signatures(request, call) => {
                        let all: Vec<i64> = request.received().of()?;
                        agree(&all, mpi.rank, under.number.unwrap_or(0))?;
                        Step::Next(self.data(*call).map_err(failed)?)
                    }
                    Phase::Numbers(request, after) => {
                        Step::Done(after.of(request.received(), mpi)?)
                    }
                    Phase::Probe { .. } => Step::Wait,
                }
            }
        })
    }

    /// Why a call cannot end any more.
    fn overdue(&mut self, under: &mut Under) -> Option<CommError> {
        if under.number.is_some()
            && let Some(error) = &self.broken
        {
            return Some(error.clone());
        }
        let gone = match (under.number, &under.phase) {
            (Some(number), _) => {
                let mut left = self.others.left.iter();
                left.find(|(_, begun)| **begun < number)
                    .map(|(rank, _)| *rank)
            }
            (
                None,
                Phase::Probe {
                    from: Some(from), ..
                },
            ) => self.others.left.contains_key(from).then_some(*from),
            (None, Phase::Probe { from: None, .. }) => {
                let all = self.others.left.len() + 1 == self.mpi.size;
                all.then(|| self.others.left.keys().next().copied())
                    .flatten()
            }
            _ => None,
        };
        if let Some(rank) = gone {
            let call = under.call.clone();
            return Some(CommError::Gone { rank, call });
        }
        let waited = under.begun.elapsed();
        if waited > self.limit / 2 && !under.asked {
            under.asked = true;
            let asked = self.others.ask(&self.mpi);
            self.note(asked);
        }
        (waited > self.limit).then(|| CommError::TimedOut {
            rank: match (under.number, &under.phase) {
                (Some(number), _) => self.others.missing(&self.mpi, number),
                (
                    None,
                    Phase::Probe {
                        from: Some(from), ..
                    },
                ) => *from,
                _ => self.others.missing(&self.mpi, 0),
            },
            call: under.call.clone(),
            limit: self.limit,
        })
    }

    /// Waits for what is under way, before this rank ends.
    fn finish(&mut self) {
        while !self.under.is_empty() {
            self.progress();
        }
    }

    /// Ends MPI together with the others; without them, if this rank cannot go on.
    fn leave(mut self) {
        let told = self.others.leave(&self.mpi, self.begun);
        self.note(told);
        let patience = match self.broken {
            Some(_) => GRACE,
            None => self.limit,
        };
        let end = Instant::now() + patience;
        let others = self.mpi.size - 1;
        while self.others.left.len() < others || !self.others.is_quiet() {
            let told = self.others.progress(&self.mpi, self.begun);
            self.note(told.map(drop));
            if Instant::now() > end || (self.broken.is_some() && patience != GRACE) {
                let left = &self.others.left;
                let rank =
                    (0..self.mpi.size).find(|r| *r != self.mpi.rank && !left.contains_key(r));
                if let Some(rank) = rank {
                    eprintln!(
                        "rank {}: rank {rank} does not end; the job is stopped",
                        self.mpi.rank
                    );
                }
                self.mpi.abort(1);
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        self.mpi.finalize();
    }
}

enum Step {
    Wait,
    Next(Phase),
    Done(Numbers),
}

fn refused(call: String, why: Refused) -> CommError {
    CommError::Engine {
        engine: MPI,
        call,
        why,
    }
}

impl After {
    fn of(self, x: Numbers, mpi: &Thread) -> Result<Numbers, CommError> {
        Ok(match self {
            After::Nothing => x,
            After::Round(kind) => x.rounded(kind),
            After::Reduce(op, len, shared) => {
                let mut sum = x.part(0, len);
                for rank in 1..mpi.size {
                    sum.reduce(op, &x.part(rank * len, len));
                }
                match shared {
                    true => sum.part(mpi.rank * (len / mpi.size), len / mpi.size),
                    false => sum,
                }
            }
            After::Message => from_bytes(&x.of::<u8>()?).ok_or(CommError::Unexpected {
                rank: mpi.rank,
                expected: "message of this crate",
            })?,
        })
    }
}
