//! Parts of a buffer as operators: a layout of sizes and strides becomes `Reshape`, `Slice` and `Transpose`.

use super::build::Tensor;
use super::ir::{Id, Ir};
use crate::proto::{ElementType, TensorProto};
use autodiff_core::device::Layout;

/// A part of a tensor: the tensor with sizes `grid`, of it some entries of each axis, and of these axes some in another order.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The sizes that the tensor is given.
    pub grid: Vec<usize>,
    /// Of each axis the first entry, how many, and the step between them.
    pub entries: Vec<(usize, usize, usize)>,
    /// The axes that the part has; the others have one entry.
    pub order: Vec<usize>,
}

/// The axes of a layout that have more than one entry, with the strides; not those along which elements repeat.
fn axes(layout: &Layout) -> Vec<(usize, usize)> {
    let all = layout.dims().iter().zip(layout.strides());
    all.map(|(&n, &s)| (n, s))
        .filter(|&(n, s)| n > 1 && s > 0)
        .collect()
}

/// The strides of sizes in row-major order.
fn strides(dims: &[usize]) -> Vec<usize> {
    let mut out = vec![1; dims.len()];
    for i in (1..dims.len()).rev() {
        out[i - 1] = out[i] * dims[i];
    }
    out
}

impl Part {
    /// The part that a layout is of a tensor of sizes `dims`, if it is one.
    pub fn of(layout: &Layout, dims: &[usize]) -> Option<Part> {
        if dims.contains(&0) {
            return None;
        }
        let axes = axes(layout);
        Part::on(&axes, layout.offset(), dims).or_else(|| {
            let len: usize = dims.iter().product();
            let mut sorted = axes.clone();
            sorted.sort_by_key(|a| core::cmp::Reverse(a.1));
            let (mut grid, mut outer) = (Vec::new(), len);
            for &(_, stride) in &sorted {
                if !outer.is_multiple_of(stride) {
                    return None;
                }
                grid.push(outer / stride);
                outer = stride;
            }
            grid.push(outer);
            if outer == 1 {
                grid.pop();
            }
            Part::on(&axes, layout.offset(), &grid)
        })
    }

    /// The part on a grid, each of whose axes is one of the part at most.
    fn on(axes: &[(usize, usize)], offset: usize, grid: &[usize]) -> Option<Part> {
        let steps = strides(grid);
        let start = |j: usize| offset / steps[j] % grid[j];
        let mut entries: Vec<_> = (0..grid.len()).map(|j| (start(j), 1, 1)).collect();
        let mut order = Vec::new();
        for &(n, stride) in axes {
            let at = (0..grid.len()).find(|&j| grid[j] > 1 && steps[j] <= stride)?;
            let step = stride / steps[at];
            let last = entries[at].0 + step * (n - 1);
            if stride % steps[at] != 0 || last >= grid[at] || order.contains(&at) {
                return None;
            }
            entries[at] = (entries[at].0, n, step);
            order.push(at);
        }
        Some(Part {
            grid: grid.to_vec(),
            entries,
            order,
        })
    }

    /// Whether it is all of the tensor, perhaps in another order.
    pub fn is_whole(&self) -> bool {
        let all = self.grid.iter().zip(&self.entries);
        all.into_iter().all(|(&n, e)| e.0 == 0 && e.1 == n)
    }

    /// The sizes of its entries on the grid.
    pub fn sizes(&self) -> Vec<usize> {
        self.entries.iter().map(|e| e.1).collect()
    }
}

impl Ir {
    /// The elements of a dense tensor that a layout names.
    pub fn view(&mut self, x: &Tensor, layout: &Layout) -> Tensor {
        let dims = layout.dims().as_slice();
        let to = |id| Tensor {
            id,
            dims: dims.to_vec(),
        };
        if layout.numel() == 0 {
            let zero = self.scalar(self.element(x), 0.0);
            return to(zero.id);
        }
        if layout.is_contiguous()
            && layout.offset() == 0
            && x.dims.iter().product::<usize>() == layout.numel()
        {
            return self.reshape(x, dims);
        }
        if self.dims(x.id).iter().all(|&n| n == 1) {
            return to(self.few_axes(x.id, dims.len()));
        }
        // Where elements repeat, the axis has size 1 until somebody needs the others.
        let repeats = |i: usize| layout.strides()[i] == 0;
        let own: Vec<usize> = (0..dims.len())
            .map(|i| if repeats(i) { 1 } else { dims[i] })
            .collect();
        let made = match Part::of(layout, &x.dims) {
            Some(part) => {
                let grid = self.reshape(x, &part.grid);
                let taken = self.slice(&grid, &part.entries);
                let rest = (0..part.grid.len()).filter(|j| !part.order.contains(j));
                let order: Vec<usize> = rest.chain(part.order.iter().copied()).collect();
                let moved = self.transpose(&taken, &order);
                self.reshape(&moved, &own)
            }
            None => self.by_position(x, layout, &own),
        };
        // Leading ones are as good as nothing.
        let lead = own.iter().take_while(|&&n| n == 1).count();
        if own != dims && self.dims(made.id) == made.dims {
            let made = self.reshape(&made, &own[lead..]);
            return to(made.id);
        }
        to(made.id)
    }

