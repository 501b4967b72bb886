//! Elements picked by number.

use super::*;

pub(super) fn gather<T: Elem, I: Index>(
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let picks = positions(index.buf, index.layout, x.layout.dims()[0])?;
    T::gather(dense(out).0, pair(x), &picks);
    Ok(())
}

pub(super) fn scatter_add<T: Float, I: Index>(
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let picks = positions(index.buf, index.layout, dims[0])?;
    T::scatter_add(out, pair(x), &picks);
    Ok(())
}

pub(super) fn select_axis<T: Elem, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let [n, inner] = sizes_from(axis, x.layout.dims());
    let picks = positions(index.buf, index.layout, n)?;
    T::select_axis(dense(out).0, flat(x), &picks, n, inner);
    Ok(())
}

pub(super) fn add_axis<T: Float, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let [n, inner] = sizes_from(axis, &dims);
    let picks = positions(index.buf, index.layout, n)?;
    T::add_axis(out, flat(x), &picks, n, inner);
    Ok(())
}

pub(super) fn take_along<T: Elem, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let [n, inner] = sizes_from(axis, x.layout.dims());
    let picks = positions(index.buf, index.layout, n)?;
    let sizes = [n, index.layout.dims()[axis], inner];
    T::take_along(dense(out).0, flat(x), &picks, sizes);
    Ok(())
}

pub(super) fn add_along<T: Float, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let [n, inner] = sizes_from(axis, &dims);
    let picks = positions(index.buf, index.layout, n)?;
    let sizes = [n, index.layout.dims()[axis], inner];
    T::add_along(out, flat(x), &picks, sizes);
    Ok(())
}

pub(super) fn put_along<T: Elem, I: Index>(
    axis: usize,
    x: View<'_, T, Cpu>,
    index: View<'_, I, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let (out, dims) = dense(out);
    let [n, inner] = sizes_from(axis, &dims);
    let picks = positions(index.buf, index.layout, n)?;
    let sizes = [n, index.layout.dims()[axis], inner];
    T::put_along(out, flat(x), &picks, sizes);
    Ok(())
}
