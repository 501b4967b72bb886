//! Operations on untyped tensors: output sizes, reuse of buffers, calls to the device.
//!
//! A method that takes `self` or another operand by value may reuse its buffer. Methods named
//! `…_into(.., acc)` add their result to `acc`.

use super::Raw;
use crate::device::{
    AdamStep, ArgOp, Backend, BinaryOp, CompareOp, Dims, Elem, Float, Index, IndexError, Operand,
    ReduceOp, Saves, SgdStep, Side, SoftmaxOp, UnaryOp, Write,
};

/// The joint sizes of two operands.
#[track_caller]
pub(super) fn joint(a: &Dims, b: &Dims) -> Dims {
    a.broadcast(b)
        .unwrap_or_else(|| panic!("cannot combine {a:?} with {b:?} element by element"))
}

// Elementwise.
impl<T: Float, D: Backend> Raw<T, D> {
    /// `op(self)`.
    #[must_use]
    #[track_caller]
    pub fn unary(mut self, op: UnaryOp) -> Self {
        let device = self.device().clone();
        if self.is_reusable() {
            device.unary(op, Operand::Output, self.view_mut());
            return self;
        }
        let mut out = Raw::unspecified(&device, *self.dims());
        device.unary(op, self.operand(), out.view_mut());
        out
    }

    /// `ct · op′`, given what [`UnaryOp::saves`] names (anything if that is nothing).
    #[must_use]
    #[track_caller]
    pub fn unary_pullback(op: UnaryOp, saved: &Self, mut ct: Self) -> Self {
        let device = ct.device().clone();
        let saved = match op.saves() {
            Saves::Nothing => Operand::Scalar(T::ZERO),
            _ => saved.operand(),
        };
        if ct.is_reusable() {
            device.unary_pullback(op, saved, Operand::Output, Write::Set, ct.view_mut());
            return ct;
        }
        let mut out = Raw::unspecified(&device, *ct.dims());
        device.unary_pullback(op, saved, ct.operand(), Write::Set, out.view_mut());
        out
    }

    /// `acc += ct · op′`.
    #[track_caller]
    pub fn unary_pullback_into(op: UnaryOp, saved: &Self, ct: &Self, acc: &mut Self) {
        let device = ct.device().clone();
        let saved = match op.saves() {
            Saves::Nothing => Operand::Scalar(T::ZERO),
            _ => saved.operand(),
        };
        assert_eq!(
            acc.dims(),
            ct.dims(),
            "an accumulator has the sizes of what is added"
        );
        device.unary_pullback(op, saved, ct.operand(), Write::Add, acc.view_mut());
    }

    /// `op(a, b)`, broadcast to the joint sizes.
    #[must_use]
    #[track_caller]
    pub fn binary(op: BinaryOp, mut a: Self, mut b: Self) -> Self {
        let dims = joint(a.dims(), b.dims());
        let device = a.device().clone();
        if *a.dims() == dims && a.is_reusable() {
            device.binary(op, Operand::Output, b.operand(), Write::Set, a.view_mut());
            return a;
        }
        if *b.dims() == dims && b.is_reusable() {
            device.binary(op, a.operand(), Operand::Output, Write::Set, b.view_mut());
            return b;
        }
        Self::binary_ref(op, &a, &b)
    }

    /// `op(a, b)` in a new buffer.
    #[must_use]
    #[track_caller]
    pub fn binary_ref(op: BinaryOp, a: &Self, b: &Self) -> Self {
        let mut out = Raw::unspecified(a.device(), joint(a.dims(), b.dims()));
        a.device()
            .binary(op, a.operand(), b.operand(), Write::Set, out.view_mut());
        out
    }

    /// `acc += op(a, b)`; the joint sizes must be those of `acc`.
    #[track_caller]
    pub fn binary_into(op: BinaryOp, a: &Self, b: &Self, acc: &mut Self) {
        assert_eq!(
            *acc.dims(),
            joint(a.dims(), b.dims()),
            "an accumulator has the sizes of what is added"
        );
        a.device()
            .binary(op, a.operand(), b.operand(), Write::Add, acc.view_mut());
    }

