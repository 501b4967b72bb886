//! For the report: which operations on tensors are in no region, and why.

use super::{element, over, reads, tensors, uses, Fuser, MOST_INPUTS};
use crate::input::signature::ParamDecl;
use crate::ir::region::Apart;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::knowledge::tensors::{self as operations, Gives};
use autodiff_vocabulary::{function, Section};

const UNKNOWN: &str = "the type is not known: a macro sees no types, and an alias or what a function returns could be anything. Write `Tensor![..]` in the signature or in a `let`";

/// Finds them in a function whose regions are made, if they are: `off` says what keeps them from it.
pub fn find(f: &mut Func, params: &[ParamDecl], off: Option<&str>) {
    let all = tensors::all(f, params);
    let known: Vec<bool> = all.iter().map(|k| k.tensor).collect();
    // What has no tensor anywhere is a function of numbers.
    let tensors = known.contains(&true) || any_method(&f.body);
    let unknown = all.iter().map(|k| tensors && !k.one).collect();
    let mut search = Search {
        off,
        unknown,
        found: Vec::new(),
    };
    over(f, &known, |fuser, body| fuser.apart(body, &mut search));
    f.apart = search.found;
}

struct Search<'a> {
    off: Option<&'a str>,
    /// Which variables may be tensors without the macro's knowing it.
    unknown: Vec<bool>,
    found: Vec<Apart>,
}

/// Whether there is a method that only tensors have.
fn any_method(b: &Block) -> bool {
    b.deep().any(|s| match &s.kind {
        StmtKind::Def(_, Rhs::Method { name, .. }) => {
            operations::gives(&name.to_string()).is_some()
        }
        StmtKind::Def(_, Rhs::Op(Op::UnaryIn(name) | Op::UnaryOut(name), _)) => {
            function(name).is_some_and(|f| f.section == Section::Activations)
        }
        _ => false,
    })
}

impl Fuser<'_> {
    fn apart(&self, b: &Block, search: &mut Search<'_>) {
        for (at, s) in b.stmts.iter().enumerate() {
            for inner in s.blocks() {
                self.apart(inner, search);
            }
            let StmtKind::Def(v, rhs) = &s.kind else {
                continue;
            };
            let why = match self.on_tensors(rhs) {
                Some(true) => match search.off {
                    Some(off) => off.to_string(),
                    None => self.why(b, at, *v, rhs),
                },
                Some(false) => self.not_by_element(rhs),
                None if self.of_unknown(rhs, &search.unknown) => UNKNOWN.to_string(),
                None => continue,
            };
            search.found.push(Apart {
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

    /// An operation that tensors have, of something whose type is not known.
    fn of_unknown(&self, rhs: &Rhs, unknown: &[bool]) -> bool {
        let is_operation = match rhs {
            Rhs::Method { name, .. } => operations::gives(&name.to_string()).is_some(),
            Rhs::Op(..) | Rhs::Powi(..) => element::of(rhs).is_some(),
            _ => false,
        };
        let of = |o: &Operand| {
            let place = o.place().filter(|p| p.ty == Ty::Unknown);
            place.is_some_and(|p| self.varied[p.root] && unknown[p.root])
        };
        is_operation && rhs.operands().into_iter().any(of)
    }
}
