//! Counting truth values.

use super::nest::Nest;
use super::par;
use super::simd::vectorize;
use crate::device::Layout;

/// Elements counted in 32 bits.
const BLOCK: usize = 1 << 16;

/// The number of `true` along the last axis.
pub fn count(out: &mut [i64], x: &[bool], layout: Layout) {
    if out.is_empty() {
        return;
    }
    let last = layout.dims().rank() - 1;
    let n = layout.dims()[last];
    if n == 0 {
        return out.fill(0);
    }
    let heads = layout.slice(last, 0, 1);
    let step = layout.strides()[last];
    let nest = Nest::new(heads.dims(), [&heads]);
    par::rows(out, 1, n, |start, part| {
        nest.runs(start, start + part.len(), 1, |pos, [at], _| {
            part[pos - start] = if step == 1 {
                dense(&x[at..at + n])
            } else {
                (0..n).map(|i| i64::from(x[at + i * step])).sum()
            };
        });
    });
}

fn dense(x: &[bool]) -> i64 {
    vectorize::<bool, _>(
        #[inline(always)]
        || {
            x.chunks(BLOCK)
                .map(|block| i64::from(block.iter().map(|&b| u32::from(b)).sum::<u32>()))
                .sum()
        },
    )
}