    /// `op(self, scalar)`.
    #[must_use]
    #[track_caller]
    pub fn binary_scalar(mut self, op: BinaryOp, scalar: T) -> Self {
        let device = self.device().clone();
        if self.is_reusable() {
            device.binary(
                op,
                Operand::Output,
                Operand::Scalar(scalar),
                Write::Set,
                self.view_mut(),
            );
            return self;
        }
        let mut out = Raw::unspecified(&device, *self.dims());
        device.binary(
            op,
            self.operand(),
            Operand::Scalar(scalar),
            Write::Set,
            out.view_mut(),
        );
        out
    }

    /// `op(scalar, self)`.
    #[must_use]
    #[track_caller]
    pub fn scalar_binary(op: BinaryOp, scalar: T, mut this: Self) -> Self {
        let device = this.device().clone();
        if this.is_reusable() {
            device.binary(
                op,
                Operand::Scalar(scalar),
                Operand::Output,
                Write::Set,
                this.view_mut(),
            );
            return this;
        }
        let mut out = Raw::unspecified(&device, *this.dims());
        device.binary(
            op,
            Operand::Scalar(scalar),
            this.operand(),
            Write::Set,
            out.view_mut(),
        );
        out
    }

    /// `ct · ∂op(a, b)/∂side` at the sizes of `ct`; [`Raw::sum_to`] brings it to those of the side.
    #[must_use]
    #[track_caller]
    pub fn binary_pullback(op: BinaryOp, side: Side, a: &Self, b: &Self, mut ct: Self) -> Self {
        let device = ct.device().clone();
        if ct.is_reusable() {
            device.binary_pullback(
                op,
                side,
                a.operand(),
                b.operand(),
                Operand::Output,
                Write::Set,
                ct.view_mut(),
            );
            return ct;
        }
        let mut out = Raw::unspecified(&device, *ct.dims());
        device.binary_pullback(
            op,
            side,
            a.operand(),
            b.operand(),
            ct.operand(),
            Write::Set,
            out.view_mut(),
        );
        out
    }

    /// `acc += ct · ∂op(a, b)/∂side`, where nothing is broadcast.
    #[track_caller]
    pub fn binary_pullback_into(
        op: BinaryOp,
        side: Side,
        a: &Self,
        b: &Self,
        ct: &Self,
        acc: &mut Self,
    ) {
        assert_eq!(
            acc.dims(),
            ct.dims(),
            "an accumulator has the sizes of what is added"
        );
        ct.device().binary_pullback(
            op,
            side,
            a.operand(),
            b.operand(),
            ct.operand(),
            Write::Add,
            acc.view_mut(),
        );
    }

    /// `self += alpha · x`; `x` may be broadcast.
    #[track_caller]
    pub fn add_scaled(&mut self, alpha: T, x: &Self) {
        x.device().add_scaled(alpha, x.view(), self.view_mut());
    }

    /// Adds `part` to the entries from `start` on along `axis`.
    #[track_caller]
    pub fn add_slice(&mut self, axis: usize, start: usize, part: &Self) {
        let len = part.dims()[axis];
        let mut out = self.view_mut();
        out.layout = out.layout.slice(axis, start, len);
        part.device().add_scaled(T::ONE, part.view(), out);
    }

    /// `self += x`; `x` may be broadcast.
    #[track_caller]
    pub fn add_assign(&mut self, x: &Self) {
        self.add_scaled(T::ONE, x);
    }
}

impl<T: Elem, D: Backend> Raw<T, D> {
    /// `a op b` as truth values, broadcast to the joint sizes.
    #[must_use]
    #[track_caller]
    pub fn compare(op: CompareOp, a: &Self, b: &Self) -> Raw<bool, D> {
        let mut out = Raw::unspecified(a.device(), joint(a.dims(), b.dims()));
        a.device().compare(op, a.view(), b.view(), out.view_mut());
        out
    }