    /// Elements that no slices give, such as a diagonal: by their positions.
    fn by_position(&mut self, x: &Tensor, layout: &Layout, own: &[usize]) -> Tensor {
        let id = self.full(x);
        let id = self.whole(id);
        let flat = self.reshape(&id, &[id.dims.iter().product()]);
        let index = self.constant(TensorProto::new("", own, &positions(layout, own)));
        let element = self.element(&flat);
        let id = self.make("Gather", &[flat.id, index], &[], element, own);
        self.whole(id)
    }

    /// `base` with `part` of it replaced by `x`, whose sizes are those of the part on the grid.
    pub fn replaced(&mut self, base: &Tensor, part: &Part, x: &Tensor) -> Option<Tensor> {
        if part.entries.iter().any(|e| e.2 != 1) {
            return None;
        }
        let dims = base.dims.clone();
        let grid = self.reshape(base, &part.grid);
        let all = match self.uniform(base) {
            Some(value) if value == 0.0 || self.element(base).is_float() => {
                self.padded(&grid, part, x, value)
            }
            _ => self.joined(&grid, part, x, 0),
        };
        Some(self.reshape(&all, &dims))
    }

    /// What lies around the part is a number.
    fn padded(&mut self, grid: &Tensor, part: &Part, x: &Tensor, value: f64) -> Tensor {
        let before = part.entries.iter().map(|e| e.0 as i64);
        let after = part.entries.iter().zip(&part.grid);
        let after = after.map(|(e, &n)| (n - e.0 - e.1) as i64);
        let pads: Vec<i64> = before.chain(after).collect();
        if pads.iter().all(|&n| n == 0) {
            return x.clone();
        }
        let element = self.element(x);
        let (pads, value) = (self.sizes(&pads), self.scalar(element, value));
        let id = self.full(x);
        let id = self.make("Pad", &[id, pads, value.id], &[], element, &grid.dims);
        self.whole(id)
    }

    /// Along each axis: what is before, the part, what is behind.
    fn joined(&mut self, base: &Tensor, part: &Part, x: &Tensor, from: usize) -> Tensor {
        let inside =
            |(j, e): (usize, &(usize, usize, usize))| j >= from && (e.0, e.1) != (0, part.grid[j]);
        let Some((axis, &(start, count, _))) = part.entries.iter().enumerate().find(|&e| inside(e))
        else {
            return x.clone();
        };
        let end = part.grid[axis];
        let before = self.narrow(base, axis, 0, start);
        let within = self.narrow(base, axis, start, count);
        let within = self.joined(&within, part, x, axis + 1);
        let behind = self.narrow(base, axis, start + count, end - start - count);
        self.concat(axis, &[before, within, behind])
    }

    /// As [`replaced`](Ir::replaced), for any layout.
    pub fn scattered(&mut self, base: &Tensor, layout: &Layout, x: &Tensor) -> Tensor {
        let dims = base.dims.clone();
        let full = self.full(base);
        let full = self.whole(full);
        let n = dims.iter().product();
        let flat = self.reshape(&full, &[n]);
        let own = layout.dims().as_slice();
        let index = positions(layout, own);
        let index = self.constant(TensorProto::new("", &[index.len()], &index));
        let x = Tensor {
            id: self.full(x),
            dims: own.to_vec(),
        };
        let x = self.reshape(&x, &[layout.numel()]);
        let element = self.element(&flat);
        let id: Id = self.make(
            "ScatterElements",
            &[flat.id, index, x.id],
            &[],
            element,
            &[n],
        );
        let all = self.whole(id);
        self.reshape(&all, &dims)
    }
}

/// The positions in the buffer of the elements of a layout, of which those that repeat count once where `own` says so.
fn positions(layout: &Layout, own: &[usize]) -> Vec<i64> {
    let mut out = vec![layout.offset() as i64];
    for (&n, &stride) in own.iter().zip(layout.strides()) {
        out = out
            .iter()
            .flat_map(|&at| (0..n).map(move |i| at + (i * stride) as i64))
            .collect();
    }
    out
}

/// The number that all elements are, if they are one.
pub fn uniform_of(tensor: &TensorProto) -> Option<f64> {
    let crate::proto::Elements::Bytes(bytes) = &tensor.elements else {
        return None;
    };
    let width = tensor.element_type.size()?;
    let first = bytes.get(..width)?;
    let same = bytes.chunks_exact(width).all(|x| x == first);
    let exact = tensor.element_type != ElementType::I64;
    let number = tensor.to_vec::<f64>().ok()?.first().copied();
    number.filter(|x| same && !x.is_nan() && (exact || x.abs() < 9e15))
}
