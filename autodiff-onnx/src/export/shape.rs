//! Operators that move elements and join them: reshape, transpose, slice, concat, reductions, products.

use super::build::{Tensor, joint, trimmed};
use super::ir::{Attr, Id, Ir};
use crate::proto::TensorProto;

impl Ir {
    /// The same elements, repeated to `dims`.
    pub fn repeated(&mut self, x: &Tensor, dims: &[usize]) -> Tensor {
        Tensor {
            id: x.id,
            dims: joint(&x.dims, dims),
        }
    }

    /// The value with all axes, each of its size.
    pub fn full(&mut self, x: &Tensor) -> Id {
        if self.dims(x.id) == x.dims {
            return x.id;
        }
        if trimmed(self.dims(x.id)) == trimmed(&x.dims) {
            return self.reshaped(x.id, &x.dims);
        }
        let sizes = self.sizes_of(&x.dims);
        let element = self.element(x);
        self.make("Expand", &[x.id, sizes], &[], element, &x.dims)
    }

    /// The value with all axes, some of them of size 1.
    pub fn ranked(&mut self, x: &Tensor) -> Id {
        let own = self.dims(x.id);
        let mut dims = vec![1; x.dims.len() - own.len()];
        dims.extend_from_slice(own);
        self.reshaped(x.id, &dims)
    }

    /// The same elements with these sizes.
    fn reshaped(&mut self, id: Id, dims: &[usize]) -> Id {
        if self.dims(id) == dims {
            return id;
        }
        let element = self.values[id].element;
        let constant = self
            .known(id)
            .filter(|t| t.dims.iter().product::<usize>() == 1);
        if let Some(tensor) = constant {
            let tensor = TensorProto {
                dims: dims.to_vec(),
                ..(**tensor).clone()
            };
            return self.constant(tensor);
        }
        if let Some(node) = self.maker(id).filter(|n| n.operator == "Reshape") {
            let before = node.inputs[0].expect("the operand of a Reshape");
            return self.reshaped(before, dims);
        }
        let sizes = self.sizes_of(dims);
        self.make("Reshape", &[id, sizes], &[], element, dims)
    }

    /// The same elements in row-major order, with other sizes.
    pub fn reshape(&mut self, x: &Tensor, dims: &[usize]) -> Tensor {
        if x.dims == dims {
            return x.clone();
        }
        let whole = |id| Tensor {
            id,
            dims: dims.to_vec(),
        };
        if self.dims(x.id).iter().all(|&n| n == 1) {
            return whole(self.few_axes(x.id, dims.len()));
        }
        if trimmed(dims) == trimmed(&x.dims) && self.dims(x.id).len() <= dims.len() {
            return whole(x.id);
        }
        // Axes of size 1 come and go without the repeated ones being written out.
        let kept = |dims: &[usize]| dims.iter().copied().filter(|&n| n != 1).collect::<Vec<_>>();
        if self.dims(x.id) != x.dims && kept(dims) == kept(&x.dims) {
            let own = self.ranked(x);
            let own = self.dims(own).to_vec();
            let mut sizes = own
                .iter()
                .zip(&x.dims)
                .filter(|(_, n)| **n != 1)
                .map(|(n, _)| *n);
            let to: Vec<usize> = dims
                .iter()
                .map(|&n| {
                    if n == 1 {
                        1
                    } else {
                        sizes.next().expect("as many")
                    }
                })
                .collect();
            return whole(self.reshaped(x.id, trimmed(&to)));
        }
        let id = self.full(x);
        whole(self.reshaped(id, dims))
    }

    /// One element with at most `rank` axes.
    pub fn few_axes(&mut self, id: Id, rank: usize) -> Id {
        match self.dims(id).len() <= rank {
            true => id,
            false => self.reshaped(id, &[]),
        }
    }

