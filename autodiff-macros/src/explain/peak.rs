//! The part of the report about the memory of tensors: how much is there at most at one time.
//!
//! The statements are gone through as they run, forward and then backward. A result takes a buffer
//! unless it is a view or is written in place of an operand that is given up; values live to the end
//! of the forward run; then only what the reverse run reads is left. A cotangent takes a buffer when
//! the first part of it is known, and gives it to that of an operand of the same size.

use super::shapes::{is_view, Shapes};
use super::*;
use crate::activity::places;
use crate::fuse::is_elementwise;

impl Report<'_> {
    pub(super) fn peak(&mut self) {
        let shapes = self.shapes();
        if shapes.is_empty() {
            return;
        }
        self.line(0, "\n## Memory of tensors\n");
        let text = match self.unknown_shape(&shapes) {
            Some(why) => format!("Not known: {why}."),
            None => self.run_through(&shapes),
        };
        self.line(0, &text);
    }

    /// Why the sizes are not known, if they are not.
    fn unknown_shape(&self, shapes: &Shapes) -> Option<String> {
        let unknown = |v: VarId| {
            let var = &self.f.vars[v];
            (!shapes.contains_key(&v) && !var.ty.is_copy())
                .then(|| format!("the shape of `{}`", self.shown(v)))
        };
        for p in &self.f.params {
            let ty = self.guess.declared(p.var);
            let tensor = ty.is_none_or(|t| t.to_token_stream().to_string().contains("Tensor"));
            if let Some(why) = unknown(p.var).filter(|_| tensor) {
                return Some(why);
            }
        }
        self.f.body.stmts.iter().find_map(|s| match &s.kind {
            StmtKind::Def(v, _) if is_active(s, &self.f.vars) => unknown(*v),
            StmtKind::Def(..) | StmtKind::Native(_) => None,
            _ => Some("it depends on loops and branches".into()),
        })
    }

    fn run_through(&self, shapes: &Shapes) -> String {
        let bytes = |v: VarId| shapes.get(&v).map_or(0, |t| t.bytes());
        let stmts = || {
            let defs = self.f.body.stmts.iter().map(|s| match &s.kind {
                StmtKind::Def(v, rhs) => Some((*v, rhs)),
                _ => None,
            });
            defs.flatten().filter(|(v, _)| self.f.vars[*v].active)
        };
        let (mut now, mut most) = (0u64, 0u64);
        let mut kept: Vec<VarId> = Vec::new();
        let mut slopes = 0;
        for (v, rhs) in stmts() {
            let Some((region, inputs)) = self.region(rhs) else {
                if !is_view(rhs) {
                    now += bytes(v);
                }
                most = most.max(now);
                continue;
            };
            let own = self.given_up(region, v).map(|k| places(rhs)[k].root);
            if own.map(bytes) != Some(bytes(v)) {
                now += bytes(v);
            }
            let operands: Vec<VarId> = places(rhs).iter().map(|p| p.root).collect();
            if region.total.is_some() {
                let active = operands.iter().zip(&region.active).filter(|(_, a)| **a);
                slopes += active.map(|(v, _)| bytes(*v)).sum::<u64>();
                most = most.max(now + slopes);
                continue;
            }
            let plan = region.plan();
            let read = operands.iter().zip(&plan.inputs).filter(|(_, r)| **r);
            kept.extend(read.map(|(v, _)| *v));
            kept.extend(plan.value.then_some(v));
            debug_assert_eq!(inputs.len(), operands.len());
            most = most.max(now);
        }
        kept.extend(&self.x.vjp.needs.values);
        kept.sort_unstable();
        kept.dedup();
        let local = |v: &VarId| self.f.vars[*v].param.is_none();
        let owned = |v: &VarId| local(v) && self.guess.defs.get(v).is_none_or(|rhs| !is_view(rhs));
        let held = slopes + kept.iter().copied().filter(owned).map(bytes).sum::<u64>();
        now = held;
        let mut there: Vec<VarId> = Vec::new();
        let last = self.f.body.result.as_ref().and_then(Operand::place);
        if let Some(p) = last {
            there.push(p.root);
            now += bytes(p.root);
        }
        for (v, rhs) in stmts().collect::<Vec<_>>().into_iter().rev() {
            let at = there.iter().position(|w| *w == v);
            let own = at.map_or(0, |at| bytes(there.remove(at)));
            let region = self.region(rhs).map(|(r, _)| r.total.is_some());
            let total = region == Some(true);
            // Operations that go element by element write over it.
            let mut free = if region.is_some() || is_elementwise(rhs) {
                own
            } else {
                0
            };
            let mut passed = false;
            for p in places(rhs) {
                let active = self.f.vars[p.root].active && !there.contains(&p.root);
                if !active {
                    continue;
                }
                there.push(p.root);
                // The derivatives of a total become the cotangents.
                if is_view(rhs) || free > 0 && free == bytes(p.root) {
                    (free, passed) = (0, true);
                } else if !total {
                    now += bytes(p.root);
                }
            }
            most = most.max(now);
            now -= if passed { 0 } else { own };
        }
        format!(
            "In bytes, without what the caller holds: values and cotangents take **{most}** at most at one time, \
             of which {held} from the forward run to the reverse run. Scratch space of single operations is not in it."
        )
    }
}
