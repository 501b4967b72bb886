//! Ranks with a GPU each, by NVIDIA's NCCL.
//!
//! One thread has the device, a stream and the communicator (`worker`), and takes calls in their order; the computation hands it what
//! to do and goes on. Numbers of the host are staged through the memory of the device. Both libraries are opened at run time (`raw`):
//! one that is missing is an error.

mod header;
mod raw;
mod worker;

use crate::dist::reply::{self, Reply};
use crate::dist::{Call, Collective, CommError, Pending, Ranks};
use raw::Device;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread;
use worker::Worker;

/// The name of the engine in errors.
const NCCL: &str = "NCCL";

/// Ranks with an NVIDIA GPU each. Their numbers go from GPU to GPU, by NVLink or the network, as NCCL finds best.
///
/// It needs other ranks to begin, such as those of MPI that [`init`](crate::dist::init) finds: by them rank 0 gives the others the
/// unique id of NCCL. All ranks ask for the same calls in the same order.
///
/// - Sums of half precision are those of NCCL, which rounds after each addition. The order of a sum is its own too, so the last bits
///   differ from those of MPI.
/// - Ranks are not compared: calls that differ between ranks end when the time of [`limit`](crate::dist::limit) is over.
/// - A message is sent when the other rank receives, and the calls of a rank are done one after the other. Two ranks that both send
///   first and then receive wait for each other until the limit; one of them must receive first.
/// - [`receive_any`](Collective::receive_any) is an error: NCCL has no such call.
///
/// Numbers are staged: they come from host memory and go back to it. Tensors that stay on the device are not exchanged yet, since
/// [`Call`] knows numbers of the host alone.
///
/// ```no_run
/// use differentiable::dist::{Nccl, Place, Ranks, init};
///
/// let hosts = init()?;
/// let local = Place::find()?.map_or(0, |place| place.local);
/// let ranks = Ranks::new(Nccl::start(local, &hosts)?);
/// let sum = ranks.sum(1.0)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: NVIDIA, *NCCL User Guide*, <https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/>.
pub struct Nccl {
    others: Ranks,
    commands: Sender<Command>,
}

/// What the thread does.
enum Command {
    Call(Call, Reply),
    Fail(String),
}

impl Nccl {
    /// Opens a device, by its number on this machine, and joins the ranks of `others`, which all call this together.
    ///
    /// # Errors
    /// [`CommError::Engine`] if this rank finds no NCCL, no driver or no such device; [`CommError::Failed`] if another rank does not; and
    /// what `others` report.
    pub fn start(device: usize, others: &Ranks) -> Result<Self, CommError> {
        let (rank, size) = (others.rank(), others.size());
        let refused = |why: String| CommError::Engine {
            engine: NCCL,
            call: "to begin".to_string(),
            why,
        };
        let opened = Device::open(device).and_then(|device| match rank {
            0 => Ok((Device::unique_id()?, device)),
            _ => Ok((Vec::new(), device)),
        });
        // NCCL waits until all ranks have joined: none begins unless all can.
        let own = opened.as_ref().err().map_or("", String::as_str);
        let all = others.gather_all(own.as_bytes())?;
        let (id, device) = opened.map_err(refused)?;
        if let Some(rank) = all.iter().position(|why| !why.is_empty()) {
            let why = String::from_utf8_lossy(&all[rank]).into_owned();
            return Err(CommError::Failed { rank, why });
        }
        let id = others.broadcast_all(&id, 0)?;
        let (commands, todo) = channel();
        let (joined, answer) = sync_channel(1);
        let run = move || match Worker::join(device, &id, rank, size) {
            Ok(worker) => {
                // Who began waits for this answer.
                let _ = joined.send(Ok(()));
                worker.run(&todo);
            }
            Err(why) => drop(joined.send(Err(why))),
        };
        let thread = thread::Builder::new().name("nccl".to_string());
        thread.spawn(run).map_err(|e| refused(e.to_string()))?;
        let ended = |_| Err("its thread ended".to_string());
        answer.recv().unwrap_or_else(ended).map_err(refused)?;
        Ok(Nccl {
            others: others.clone(),
            commands,
        })
    }
}

impl Collective for Nccl {
    fn rank(&self) -> usize {
        self.others.rank()
    }

    fn size(&self) -> usize {
        self.others.size()
    }

    fn start(&self, call: Call) -> Pending {
        reply::begin(NCCL, self.size(), call, |call, reply| {
            self.commands.send(Command::Call(call, reply)).is_ok()
        })
    }

    /// NCCL cannot say why: the ranks by which it began do.
    fn abort(&self, why: &str) {
        // Without a thread there is nothing to end.
        let _ = self.commands.send(Command::Fail(why.to_string()));
        self.others.abort(why);
    }
}