    /// Axis `i` of the result is axis `order[i]`.
    pub fn transpose(&mut self, x: &Tensor, order: &[usize]) -> Tensor {
        let dims: Vec<usize> = order.iter().map(|&i| x.dims[i]).collect();
        let id = self.ranked(x);
        let own = self.dims(id).to_vec();
        let moved: Vec<usize> = order.iter().copied().filter(|&i| own[i] != 1).collect();
        let to: Vec<usize> = order.iter().map(|&i| own[i]).collect();
        if moved.is_sorted() {
            let id = self.reshaped(x.id, trimmed(&to));
            return Tensor { id, dims };
        }
        if let Some(node) = self.maker(id).filter(|n| n.operator == "Transpose")
            && let Some(Attr::Ints(first)) = node.attribute("perm")
        {
            let both: Vec<usize> = order.iter().map(|&i| first[i] as usize).collect();
            let before = node.inputs[0].expect("the operand of a Transpose");
            let before = self.whole(before);
            let made = self.transpose(&before, &both);
            return Tensor { id: made.id, dims };
        }
        let perm = Attr::Ints(order.iter().map(|&i| i as i64).collect());
        let element = self.values[id].element;
        let id = self.make("Transpose", &[id], &[("perm", perm)], element, &to);
        Tensor { id, dims }
    }

    /// The last two axes exchanged.
    pub fn transposed(&mut self, x: &Tensor) -> Tensor {
        let rank = x.dims.len();
        let mut order: Vec<usize> = (0..rank).collect();
        order.swap(rank - 2, rank - 1);
        self.transpose(x, &order)
    }

    /// Entries `start`, `start + step`, .. of each axis, `count` of them.
    pub fn slice(&mut self, x: &Tensor, parts: &[(usize, usize, usize)]) -> Tensor {
        let dims: Vec<usize> = parts.iter().map(|p| p.1).collect();
        let id = self.ranked(x);
        let own = self.dims(id).to_vec();
        let (mut starts, mut ends, mut axes, mut steps) = (vec![], vec![], vec![], vec![]);
        let mut to = own.clone();
        for (axis, &(start, count, step)) in parts.iter().enumerate() {
            if own[axis] == 1 && x.dims[axis] != 1 || (start, count) == (0, own[axis]) {
                continue;
            }
            to[axis] = count;
            starts.push(start as i64);
            ends.push((start + step * count.saturating_sub(1) + usize::from(count > 0)) as i64);
            axes.push(axis as i64);
            steps.push(step as i64);
        }
        if axes.is_empty() {
            return Tensor { id: x.id, dims };
        }
        let element = self.values[id].element;
        let mut inputs = vec![id];
        inputs.extend([starts, ends, axes].map(|x| self.sizes(&x)));
        if steps.iter().any(|&s| s != 1) {
            inputs.push(self.sizes(&steps));
        }
        let id = self.make("Slice", &inputs, &[], element, &to);
        Tensor { id, dims }
    }

    /// `count` entries of an axis.
    pub fn narrow(&mut self, x: &Tensor, axis: usize, start: usize, count: usize) -> Tensor {
        let mut parts: Vec<_> = x.dims.iter().map(|&n| (0, n, 1)).collect();
        parts[axis] = (start, count, 1);
        self.slice(x, &parts)
    }

    /// Joined along an axis.
    pub fn concat(&mut self, axis: usize, parts: &[Tensor]) -> Tensor {
        let mut all: Vec<&Tensor> = parts.iter().filter(|p| p.dims[axis] > 0).collect();
        if all.is_empty() {
            all.push(&parts[0]);
        }
        let parts = all;
        if let [one] = parts[..] {
            return one.clone();
        }
        let mut dims = parts[0].dims.clone();
        dims[axis] = parts.iter().map(|p| p.dims[axis]).sum();
        let ids: Vec<Id> = parts.iter().map(|p| self.full(p)).collect();
        let element = self.values[ids[0]].element;
        let id = self.make(
            "Concat",
            &ids,
            &[("axis", Attr::Int(axis as i64))],
            element,
            &dims,
        );
        Tensor { id, dims }
    }

