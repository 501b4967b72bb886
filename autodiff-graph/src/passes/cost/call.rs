//! The sizes of a node's operands.

use crate::Node;
use autodiff_core::device::record::Argument;
use autodiff_core::device::{Layout, Write};
use core::any::Any;

/// A node, as the table sees it.
pub(super) struct Call<'g> {
    pub node: &'g Node,
}

impl Call<'_> {
    /// The layout of an operand or a result, by its name; of the first, if several have it.
    pub fn layout(&self, name: &str) -> Option<&Layout> {
        let operand = self.node.operands().iter().find(|o| o.name == name);
        let result = self.node.results().iter().find(|r| r.name == name);
        operand.map(|o| &o.layout).or(result.map(|r| &r.layout))
    }

    /// The number of elements of an operand or a result; 0 if there is none.
    pub fn numel(&self, name: &str) -> f64 {
        self.layout(name).map_or(0.0, |l| l.numel() as f64)
    }

    /// The size of an operand along an axis, counted from the last; 1 if there is none.
    pub fn size(&self, name: &str, from_end: usize) -> f64 {
        let dims = self.layout(name).map(|l| l.dims().as_slice());
        let at = |dims: &[usize]| Some(dims[dims.len().checked_sub(from_end)?] as f64);
        dims.and_then(at).unwrap_or(1.0)
    }

    /// The elements of all results.
    pub fn made(&self) -> f64 {
        self.node
            .results()
            .iter()
            .map(|r| r.layout.numel() as f64)
            .sum()
    }

    /// An addition for each element that is added to what was there.
    pub fn added(&self) -> f64 {
        let adds = self.node.arguments().contains(&Argument::Write(Write::Add));
        if adds { self.made() } else { 0.0 }
    }

    /// An attribute by its name.
    pub fn attribute<A: Any + Clone>(&self, name: &str) -> Option<A> {
        self.node.attribute::<A>(name).cloned()
    }

    /// The elements that a region runs over.
    pub fn region_numel(&self) -> f64 {
        let dims = self.attribute::<autodiff_core::device::Dims>("dims");
        dims.map_or_else(|| self.made(), |d| d.numel() as f64)
    }

    /// How many matrices, and rows and columns of one.
    pub fn matrices(&self, name: &str) -> (f64, f64, f64) {
        let (rows, columns) = (self.size(name, 2), self.size(name, 1));
        let each = rows * columns;
        let count = if each == 0.0 {
            0.0
        } else {
            self.numel(name) / each
        };
        (count, rows, columns)
    }
}
