//! What each statement reads, writes and passes on, said once.
//!
//! A pass that only asks which variables a statement names, or where its values go, asks here and lists no kinds of
//! statements. So a new kind is a new arm of the two matches below, which have no arm for all others, and of the
//! lowering and the emitters.

use super::{Arg, Block, Native, Operand, Place, Rhs, Stmt, StmtKind, VarId};
use proc_macro2::TokenStream;

/// What a statement does, apart from the statements in the blocks inside it; or what a right side does.
#[derive(Default)]
pub struct Flow<'s> {
    /// The variable that begins here.
    pub defines: Option<VarId>,
    /// The place that it stores to: `place = …`, `place += …`, `place.push(…)`.
    pub target: Option<&'s Place>,
    /// The values that it takes.
    pub operands: Vec<&'s Operand>,
    /// The place that it borrows, copies or pops from.
    pub place: Option<&'s Place>,
    /// The place that it asks for its witness only, not for its value.
    pub witness: Option<&'s Place>,
    /// Inactive expressions beside the operands: conditions, ranges, exponents, lengths.
    pub natives: Vec<&'s Native>,
    /// Variables that it names by their number: late variables, copies and witnesses from before.
    pub vars: Vec<VarId>,
    /// Code as the user wrote it: patterns, and statements without a derivative.
    pub written: Vec<&'s TokenStream>,
    /// Where its values go.
    pub passes: Vec<Pass>,
}

/// Values that go from variables to others.
pub struct Pass {
    pub from: Vec<VarId>,
    pub to: Vec<VarId>,
    /// Variables that a call may change too, and has to keep constant.
    pub constant: Vec<VarId>,
}

impl Pass {
    fn of_operand(o: &Operand, to: VarId) -> Self {
        Pass {
            from: o.place().map(|p| p.root).into_iter().collect(),
            to: vec![to],
            constant: Vec::new(),
        }
    }
}

impl Stmt {
    /// What the statement does.
    pub fn flow(&self) -> Flow<'_> {
        match &self.kind {
            StmtKind::Def(v, rhs) => {
                let (constant, followed): (Vec<&Arg>, Vec<&Arg>) =
                    rhs.arguments().into_iter().partition(|a| a.unfollowed);
                let changed = |args: Vec<&Arg>| -> Vec<VarId> {
                    let places = args.into_iter().filter_map(Arg::changed);
                    places.map(|p| p.root).collect()
                };
                let pass = Pass {
                    from: sources(rhs),
                    to: [vec![*v], changed(followed)].concat(),
                    constant: changed(constant),
                };
                Flow {
                    defines: Some(*v),
                    passes: vec![pass],
                    ..rhs.flow()
                }
            }
            StmtKind::Assign(p, o, before) => Flow {
                target: Some(p),
                operands: vec![o],
                vars: before.iter().copied().collect(),
                passes: vec![Pass::of_operand(o, p.root)],
                ..Flow::default()
            },
            StmtKind::Accum(_, p, o) | StmtKind::Push(p, o) => Flow {
                target: Some(p),
                operands: vec![o],
                passes: vec![Pass::of_operand(o, p.root)],
                ..Flow::default()
            },
            StmtKind::Branch {
                head,
                arms,
                out,
                id: _,
            } => {
                let results = arms.iter().filter_map(|a| a.block.result.as_ref());
                let passes = out.map(|v| results.map(move |o| Pass::of_operand(o, v)).collect());
                Flow {
                    defines: *out,
                    natives: head.natives().iter().collect(),
                    written: arms.iter().map(|a| &a.pattern).collect(),
                    passes: passes.unwrap_or_default(),
                    ..Flow::default()
                }
            }
            StmtKind::For {
                var,
                range,
                exit,
                reversed: _,
                body: _,
                checkpoint: _,
                id: _,
            } => Flow {
                defines: Some(*var),
                natives: std::iter::once(range).chain(exit).collect(),
                ..Flow::default()
            },
            StmtKind::While {
                cond,
                body: _,
                checkpoint: _,
                id: _,
            } => Flow {
                natives: vec![cond],
                ..Flow::default()
            },
            StmtKind::Late(v, _) => Flow {
                defines: Some(*v),
                ..Flow::default()
            },
            StmtKind::SetLate(v, o) => Flow {
                operands: vec![o],
                vars: vec![*v],
                passes: vec![Pass::of_operand(o, *v)],
                ..Flow::default()
            },
            StmtKind::Native(tokens) => Flow {
                written: vec![tokens],
                ..Flow::default()
            },
        }
    }

    /// The places whose values it reads, in it and as results of its arms.
    pub fn reads_mut(&mut self) -> Vec<&mut Place> {
        let operands: Vec<&mut Operand> = match &mut self.kind {
            StmtKind::Def(_, Rhs::Snapshot(p) | Rhs::Borrow(p) | Rhs::Pop(p)) => return vec![p],
            StmtKind::Def(_, rhs) => rhs.operands_mut(),
            StmtKind::Assign(_, o, _)
            | StmtKind::Accum(_, _, o)
            | StmtKind::Push(_, o)
            | StmtKind::SetLate(_, o) => vec![o],
            StmtKind::Branch { arms, .. } => {
                let results = arms.iter_mut().map(|a| a.block.result.as_mut());
                results.flatten().collect()
            }
            StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Late(..)
            | StmtKind::Native(_) => Vec::new(),
        };
        let place = |o| match o {
            &mut Operand::Place { ref mut place, .. } => Some(place),
            Operand::Native(_) => None,
        };
        operands.into_iter().filter_map(place).collect()
    }

    /// The arms of a branch, or the body of a loop.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::Branch { arms, .. } => arms.iter().map(|a| &a.block).collect(),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            StmtKind::Def(..)
            | StmtKind::Assign(..)
            | StmtKind::Accum(..)
            | StmtKind::Push(..)
            | StmtKind::Late(..)
            | StmtKind::SetLate(..)
            | StmtKind::Native(_) => Vec::new(),
        }
    }

    /// As [`blocks`](Self::blocks).
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::Branch { arms, .. } => arms.iter_mut().map(|a| &mut a.block).collect(),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            StmtKind::Def(..)
            | StmtKind::Assign(..)
            | StmtKind::Accum(..)
            | StmtKind::Push(..)
            | StmtKind::Late(..)
            | StmtKind::SetLate(..)
            | StmtKind::Native(_) => Vec::new(),
        }
    }
}

