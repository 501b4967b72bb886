//! The statements of a block and of the blocks inside it.

use crate::ir::{Block, Checkpoint, Lambda, Passed, Stmt, StmtKind};
use std::rc::Rc;

impl Stmt {
    /// What a loop keeps instead of a tape.
    pub fn checkpoint(&self) -> Option<&Checkpoint> {
        match &self.kind {
            StmtKind::For { checkpoint, .. } | StmtKind::While { checkpoint, .. } => {
                checkpoint.as_deref()
            }
            _ => None,
        }
    }

    /// The number of a loop.
    pub fn loop_id(&self) -> Option<usize> {
        match &self.kind {
            StmtKind::For { id, .. } | StmtKind::While { id, .. } => Some(*id),
            _ => None,
        }
    }
}

impl Block {
    /// Its statements and those of the blocks inside, each before what is inside it.
    pub fn deep(&self) -> impl Iterator<Item = &Stmt> {
        let mut open = vec![self.stmts.iter()];
        std::iter::from_fn(move || loop {
            match open.last_mut()?.next() {
                Some(s) => {
                    open.extend(s.blocks().into_iter().rev().map(|b| b.stmts.iter()));
                    return Some(s);
                }
                None => drop(open.pop()),
            }
        })
    }

    /// Does something to each of them, in the same order.
    pub fn each_mut(&mut self, act: &mut dyn FnMut(&mut Stmt)) {
        for s in &mut self.stmts {
            act(s);
            s.blocks_mut().into_iter().for_each(|b| b.each_mut(act));
        }
    }

    /// Removes the others, here and inside, and tells whether there were any.
    pub fn retain(&mut self, keep: &dyn Fn(&Stmt) -> bool) -> bool {
        let before = self.stmts.len();
        self.stmts.retain(keep);
        let mut removed = self.stmts.len() < before;
        for inner in self.stmts.iter_mut().flat_map(Stmt::blocks_mut) {
            removed |= inner.retain(keep);
        }
        removed
    }

    /// Puts a statement behind each of those that call for one, here and inside.
    pub fn put_behind(&mut self, made: &dyn Fn(&Stmt) -> Option<StmtKind>) {
        for mut s in std::mem::take(&mut self.stmts) {
            s.blocks_mut().into_iter().for_each(|b| b.put_behind(made));
            let (point, span) = (s.point.clone(), s.span);
            let behind = made(&s).map(|kind| Stmt { kind, point, span });
            self.stmts.push(s);
            self.stmts.extend(behind);
        }
    }

    /// Does something to each closure that is passed on in the block.
    pub fn each_lambda(&mut self, act: &mut dyn FnMut(&mut Lambda)) {
        self.each_mut(&mut |s| {
            let StmtKind::Def(_, rhs) = &mut s.kind else {
                return;
            };
            let codes = rhs.arguments_mut().into_iter();
            for code in codes.filter_map(|a| a.code.as_mut()) {
                if !matches!(**code, Passed::Closure(_)) {
                    continue;
                }
                if let Passed::Closure(lambda) = Rc::make_mut(code) {
                    act(lambda);
                }
            }
        });
    }
}
