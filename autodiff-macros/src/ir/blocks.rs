//! The blocks inside a statement.

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

    /// The arms of a branch, or the body of a loop.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::Branch { arms, .. } => arms.iter().map(|a| &a.block).collect(),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// As [`blocks`](Self::blocks).
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::Branch { arms, .. } => arms.iter_mut().map(|a| &mut a.block).collect(),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Block {
    /// Does something to each closure that is passed on in the block.
    pub fn each_lambda(&mut self, act: &mut dyn FnMut(&mut Lambda)) {
        for s in &mut self.stmts {
            if let StmtKind::Def(_, rhs) = &mut s.kind {
                let codes = rhs.arguments_mut().into_iter();
                for code in codes.filter_map(|a| a.code.as_mut()) {
                    if !matches!(**code, Passed::Closure(_)) {
                        continue;
                    }
                    if let Passed::Closure(lambda) = Rc::make_mut(code) {
                        act(lambda);
                    }
                }
            }
            for inner in s.blocks_mut() {
                inner.each_lambda(act);
            }
        }
    }
}
