//! Gradients that travel while the reverse pass goes on.
//!
//! In the first step the pass is only watched: each contribution to a cotangent has a number, and afterwards it is known which one
//! was the last for each tensor of the gradient. From the second step on, the contribution of that number is taken as the last one,
//! and a bucket goes off as soon as all of its tensors are there. All ranks send the buckets in one order, that of rank 0.
//!
//! That number is a hint, no promise: a pass may take another branch. So the tensors that were sent are compared with those of the
//! gradient in the end. They are the same part of the same buffer as long as nothing was added after they were sent. If one differs
//! on any rank, all ranks take the mean of the whole gradient once more, and the tensor is sent last from then on.

use super::buckets::{Piece, begin, buckets};
use crate::ad::{Tangent, watch};
use crate::dist::flat::{Identity, Leaf, leaf, map, read_kept};
use crate::dist::{CommError, Numbers, Pending, Ranks};
use core::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What earlier steps have shown.
#[derive(Default)]
pub(super) struct Learned {
    plan: Option<Rc<Plan>>,
    /// Tensors that changed after they were sent.
    late: BTreeSet<usize>,
}

struct Plan {
    pieces: Vec<Piece>,
    buckets: Vec<Vec<usize>>,
    /// The tensor whose last contribution has this number.
    last: BTreeMap<usize, usize>,
}

/// The share of the mean that this rank's gradient has, which becomes known during the step.
pub(super) struct Weight {
    pub(super) rows: f64,
    pub(super) total: Option<Pending>,
    pub(super) known: Option<f64>,
}

impl Weight {
    pub(super) fn get(&mut self) -> Result<f64, CommError> {
        if let Some(total) = self.total.take() {
            let total: Vec<f64> = total.wait_for()?;
            self.known = Some(if total[0] > 0.0 {
                self.rows / total[0]
            } else {
                0.0
            });
        }
        Ok(self.known.unwrap_or(0.0))
    }
}

/// A pass under way.
enum Watching {
    /// The sums at all contributions.
    Learns(Vec<Option<Identity>>),
    Sends(Box<Sends>),
}

struct Sends {
    ranks: Ranks,
    plan: Rc<Plan>,
    weight: Weight,
    seen: usize,
    ready: Vec<Option<Box<dyn Any>>>,
    under: Vec<Pending>,
    error: Option<CommError>,
}

impl Sends {
    fn see(&mut self, sum: &dyn Any) {
        let number = self.seen;
        self.seen += 1;
        let Some(&at) = self.plan.last.get(&number) else {
            return;
        };
        let fits = |x: &&dyn Leaf| {
            let piece = self.plan.pieces[at];
            x.kind() == piece.kind && x.len() == piece.len
        };
        if let Some(leaf) = leaf(sum).filter(fits) {
            self.ready[at] = Some(leaf.keep());
            self.send();
        }
    }

    /// Sends the buckets that are there, in their order.
    fn send(&mut self) {
        while let Some(bucket) = self.plan.buckets.get(self.under.len())
            && self.error.is_none()
            && bucket.iter().all(|at| self.ready[*at].is_some())
        {
            let part = |at: &usize| read_kept(self.ready[*at].as_deref(), *at);
            let weight = self.weight.get();
            let pending = weight.and_then(|w| begin(&self.ranks, bucket.iter().map(part), w));
            match pending {
                Ok(pending) => self.under.push(pending),
                Err(error) => self.error = Some(error),
            }
        }
    }
}

/// A gradient, and the place of each of its tensors.
pub(super) struct Parts {
    pub(super) pieces: Vec<Piece>,
    kept: Vec<Box<dyn Any>>,
    ids: Vec<Option<Identity>>,
}

/// The tensors of a gradient.
pub(super) fn parts<G: Tangent>(grad: G) -> Result<(G, Parts), CommError> {
    let none = Parts {
        pieces: Vec::new(),
        kept: Vec::new(),
        ids: Vec::new(),
    };
    map(grad, none, |parts, _, leaf| {
        let (kind, len) = (leaf.kind(), leaf.len());
        parts.pieces.push(Piece { kind, len });
        parts.kept.push(leaf.keep());
        parts.ids.push(leaf.identity());
        Ok(())
    })
}

impl Parts {
    /// The mean of all tensors over all ranks, bucket by bucket in this order.
    pub(super) fn mean(
        &self,
        ranks: &Ranks,
        buckets: &[Vec<usize>],
        weight: f64,
    ) -> Result<Vec<Pending>, CommError> {
        let part = |at: &usize| read_kept(Some(&*self.kept[*at]), *at);
        let begin = |bucket: &Vec<usize>| begin(ranks, bucket.iter().map(part), weight);
        buckets.iter().map(begin).collect()
    }
}

/// Puts what came in the place of the tensors of a gradient.
pub(super) fn receive<G: Tangent>(
    grad: G,
    pieces: &[Piece],
    buckets: &[Vec<usize>],
    pending: Vec<Pending>,
) -> Result<G, CommError> {
    let mut places = vec![(0, 0); pieces.len()];
    let mut came: Vec<Numbers> = Vec::new();
    for (number, (bucket, pending)) in buckets.iter().zip(pending).enumerate() {
        let mut at = 0;
        for &piece in bucket {
            places[piece] = (number, at);
            at += pieces[piece].len;
        }
        came.push(pending.wait()?);
    }
    let (grad, _) = map(grad, (), move |(), index, leaf| {
        let (bucket, at) = places[index];
        leaf.set(&came[bucket], at);
        Ok(())
    })?;
    Ok(grad)
}

