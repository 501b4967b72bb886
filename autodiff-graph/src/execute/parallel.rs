//! Independent nodes at the same time.
//!
//! A node waits for as many nodes as make what it reads. Whoever finishes the last of these starts it. Each value knows how
//! many nodes are still to read it: the last of them may write over its buffer, as in a run in order.

use super::Execution;
use autodiff_core::device::record::{AnyBuffer, GraphError, Run};
use core::sync::atomic::{AtomicUsize, Ordering};
use rayon::Scope;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

struct Schedule<'x> {
    execution: Execution<'x>,
    order: &'x [usize],
    /// For each place in the order, how many nodes it waits for.
    waits: Vec<AtomicUsize>,
    /// For each place in the order, the places that wait for it.
    waiting: Vec<Vec<usize>>,
    /// For each value, how many nodes are to read it; one more for what is wanted.
    readers: Vec<AtomicUsize>,
    buffers: Vec<Mutex<Option<AnyBuffer>>>,
    /// The error of the first node in the order that failed.
    failed: Mutex<Option<(usize, GraphError)>>,
}

fn lock<T>(x: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic of a node ends the run; until then the table is what it was.
    x.lock().unwrap_or_else(|e| e.into_inner())
}

/// Runs the nodes, and gives `run` what is wanted.
pub(super) fn run(execution: &Execution<'_>, run: &mut Run<'_>) -> Result<(), GraphError> {
    let schedule = Schedule::new(execution, run);
    let first = |&at: &usize| schedule.waits[at].load(Ordering::Relaxed) == 0;
    // Found before the first one runs, which starts others.
    let first: Vec<usize> = (0..schedule.order.len()).filter(first).collect();
    rayon::scope(|scope| {
        for at in first {
            scope.spawn({
                let schedule = &schedule;
                move |scope| schedule.node(scope, at)
            });
        }
    });
    if let Some((_, error)) = lock(&schedule.failed).take() {
        return Err(error);
    }
    let plan = execution.plan;
    for value in plan.wanted().iter().map(|&v| plan.stands_for(v)) {
        if let Some(buffer) = lock(&schedule.buffers[value]).clone() {
            run.give(value, buffer);
        }
    }
    Ok(())
}

impl<'x> Schedule<'x> {
    fn new(execution: &Execution<'x>, run: &mut Run<'_>) -> Self {
        let (graph, plan) = (execution.graph, execution.plan);
        let (order, values) = (plan.order(), graph.values().len());
        let mut place = vec![usize::MAX; graph.nodes().len()];
        for (at, &node) in order.iter().enumerate() {
            place[node] = at;
        }
        let mut readers = vec![0; values];
        let mut waits = vec![0; order.len()];
        let mut waiting = vec![Vec::new(); order.len()];
        for (at, &node) in order.iter().enumerate() {
            let mut makers = BTreeSet::new();
            for value in execution.reads(node) {
                readers[value] += 1;
                makers.extend(execution.maker(value).map(|maker| place[maker]));
            }
            waits[at] = makers.len();
            makers.into_iter().for_each(|maker| waiting[maker].push(at));
        }
        let wanted = plan.wanted().iter();
        wanted.for_each(|&value| readers[plan.stands_for(value)] += 1);
        let buffers: Vec<_> = (0..values).map(|_| Mutex::default()).collect();
        for &value in plan.given() {
            *lock(&buffers[value]) = Some(run.any_buffer(value));
        }
        Schedule {
            execution: *execution,
            order,
            waits: waits.into_iter().map(AtomicUsize::new).collect(),
            waiting,
            readers: readers.into_iter().map(AtomicUsize::new).collect(),
            buffers,
            failed: Mutex::default(),
        }
    }

    fn is_made(&self, value: usize) -> bool {
        self.execution.maker(value).is_some()
    }

    /// Runs the node at a place, and starts those that waited for it alone.
    fn node<'s>(&'s self, scope: &Scope<'s>, at: usize) {
        if lock(&self.failed).is_some() {
            return;
        }
        let node = self.order[at];
        let read = |value: usize| {
            let mut buffer = lock(&self.buffers[value]);
            let last = self.readers[value].load(Ordering::Acquire) == 1;
            if last && self.is_made(value) {
                buffer.take()
            } else {
                buffer.clone()
            }
        };
        let made = |value: usize, buffer| {
            if self.readers[value].load(Ordering::Acquire) > 0 {
                *lock(&self.buffers[value]) = Some(buffer);
            }
        };
        let execution = &self.execution;
        if let Err(error) = execution.step(execution.device, node, read, made) {
            let mut failed = lock(&self.failed);
            if failed.as_ref().is_none_or(|(first, _)| at < *first) {
                *failed = Some((at, error));
            }
            return;
        }
        for value in execution.reads(node) {
            let last = self.readers[value].fetch_sub(1, Ordering::AcqRel) == 1;
            if last && self.is_made(value) {
                lock(&self.buffers[value]).take();
            }
        }
        for &next in &self.waiting[at] {
            if self.waits[next].fetch_sub(1, Ordering::AcqRel) == 1 {
                scope.spawn(move |scope| self.node(scope, next));
            }
        }
    }
}