    /// Reduced along `axes`, which keep size 1, by an operator such as `ReduceSum`.
    pub fn reduce(&mut self, operator: &'static str, x: &Tensor, axes: &[usize]) -> Tensor {
        let mut dims = x.dims.clone();
        axes.iter().for_each(|&a| dims[a] = 1);
        let id = self.ranked(x);
        let mut own = self.dims(id).to_vec();
        // Of elements that repeat, the sum is a product, and the others are the element.
        let repeats: usize = axes
            .iter()
            .filter(|&&a| own[a] == 1)
            .map(|&a| x.dims[a])
            .product();
        let axes: Vec<i64> = axes
            .iter()
            .filter(|&&a| own[a] != 1)
            .map(|&a| a as i64)
            .collect();
        let element = self.values[id].element;
        let mut sum = Tensor {
            id: x.id,
            dims: dims.clone(),
        };
        if axes.is_empty() {
            if matches!(operator, "ReduceL1" | "ReduceL2") {
                sum = self.unary("Abs", &sum);
            }
        } else {
            axes.iter().for_each(|&a| own[a as usize] = 1);
            sum.id = if operator == "ReduceSum" {
                let axes = self.sizes(&axes);
                self.make(
                    operator,
                    &[id, axes],
                    &[("keepdims", Attr::Int(1))],
                    element,
                    &own,
                )
            } else {
                let attributes = [("axes", Attr::Ints(axes)), ("keepdims", Attr::Int(1))];
                self.make(operator, &[id], &attributes, element, &own)
            };
        }
        match operator {
            "ReduceSum" => self.scaled(&sum, repeats as f64),
            _ => sum,
        }
    }

    /// Summed to the sizes that broadcast to those of `x`, with as many axes.
    pub fn sum_to(&mut self, x: &Tensor, dims: &[usize]) -> Tensor {
        let axes: Vec<usize> = (0..dims.len())
            .filter(|&i| dims[i] == 1 && x.dims[i] != 1)
            .collect();
        match axes.is_empty() {
            true => x.clone(),
            false => self.reduce("ReduceSum", x, &axes),
        }
    }

    /// The product of matrices; leading axes are batches.
    pub fn matmul(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        let [a, b] = [a, b].map(|x| self.matrix(x));
        let [m, k] = [&a, &b].map(|x| x.dims.len() - 2);
        let mut dims = joint(&a.dims[..m], &b.dims[..k]);
        let [own_a, own_b] = [&a, &b].map(|x| self.dims(x.id).to_vec());
        let mut own = joint(&own_a[..own_a.len() - 2], &own_b[..own_b.len() - 2]);
        for dims in [&mut dims, &mut own] {
            dims.extend([a.dims[m], b.dims[k + 1]]);
        }
        let element = self.element(&a);
        let id = self.make("MatMul", &[a.id, b.id], &[], element, &own);
        Tensor { id, dims }
    }

    /// With the last two axes of their sizes, and others as they are.
    fn matrix(&mut self, x: &Tensor) -> Tensor {
        let (rank, own) = (x.dims.len(), self.dims(x.id).to_vec());
        if own.len() >= 2 && own[own.len() - 2..] == x.dims[rank - 2..] {
            return x.clone();
        }
        let batch = own.len().saturating_sub(2);
        let mut dims = own[..batch].to_vec();
        dims.extend_from_slice(&x.dims[rank - 2..]);
        let id = self.full(&Tensor { id: x.id, dims });
        Tensor {
            id,
            dims: x.dims.clone(),
        }
    }
}

impl Ir {
    /// An operator along the last axis, such as `Softmax`. Behind a `Transpose` it is one along another axis before it.
    pub fn along_last(&mut self, operator: &'static str, x: &Tensor) -> Tensor {
        let id = self.full(x);
        let element = self.values[id].element;
        if let Some(node) = self.maker(id).filter(|n| n.operator == "Transpose")
            && let Some(Attr::Ints(perm)) = node.attribute("perm").cloned()
        {
            let before = node.inputs[0].expect("the operand of a Transpose");
            let dims = self.dims(before).to_vec();
            let axis = [("axis", Attr::Int(perm[perm.len() - 1]))];
            let y = self.make(operator, &[before], &axis, element, &dims);
            let y = self.whole(y);
            let order: Vec<usize> = perm.iter().map(|&i| i as usize).collect();
            return self.transpose(&y, &order);
        }
        let id = self.make(
            operator,
            &[id],
            &[("axis", Attr::Int(-1))],
            element,
            &x.dims,
        );
        self.whole(id)
    }
}
