//! For the report: which operations on tensors are in no region, and why.

use super::operations::{self, Gives};
use super::{element, over, reads, tensors, uses, Fuser, MOST_INPUTS};
use crate::ir::*;
use crate::signature::ParamDecl;
use proc_macro2::TokenStream;

/// An operation on tensors that runs alone.
#[derive(Clone, Debug)]
pub struct Apart {
    /// As emitted.
    pub operation: TokenStream,
    pub why: String,
}

/// Finds them in a function whose regions are made, if they are: `off` says what keeps them from it.
pub fn find(f: &mut Func, params: &[ParamDecl], off: Option<&str>) {
    let mut known = tensors::known(f, params);
    // What a region gives is a tensor too, but for sums of everything.
    regions(&f.body, f, &mut known);
    let mut found = Vec::new();
    over(f, &known, |fuser, body| fuser.apart(body, off, &mut found));
    f.apart = found;
}

fn regions(b: &Block, f: &Func, known: &mut [bool]) {
    for s in &b.stmts {
        if let StmtKind::Def(v, Rhs::Call { path, .. }) = &s.kind {
            known[*v] |= f.region_of(path).is_some_and(|r| !r.has_slopes());
        }
        s.blocks().into_iter().for_each(|b| regions(b, f, known));
    }
}

impl Fuser<'_> {
    fn apart(&self, b: &Block, off: Option<&str>, found: &mut Vec<Apart>) {
        for (at, s) in b.stmts.iter().enumerate() {
            for inner in s.blocks() {
                self.apart(inner, off, found);
            }
            let StmtKind::Def(v, rhs) = &s.kind else {
                continue;
            };
            let why = match self.on_tensors(rhs) {
                Some(true) => match off {
                    Some(off) => off.to_string(),
                    None => self.why(b, at, *v, rhs),
                },
                Some(false) => self.not_by_element(rhs),
                None => match self.of_unknown(rhs) {
                    Some(why) => why,
                    None => continue,
                },
            };
            found.push(Apart {
                operation: self.code().forward(rhs, s.span),
                why,
            });
        }
    }

    fn is_tensor(&self, o: &Operand) -> bool {
        let root = match o {
            Operand::Place { place, .. } => place.is_var().then_some(place.root),
            Operand::Native(n) => super::variable(n),
        };
        root.is_some_and(|v| self.known[v])
    }

    /// Whether an operation on tensors goes element by element; `None` if it is none on tensors.
    fn on_tensors(&self, rhs: &Rhs) -> Option<bool> {
        let of_method = match rhs {
            Rhs::Method { name, .. } => operations::gives(&name.to_string()).is_some(),
            Rhs::Op(..) | Rhs::Powi(..) => true,
            _ => false,
        };
        let on = rhs.operands().into_iter().any(|o| self.is_tensor(o));
        (of_method && on).then(|| element::of(rhs).is_some())
    }

    fn not_by_element(&self, rhs: &Rhs) -> String {
        let name = match rhs {
            Rhs::Method { name, .. } => name.to_string(),
            _ => String::new(),
        };
        match operations::gives(&name) {
            Some(Gives::Element | Gives::ElementWithNumbers) => "in a region its arguments have to be numbers that are written out".into(),
            _ => "it has a kernel of its own: it does not go element by element, or has no place in regions".into(),
        }
    }

    /// Why an operation that goes element by element has no neighbour to run with.
    fn why(&self, b: &Block, at: usize, v: VarId, rhs: &Rhs) -> String {
        let name = |v: VarId| format!("`{}`", self.f.vars[v].name);
        if !self.f.vars[v].is_plain() {
            return format!("{} is changed later", name(v));
        }
        if !self.varied[v] {
            return "it has no derivative".into();
        }
        // The operations before that it could take in, and the one after that could take it in.
        let before = rhs.operands().into_iter().filter_map(Operand::place);
        let before = before.filter(|p| p.is_var() && self.known[p.root]);
        for p in before {
            if let Some(why) = self.not_joined(b, p.root, at) {
                return why;
            }
        }
        let after = b.stmts[at + 1..].iter().position(|s| {
            matches!(&s.kind, StmtKind::Def(_, rhs) if rhs.operands().into_iter().any(|o| reads(o, v)))
        });
        if let Some(why) = after.and_then(|k| self.not_joined(b, v, at + 1 + k)) {
            return why;
        }
        if after.is_none() && self.uses[v] > 0 && uses::any(self.f, &b.stmts[at + 1..], v) {
            return format!("{} is read inside of a loop, a branch or a call", name(v));
        }
        "nothing that goes element by element is before or after it".into()
    }

    /// Why what defines a variable and what reads it, at a place in the same block, are not in one region.
    fn not_joined(&self, b: &Block, v: VarId, at: usize) -> Option<String> {
        let name = &self.f.vars[v].name;
        let defines = |s: &Stmt| matches!(&s.kind, StmtKind::Def(w, _) if *w == v);
        let Some(from) = b.stmts[..at].iter().position(defines) else {
            let elsewhere = self.f.vars[v].param.is_none();
            return elsewhere
                .then(|| format!("`{name}` is computed outside of this branch or loop"));
        };
        let joins = |s: &Stmt| match &s.kind {
            StmtKind::Def(_, Rhs::Call { path, .. }) => self.f.region_of(path).is_some(),
            StmtKind::Def(_, rhs) => element::of(rhs).is_some() || super::total::of(s).is_some(),
            _ => false,
        };
        if !joins(&b.stmts[from]) || !joins(&b.stmts[at]) {
            return None;
        }
        Some(if self.uses[v] > 1 {
            format!("`{name}` is read more than once: it is computed once, and kept")
        } else if !self.still(b, from, at) {
            format!("what `{name}` is made of changes before it is read")
        } else {
            format!("together with its neighbour it would have more than {MOST_INPUTS} operands")
        })
    }

    /// A method that only tensors have, of something whose type is not known.
    fn of_unknown(&self, rhs: &Rhs) -> Option<String> {
        let Rhs::Method { receiver, name, .. } = rhs else {
            return None;
        };
        operations::gives(&name.to_string())?;
        let of = match &receiver.operand {
            Operand::Place { place, .. } if place.ty == Ty::Unknown => place.root,
            _ => return None,
        };
        let of = &self.f.vars[of].name;
        Some(format!("the type of `{of}` is not known: a macro sees no types, and an alias or what a function returns could be anything. Write `Tensor![..]` in the signature or in a `let`"))
    }
}