    /// `if mask { a } else { b }`, broadcast to the joint sizes.
    #[must_use]
    #[track_caller]
    pub fn select(mask: &Raw<bool, D>, a: &Self, b: &Self) -> Self {
        let dims = joint(mask.dims(), &joint(a.dims(), b.dims()));
        let mut out = Raw::unspecified(a.device(), dims);
        a.device()
            .select(mask.view(), a.operand(), b.operand(), out.view_mut());
        out
    }

    /// `if mask { self } else { value }`; `mask` may be broadcast.
    #[must_use]
    #[track_caller]
    pub fn keep_where(mut self, mask: &Raw<bool, D>, value: T) -> Self {
        let device = self.device().clone();
        if self.is_reusable() {
            device.select(
                mask.view(),
                Operand::Output,
                Operand::Scalar(value),
                self.view_mut(),
            );
            return self;
        }
        let mut out = Raw::unspecified(&device, *self.dims());
        device.select(
            mask.view(),
            self.operand(),
            Operand::Scalar(value),
            out.view_mut(),
        );
        out
    }

    /// The first extreme position along `axis`, which is removed.
    #[must_use]
    #[track_caller]
    pub fn arg_reduce(&self, op: ArgOp, axis: usize) -> Raw<i64, D> {
        let x = self.axis_last(axis);
        let last = x.dims().rank() - 1;
        let mut out = Raw::unspecified(self.device(), x.dims().with(last, 1));
        self.device().arg_reduce(op, x.view(), out.view_mut());
        let kept = x.dims().remove(last);
        out.into_reshaped(kept)
    }

    /// `self[index[i], ..]`: sizes of `index`, then those of one row.
    #[track_caller]
    pub fn gather<I: Index>(&self, index: &Raw<I, D>) -> Result<Self, IndexError> {
        let row = self.dims().remove(0);
        let flat = index.reshape([index.numel()]);
        let mut out = Raw::unspecified(self.device(), row.insert(0, index.numel()));
        self.device()
            .gather(self.view(), flat.view(), out.view_mut())?;
        let sizes: Vec<usize> = index.dims().iter().chain(row.iter()).copied().collect();
        Ok(out.into_reshaped(Dims::new(&sizes)))
    }

    /// `axis` moved to the end.
    #[track_caller]
    pub(super) fn axis_last(&self, axis: usize) -> Self {
        let rank = self.dims().rank();
        if axis + 1 == rank {
            return self.clone();
        }
        let mut order = [0; crate::device::MAX_RANK];
        for (i, o) in order[..rank].iter_mut().enumerate() {
            *o = if i < axis { i } else { i + 1 };
        }
        order[rank - 1] = axis;
        self.permute(&order[..rank])
    }

    /// The reverse of [`axis_last`](Raw::axis_last).
    #[track_caller]
    pub(super) fn last_to_axis(self, axis: usize) -> Self {
        let rank = self.dims().rank();
        if axis + 1 == rank {
            return self;
        }
        let mut order = [0; crate::device::MAX_RANK];
        for (i, o) in order[..rank].iter_mut().enumerate() {
            *o = match i.cmp(&axis) {
                core::cmp::Ordering::Less => i,
                core::cmp::Ordering::Equal => rank - 1,
                core::cmp::Ordering::Greater => i - 1,
            };
        }
        self.permute(&order[..rank])
    }
}

// Products and reductions.
impl<T: Float, D: Backend> Raw<T, D> {
    /// `a · b` over the last two axes; leading axes are batches, broadcast where missing or 1.
    #[must_use]
    #[track_caller]
    pub fn matmul(a: &Self, b: &Self) -> Self {
        let (ra, rb) = (a.dims().rank(), b.dims().rank());
        assert!(
            ra >= 2 && rb >= 2,
            "a matrix product needs at least two axes"
        );
        let (m, n) = (a.dims()[ra - 2], b.dims()[rb - 1]);
        let batch = joint(
            &Dims::new(&a.dims()[..ra - 2]),
            &Dims::new(&b.dims()[..rb - 2]),
        );
        let out = batch.insert(batch.rank(), m);
        let mut out = Raw::unspecified(a.device(), out.insert(out.rank(), n));
        Self::gemm(T::ZERO, a, b, &mut out);
        out
    }