impl Learned {
    /// Computes a gradient by `f` and its mean over all ranks, which begins during the reverse pass.
    pub(super) fn run<R, G: Tangent>(
        &mut self,
        ranks: &Ranks,
        bytes: usize,
        weight: Weight,
        f: impl FnOnce() -> (R, G),
    ) -> Result<(R, G), CommError> {
        let (watching, mut spare) = match &self.plan {
            None => (Watching::Learns(Vec::new()), Some(weight)),
            Some(plan) => {
                let sends = Sends {
                    ranks: ranks.clone(),
                    plan: Rc::clone(plan),
                    weight,
                    seen: 0,
                    ready: plan.pieces.iter().map(|_| None).collect(),
                    under: Vec::new(),
                    error: None,
                };
                (Watching::Sends(Box::new(sends)), None)
            }
        };
        let shared = Rc::new(RefCell::new(watching));
        let inside = Rc::clone(&shared);
        let see = move |sum: &dyn Any| match &mut *inside.borrow_mut() {
            Watching::Learns(seen) => seen.push(leaf(sum).and_then(Leaf::identity)),
            Watching::Sends(sends) => sends.see(sum),
        };
        let (value, grad) = watch(see, f);
        let shared = Rc::try_unwrap(shared).unwrap_or_else(|_| unreachable!("the watch is over"));
        let (grad, parts) = parts(grad)?;
        match shared.into_inner() {
            Watching::Learns(seen) => {
                let order: Vec<usize> = (0..parts.pieces.len()).rev().collect();
                let buckets = buckets(&parts.pieces, &order, bytes);
                let mut weight = spare.take().expect("kept above");
                let weight = weight.get()?;
                let pending = parts.mean(ranks, &buckets, weight)?;
                self.learn(ranks, bytes, &parts, &seen)?;
                Ok((value, receive(grad, &parts.pieces, &buckets, pending)?))
            }
            Watching::Sends(sends) => Ok((value, self.finish(*sends, bytes, parts, grad)?)),
        }
    }

    fn learn(
        &mut self,
        ranks: &Ranks,
        bytes: usize,
        parts: &Parts,
        seen: &[Option<Identity>],
    ) -> Result<(), CommError> {
        // The last one counts: a buffer may have been that of another sum before.
        let known: Vec<Option<usize>> = (0..parts.ids.len())
            .map(|at| {
                let id = parts.ids[at].filter(|_| !self.late.contains(&at))?;
                seen.iter().rposition(|sum| *sum == Some(id))
            })
            .collect();
        let last: BTreeMap<usize, usize> = (0..parts.ids.len())
            .filter_map(|at| Some((known[at]?, at)))
            .collect();
        let mut order: Vec<usize> = (0..parts.ids.len()).rev().collect();
        order.sort_by_key(|at| known[*at].unwrap_or(usize::MAX));
        let order: Vec<i64> = order.iter().map(|at| *at as i64).collect();
        let order: Vec<i64> = ranks.broadcast(Numbers::I64(order), 0).wait_for()?;
        let order: Vec<usize> = order.iter().map(|at| *at as usize).collect();
        self.plan = Some(Rc::new(Plan {
            pieces: parts.pieces.clone(),
            buckets: buckets(&parts.pieces, &order, bytes),
            last,
        }));
        Ok(())
    }

    fn finish<G: Tangent>(
        &mut self,
        mut sends: Sends,
        bytes: usize,
        parts: Parts,
        grad: G,
    ) -> Result<G, CommError> {
        if let Some(error) = sends.error {
            return Err(error);
        }
        let plan = Rc::clone(&sends.plan);
        let same_sizes = parts.pieces == plan.pieces;
        let sent = plan.buckets.iter().take(sends.under.len()).flatten();
        let mut stale: Vec<usize> = match same_sizes {
            false => vec![usize::MAX],
            true => sent
                .filter(|at| {
                    let kept = sends.ready[**at].as_deref().and_then(leaf);
                    kept.is_none_or(|x| x.identity() != parts.ids[**at])
                })
                .copied()
                .collect(),
        };
        let weight = sends.weight.get()?;
        if same_sizes {
            let rest = &plan.buckets[sends.under.len()..];
            sends.under.extend(parts.mean(&sends.ranks, rest, weight)?);
        } else {
            // The others send all of theirs.
            for bucket in &plan.buckets[sends.under.len()..] {
                let kind = plan.pieces[bucket[0]].kind;
                let len = bucket.iter().map(|at| plan.pieces[*at].len).sum();
                let zeros = [Ok(Numbers::zeros(kind, len))];
                sends.under.push(begin(&sends.ranks, zeros, weight)?);
            }
        }
        let stale_somewhere = sends.ranks.sum(stale.len() as f64)? > 0.0;
        if !stale_somewhere {
            return receive(grad, &parts.pieces, &plan.buckets, sends.under);
        }
        sends
            .under
            .into_iter()
            .try_for_each(|p| p.wait().map(drop))?;
        stale.retain(|at| *at != usize::MAX);
        self.late.extend(stale);
        self.plan = None;
        let order: Vec<usize> = (0..parts.pieces.len()).rev().collect();
        let whole = buckets(&parts.pieces, &order, bytes);
        let pending = parts.mean(&sends.ranks, &whole, weight)?;
        receive(grad, &parts.pieces, &whole, pending)
    }
}
