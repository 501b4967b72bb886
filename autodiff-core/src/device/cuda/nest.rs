//! Sizes and strides as kernels take them.

use super::*;

/// The loops over elements of some sizes, with the strides of `K` operands: the bytes of `Nest<K>` in
/// `gpu/kernels/base.cuh`. Neighbouring axes are one where the strides of all operands allow it. Operands of other sizes are
/// repeated to these.
pub(super) fn nest(dims: &Dims, operands: &[Layout]) -> Vec<u8> {
    let operands: Vec<Layout> = operands.iter().map(|l| l.expand(dims)).collect();
    let mut sizes = Vec::with_capacity(MAX_RANK);
    let mut strides = vec![Vec::with_capacity(MAX_RANK); operands.len()];
    for (axis, &size) in dims.iter().enumerate().filter(|(_, size)| **size != 1) {
        let steps = || operands.iter().map(|l| l.strides()[axis]);
        let joins = !sizes.is_empty()
            && strides
                .iter()
                .zip(steps())
                .all(|(s, step)| s.last() == Some(&(step * size)));
        if joins {
            *sizes.last_mut().expect("an axis before") *= size;
            strides
                .iter_mut()
                .zip(steps())
                .for_each(|(s, step)| *s.last_mut().expect("an axis before") = step);
        } else {
            sizes.push(size);
            strides
                .iter_mut()
                .zip(steps())
                .for_each(|(s, step)| s.push(step));
        }
    }
    if sizes.is_empty() {
        sizes.push(1);
        strides.iter_mut().for_each(|s| s.push(0));
    }
    let dense = operands
        .iter()
        .enumerate()
        .fold(0, |bits, (k, l)| bits | u32::from(l.is_contiguous()) << k);
    let mut bytes = Vec::with_capacity(64 + 56 * operands.len());
    let mut number = |n: usize| bytes.extend_from_slice(&(n as u64).to_ne_bytes());
    number(dims.numel());
    // Two numbers of 32 bits.
    number(sizes.len() | (dense as usize) << 32);
    let padded = |of: &[usize]| {
        let mut all = [0; MAX_RANK];
        all[..of.len()].copy_from_slice(of);
        all
    };
    padded(&sizes).into_iter().for_each(&mut number);
    strides.iter().flat_map(|s| padded(s)).for_each(&mut number);
    operands.iter().for_each(|l| number(l.offset()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bytes: &[u8]) -> Vec<u64> {
        bytes
            .chunks(8)
            .map(|b| u64::from_ne_bytes(b.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn neighbouring_axes_are_one_where_all_strides_allow_it() {
        let dims = Dims::new(&[2, 3, 4]);
        let row = Layout::dense(Dims::new(&[4]));
        let n = numbers(&nest(&dims, &[Layout::dense(dims), row]));
        assert_eq!(n[..4], [24, 2 | 1 << 32, 6, 4]);
        assert_eq!(n[8..10], [4, 1]);
        assert_eq!(n[14..16], [0, 1]);
        assert_eq!(n[20..], [0, 0]);
    }

    #[test]
    fn a_scalar_is_one_element() {
        let n = numbers(&nest(&Dims::SCALAR, &[Layout::dense(Dims::SCALAR)]));
        assert_eq!(n[..3], [1, 1 | 1 << 32, 1]);
    }
}