    /// `x · weight + bias` for matrices; `bias` has a number for each column.
    #[must_use]
    #[track_caller]
    pub fn affine(x: &Self, weight: &Self, bias: &Self) -> Self {
        let mut out = Raw::unspecified(x.device(), [x.dims()[0], weight.dims()[1]]);
        x.device()
            .affine(x.view(), weight.view(), bias.view(), out.view_mut());
        out
    }

    /// `acc += a · b`, where the product has the sizes of `acc`.
    #[track_caller]
    pub fn matmul_into(a: &Self, b: &Self, acc: &mut Self) {
        Self::gemm(T::ONE, a, b, acc);
    }

    /// `out ← beta·out + a·b`; `a` and `b` are broadcast to the batch of `out`.
    #[track_caller]
    pub fn gemm(beta: T, a: &Self, b: &Self, out: &mut Self) {
        let device = a.device().clone();
        let r = out.dims().rank();
        let batched = |x: &Self| {
            let k = x.dims().rank();
            let (rows, cols) = (x.dims()[k - 2], x.dims()[k - 1]);
            x.expand(out.dims().with(r - 2, rows).with(r - 1, cols))
        };
        let (a, b) = (batched(a), batched(b));
        device.gemm(beta, a.view(), b.view(), out.view_mut());
    }

    /// Reduced along `axes`, which keep size 1.
    #[must_use]
    #[track_caller]
    pub fn reduce_keepdim(&self, op: ReduceOp, axes: &[usize]) -> Self {
        let dims = axes.iter().fold(*self.dims(), |d, &a| d.with(a, 1));
        let mut out = Raw::unspecified(self.device(), dims);
        self.device()
            .reduce(op, self.view(), Write::Set, out.view_mut());
        out
    }

    /// Reduced along `axis`, which is removed.
    #[must_use]
    #[track_caller]
    pub fn reduce_axis(&self, op: ReduceOp, axis: usize) -> Self {
        let kept = self.dims().remove(axis);
        self.reduce_keepdim(op, &[axis]).into_reshaped(kept)
    }

    /// Reduced to one element without axes.
    #[must_use]
    #[track_caller]
    pub fn reduce_all(&self, op: ReduceOp) -> Self {
        let axes = [0, 1, 2, 3, 4, 5];
        self.reduce_keepdim(op, &axes[..self.dims().rank()])
            .into_reshaped(Dims::SCALAR)
    }

    /// The cotangent of a broadcast: summed to `dims`, which broadcast to the sizes of `self`.
    #[must_use]
    #[track_caller]
    pub fn sum_to(self, dims: &Dims) -> Self {
        if self.dims() == dims {
            return self;
        }
        let mut out = Raw::unspecified(self.device(), *dims);
        self.sum_write(Write::Set, &mut out);
        out
    }

    /// `acc += self` summed to the sizes of `acc`.
    #[track_caller]
    pub fn sum_into(&self, acc: &mut Self) {
        if self.dims() == acc.dims() {
            return acc.add_assign(self);
        }
        self.sum_write(Write::Add, acc);
    }

    #[track_caller]
    fn sum_write(&self, write: Write, out: &mut Self) {
        let mut view = out.view_mut();
        let rank = self.dims().rank();
        while view.layout.dims().rank() < rank {
            view.layout = view.layout.unsqueeze(0);
        }
        self.device()
            .reduce(ReduceOp::Sum, self.view(), write, view);
    }