impl Rhs {
    /// What the right side reads.
    pub fn flow(&self) -> Flow<'_> {
        match self {
            Rhs::Copy(o) | Rhs::Cast(o, _) => Flow {
                operands: vec![o],
                ..Flow::default()
            },
            Rhs::Op(_, all) | Rhs::Tuple(all) | Rhs::Array(all) | Rhs::VecList(all) => Flow {
                operands: all.iter().collect(),
                ..Flow::default()
            },
            Rhs::Powi(value, n)
            | Rhs::Repeat {
                value,
                len: n,
                vec: _,
            } => Flow {
                operands: vec![value],
                natives: vec![n],
                ..Flow::default()
            },
            Rhs::Struct(s) => Flow {
                operands: s.fields.iter().map(|f| &f.1).chain(&s.base).collect(),
                vars: s.replaced.clone(),
                ..Flow::default()
            },
            Rhs::Call { .. } | Rhs::Method { .. } => {
                let args = self.arguments();
                Flow {
                    operands: args.iter().map(|a| &a.operand).collect(),
                    vars: args.iter().filter_map(|a| a.snapshot).collect(),
                    ..Flow::default()
                }
            }
            Rhs::Borrow(p) | Rhs::Snapshot(p) | Rhs::Pop(p) => Flow {
                place: Some(p),
                ..Flow::default()
            },
            Rhs::Witness(p) => Flow {
                witness: Some(p),
                ..Flow::default()
            },
            Rhs::Native(n) => Flow {
                natives: vec![n],
                ..Flow::default()
            },
            Rhs::GetLate(v) => Flow {
                vars: vec![*v],
                ..Flow::default()
            },
        }
    }

    /// The operands, without those that are borrowed or copied as places.
    pub fn operands(&self) -> Vec<&Operand> {
        self.flow().operands
    }

    /// As [`operands`](Self::operands).
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Rhs::Copy(o) | Rhs::Cast(o, _) | Rhs::Powi(o, _) => vec![o],
            Rhs::Op(_, all) | Rhs::Tuple(all) | Rhs::Array(all) | Rhs::VecList(all) => {
                all.iter_mut().collect()
            }
            Rhs::Repeat { value, .. } => vec![value],
            Rhs::Struct(s) => {
                let fields = s.fields.iter_mut().map(|f| &mut f.1);
                fields.chain(&mut s.base).collect()
            }
            Rhs::Call { .. } | Rhs::Method { .. } => {
                let args = self.arguments_mut().into_iter();
                args.map(|a| &mut a.operand).collect()
            }
            Rhs::Borrow(_)
            | Rhs::Snapshot(_)
            | Rhs::Pop(_)
            | Rhs::Witness(_)
            | Rhs::Native(_)
            | Rhs::GetLate(_) => Vec::new(),
        }
    }
}

impl<'s> Flow<'s> {
    /// The places whose values it reads, in the order in which they are written.
    pub fn places(&self) -> impl Iterator<Item = &'s Place> + '_ {
        let operands = self.operands.iter().filter_map(|o| o.place());
        operands.chain(self.place)
    }

    /// All its inactive expressions, operands among them.
    pub fn inactive(&self) -> impl Iterator<Item = &'s Native> + '_ {
        let operands = self.operands.iter().filter_map(|o| match *o {
            Operand::Native(n) => Some(n),
            Operand::Place { .. } => None,
        });
        operands.chain(self.natives.iter().copied())
    }

    /// Every variable that it names, but for the one that it defines and those in code as written: as often as it
    /// does.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + '_ {
        let places = self.places().chain(self.target).chain(self.witness);
        let places = places.flat_map(|p| p.index_uses().chain([p.root]));
        let natives = self.inactive().flat_map(|n| n.uses.iter().copied());
        places.chain(natives).chain(self.vars.iter().copied())
    }
}

/// The places an operation reads.
pub fn places(rhs: &Rhs) -> Vec<&Place> {
    rhs.flow().places().collect()
}

/// The variables an operation reads a derivative from.
pub fn sources(rhs: &Rhs) -> Vec<VarId> {
    match rhs {
        Rhs::GetLate(v) => vec![*v],
        rhs => places(rhs).iter().map(|p| p.root).collect(),
    }
}

/// The places that a call may change.
pub fn changes(rhs: &Rhs) -> impl Iterator<Item = &Place> {
    rhs.arguments().into_iter().filter_map(Arg::changed)
}
