//! The part of the report about the memory of tensors: how much is there at most at one time.
//!
//! The statements are gone through as they run, forward and then backward. A result takes a buffer
//! unless it is a view or is written in place of an operand that is given up; values live to the end
//! of the forward run; then only what the reverse run reads is left. A cotangent takes a buffer when
//! the first part of it is known, and gives it to that of an operand of the same size.

use super::shapes::{is_view, Shapes, TensorType};
use super::*;
use crate::ir::places;
use crate::passes::fuse::is_elementwise;

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
        let defs = self.f.body.stmts.iter().filter_map(|s| match &s.kind {
            StmtKind::Def(v, rhs) if self.f.vars[*v].active => Some((*v, rhs)),
            _ => None,
        });
        let defs: Vec<(VarId, &Rhs)> = defs.collect();
        let bytes = |v: VarId| shapes.get(&v).map_or(0, TensorType::bytes);
        let (forward, held) = self.forward(&defs, &bytes);
        let most = forward.max(self.reverse(&defs, &bytes, held));
        format!(
            "In bytes, without what the caller holds: values and cotangents take **{most}** at most at one time, \
             of which {held} from the forward run to the reverse run. Scratch space of single operations is not in it."
        )
    }

    /// The most that is there in the forward run, and what is left of it.
    fn forward(&self, defs: &[(VarId, &Rhs)], bytes: &dyn Fn(VarId) -> u64) -> (u64, u64) {
        // Nothing goes before the end.
        let (mut all, mut slopes) = (0, 0);
        let mut kept: Vec<VarId> = self.x.vjp.needs.values.iter().copied().collect();
        for &(v, rhs) in defs {
            let Some((region, _)) = self.region(rhs) else {
                all += if is_view(rhs) { 0 } else { bytes(v) };
                continue;
            };
            let operands: Vec<VarId> = places(rhs).iter().map(|p| p.root).collect();
            let own = self.given_up(region, v).map(|k| bytes(operands[k]));
            all += if own == Some(bytes(v)) { 0 } else { bytes(v) };
            let chosen = |which: &[bool]| -> Vec<VarId> {
                let pairs = operands.iter().zip(which);
                pairs.filter(|(_, c)| **c).map(|(v, _)| *v).collect()
            };
            if region.has_slopes() {
                slopes += chosen(&region.active).into_iter().map(bytes).sum::<u64>();
                continue;
            }
            let plan = region.plan();
            kept.extend(chosen(&plan.inputs));
            kept.extend(plan.value.then_some(v));
        }
        let mut kept: Vec<VarId> = kept.into_iter().map(|v| self.buffer(v)).collect();
        kept.sort_unstable();
        kept.dedup();
        kept.retain(|v| self.f.vars[*v].param.is_none());
        let held = kept.into_iter().map(bytes).sum::<u64>();
        (all + slopes, held + slopes)
    }

    /// The variable in whose buffer a value is.
    fn buffer(&self, v: VarId) -> VarId {
        match self.guess.defs.get(&v).filter(|rhs| is_view(rhs)) {
            Some(rhs) => places(rhs).first().map_or(v, |p| self.buffer(p.root)),
            None => v,
        }
    }

    /// The most that is there in the reverse run, which begins with what is held.
    fn reverse(&self, defs: &[(VarId, &Rhs)], bytes: &dyn Fn(VarId) -> u64, held: u64) -> u64 {
        let result = self.f.body.result.as_ref().and_then(Operand::place);
        let mut there: Vec<VarId> = result.iter().map(|p| p.root).collect();
        let mut now = held + there.iter().copied().map(bytes).sum::<u64>();
        let mut most = now;
        for &(v, rhs) in defs.iter().rev() {
            let at = there.iter().position(|w| *w == v);
            let own = at.map_or(0, |at| bytes(there.remove(at)));
            let region = self.region(rhs).map(|(r, _)| r);
            let total = region.is_some_and(|r| r.has_slopes());
            // Operations that go element by element write over the cotangent of their value.
            let over = region.is_some_and(|r| r.total.is_none_or(|t| t.axis.is_none()))
                || is_elementwise(rhs);
            let mut free = if over { own } else { 0 };
            let mut passed = false;
            for p in places(rhs) {
                if !self.f.vars[p.root].active || there.contains(&p.root) {
                    continue;
                }
                there.push(p.root);
                if is_view(rhs) || free > 0 && free == bytes(p.root) {
                    (free, passed) = (0, true);
                } else if !total {
                    // Those of a total are its derivatives, which are there.
                    now += bytes(p.root);
                }
            }
            most = most.max(now);
            now -= if passed { 0 } else { own };
        }
        most
    }
}