    /// The pullback of `Max` and `Min`: `y` and `ct` have size 1 along reduced axes.
    #[must_use]
    #[track_caller]
    pub fn extreme_pullback(x: &Self, y: &Self, ct: &Self) -> Self {
        let mut out = Raw::unspecified(x.device(), *x.dims());
        x.device()
            .extreme_pullback(x.view(), y.view(), ct.view(), Write::Set, out.view_mut());
        out
    }

    /// Normalised along `axis`.
    #[must_use]
    #[track_caller]
    pub fn softmax(&self, op: SoftmaxOp, axis: usize) -> Self {
        let x = self.axis_last(axis);
        let mut out = Raw::unspecified(self.device(), *x.dims());
        self.device().softmax(op, x.view(), out.view_mut());
        out.last_to_axis(axis)
    }

    /// The pullback of [`Raw::softmax`] from its output.
    #[must_use]
    #[track_caller]
    pub fn softmax_pullback(op: SoftmaxOp, axis: usize, y: &Self, ct: &Self) -> Self {
        let (y, ct) = (y.axis_last(axis), ct.axis_last(axis));
        let mut out = Raw::unspecified(y.device(), *y.dims());
        y.device()
            .softmax_pullback(op, y.view(), ct.view(), Write::Set, out.view_mut());
        out.last_to_axis(axis)
    }

    /// The mean over rows of `ln Σ exp(x) − x[target]`, and the log-sum-exp of each row, which the
    /// pullback needs. Sizes: `self` rows × classes, `targets` rows.
    #[track_caller]
    pub fn cross_entropy<I: Index>(&self, targets: &Raw<I, D>) -> Result<(Self, Self), IndexError> {
        let rows = self.dims()[0];
        assert_eq!(targets.dims().as_slice(), [rows], "one target for each row");
        let mut lse = Raw::unspecified(self.device(), [rows]);
        let mut loss = Raw::unspecified(self.device(), Dims::SCALAR);
        self.device().cross_entropy(
            self.view(),
            targets.view(),
            lse.view_mut(),
            loss.view_mut(),
        )?;
        Ok((loss, lse))
    }

    /// The pullback of [`Raw::cross_entropy`]; `ct` has no axes.
    #[must_use]
    #[track_caller]
    pub fn cross_entropy_pullback<I: Index>(
        &self,
        targets: &Raw<I, D>,
        lse: &Self,
        ct: &Self,
    ) -> Self {
        let mut out = Raw::unspecified(self.device(), *self.dims());
        let (t, l, c) = (targets.view(), lse.view(), ct.view());
        self.device()
            .cross_entropy_pullback(self.view(), t, l, c, Write::Set, out.view_mut());
        out
    }

    /// The pullback of [`Raw::gather`]: `self[index[i], ..] += ct[i, ..]`.
    #[track_caller]
    pub fn scatter_add<I: Index>(
        &mut self,
        index: &Raw<I, D>,
        ct: &Self,
    ) -> Result<(), IndexError> {
        let device = ct.device().clone();
        let flat = index.reshape([index.numel()]);
        let rows = ct.reshape(self.dims().with(0, index.numel()));
        device.scatter_add(rows.view(), flat.view(), self.view_mut())
    }

    /// One step of [`SgdStep`] on `self`.
    #[track_caller]
    pub fn sgd(&mut self, step: &SgdStep, grad: &Self, velocity: Option<&mut Self>) {
        let grad = grad.clone().contiguous();
        let device = grad.device().clone();
        device.sgd(
            step,
            self.view_mut(),
            grad.view(),
            velocity.map(|v| v.view_mut()),
        );
    }

    /// One step of [`AdamStep`] on `self`.
    #[track_caller]
    pub fn adam(&mut self, step: &AdamStep, grad: &Self, first: &mut Self, second: &mut Self) {
        let grad = grad.clone().contiguous();
        let device = grad.device().clone();
        device.adam(
            step,
            self.view_mut(),
            grad.view(),
            first.view_mut(),
            second.view_mut(),
        );
    }
}
