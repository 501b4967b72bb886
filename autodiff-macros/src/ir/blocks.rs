//! The blocks inside a statement.

use crate::ir::{Block, Checkpoint, Stmt, StmtKind};

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
