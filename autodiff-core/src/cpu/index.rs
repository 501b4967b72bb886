//! Elements picked by number.

use super::*;

/// The size of an axis, and the number of elements of one of its entries.
fn sizes_from(axis: usize, dims: &Dims) -> [usize; 2] {
    [dims[axis], dims[axis + 1..].iter().product()]
}

/// The positions that an index names along an axis of these sizes, and the sizes that the kernels ask for: of the axis, of
/// the index, of an entry.
#[track_caller]
fn named<I: Index>(
    operation: &'static str,
    axis: usize,
    dims: &Dims,
    index: View<'_, I, Cpu>,
) -> Result<(Vec<usize>, [usize; 3]), IndexError> {
    let [n, inner] = sizes_from(axis, dims);
    let picks = picked(operation, index, n)?;
    Ok((picks, [n, index.layout.dims()[axis], inner]))
}

#[track_caller]
pub(super) fn gather<T: Elem, I: Index>(
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let picks = picked("gather", index, x.layout.dims()[0])?;
    T::gather(dense(out).0, pair(x), &picks);
    Ok(())
}

#[track_caller]
pub(super) fn scatter_add<T: Float, I: Index>(
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let picks = picked("scatter_add", index, dims[0])?;
    T::scatter_add(out, pair(x), &picks);
    Ok(())
}

#[track_caller]
pub(super) fn select_axis<T: Elem, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let [n, inner] = sizes_from(axis, x.layout.dims());
    let picks = picked("select_axis", index, n)?;
    T::select_axis(dense(out).0, flat(x), &picks, n, inner);
    Ok(())
}

#[track_caller]
pub(super) fn add_axis<T: Float, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let [n, inner] = sizes_from(axis, &dims);
    let picks = picked("add_axis", index, n)?;
    T::add_axis(out, flat(x), &picks, n, inner);
    Ok(())
}

#[track_caller]
pub(super) fn take_along<T: Elem, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (picks, sizes) = named("take_along", axis, x.layout.dims(), index)?;
    T::take_along(dense(out).0, flat(x), &picks, sizes);
    Ok(())
}

#[track_caller]
pub(super) fn add_along<T: Float, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let (picks, sizes) = named("add_along", axis, &dims, index)?;
    T::add_along(out, flat(x), &picks, sizes);
    Ok(())
}

#[track_caller]
pub(super) fn put_along<T: Elem, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let (picks, sizes) = named("put_along", axis, &dims, index)?;
    T::put_along(out, flat(x), &picks, sizes);
    Ok(())
}
