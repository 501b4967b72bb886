//! Sums of elementwise regions for many examples.

use super::*;

/// `sum ← Σ region(x)` of each example, and the slopes.
///
/// The elements of an example are one axis here, those of all examples two, and the sum is along the second.
#[track_caller]
pub(super) fn sum<R: Region<N>, T: Float, const N: usize>(
    device: &Device,
    batch: Batch,
    region: R,
    dims: &Dims,
    mut x: [Operand<'_, T, Device>; N],
    mut sum: ViewMut<'_, T, Device>,
    mut slopes: [Option<ViewMut<'_, T, Device>>; N],
) {
    sum.widen(device, batch, false);
    slopes.widen(device, batch, false);
    let flat = Dims::new(&[dims.numel()]);
    let whole = sum.has_room(None) && slopes.has_room(None) && slopes.has_sizes(dims);
    let lines = x.each_ref().map(|x| line(x, dims, flat));
    if !whole || lines.iter().any(Option::is_none) {
        for i in 0..batch.examples() {
            let (x, slopes) = (x.example(i), slopes.example(i));
            device.region_sum(region, dims, x, sum.example(i), slopes);
        }
        return;
    }
    let mut x = lines.map(|x| x.expect("a line of elements"));
    let all = flat.insert(0, batch.examples());
    let wanted = slopes.iter().any(Option::is_some);
    if wanted && R::READS_VALUE {
        let mut values = device.alloc(all.numel());
        let out = ViewMut {
            buf: &mut values,
            layout: Layout::dense(all),
        };
        device.region(region, x.all(batch, None), out);
        let y = View {
            buf: &values,
            layout: Layout::dense(all),
        };
        let mut sums = sum.all(batch, None);
        sums.layout = Layout::dense(all.with(1, 1));
        device.reduce(ReduceOp::Sum, y, Write::Set, sums);
        return pull(device, batch, region, &all, x, Some(y), slopes);
    }
    let mut sums = sum.all(batch, None);
    sums.layout = Layout::dense(all.with(1, 1));
    device.region_along(region, &all, x.all(batch, None), 1, sums);
    if wanted {
        pull(device, batch, region, &all, x, None, slopes);
    }
}

/// The slopes of sums: the cotangent of each element is 1.
#[track_caller]
fn pull<R: Region<N>, T: Float, const N: usize>(
    device: &Device,
    batch: Batch,
    region: R,
    all: &Dims,
    mut x: [Operand<'_, T, Device>; N],
    y: Option<View<'_, T, Device>>,
    mut slopes: [Option<ViewMut<'_, T, Device>>; N],
) {
    let slopes = slopes.each_mut().map(|slope| {
        let mut slope = slope.as_mut()?.all(batch, None);
        slope.layout = Layout::dense(*all);
        Some(slope)
    });
    let one = Operand::Scalar(T::ONE);
    device.region_pullback(region, all, x.all(batch, None), y, one, slopes);
}

/// The elements of an operand along one axis, if strides can say so.
fn line<'a, T: Elem>(
    x: &Operand<'a, T, Device>,
    dims: &Dims,
    flat: Dims,
) -> Option<Operand<'a, T, Device>> {
    Some(match x {
        Operand::View(x) => Operand::View(View {
            buf: x.buf,
            layout: x.layout.expand(dims).reshape(flat)?,
        }),
        other => *other,
    })
}
