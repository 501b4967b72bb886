//! What an element type brings for kernels, from `f32`.

use crate::ad::{Half, Mixed};
use crate::device::Random;
use crate::kernel::normal::Normal;
use crate::kernel::random::Draw;
use crate::kernel::trig::Trig;

impl<H: Half> Normal for Mixed<H> {
    #[inline(always)]
    fn normal(self) -> (Self, Self) {
        let (cdf, pdf) = self.get().normal();
        (Mixed::new(cdf), Mixed::new(pdf))
    }
}

impl<H: Half> Trig for Mixed<H> {
    const NEAR: Self = Mixed::new(<f32 as Trig>::NEAR);
    #[inline(always)]
    fn near_sin(self) -> Self {
        Mixed::new(self.get().near_sin())
    }
    #[inline(always)]
    fn near_cos(self) -> Self {
        Mixed::new(self.get().near_cos())
    }
    #[inline(always)]
    fn near_tan(self) -> Self {
        Mixed::new(self.get().near_tan())
    }
}

impl<H: Half> Draw for Mixed<H> {
    const PER_BLOCK: usize = <f32 as Draw>::PER_BLOCK;

    fn draw(law: Random, words: &[[u32; 16]; 4], out: &mut [Self; 64]) {
        let mut numbers = [0.0; 64];
        <f32 as Draw>::draw(law, words, &mut numbers);
        *out = numbers.map(Mixed::new);
    }
}

/// Transforms are computed in `f32`.
#[cfg(feature = "fft")]
mod fourier {
    use super::{Half, Mixed};
    use crate::kernel::fourier::FourierKernels;
    use crate::kernel::mixed::Plain;

    impl<H: Half> FourierKernels for Mixed<H> {
        fn fft(n: usize, inverse: bool, scale: f64, x: [&[Self]; 2], out: [&mut [Self]; 2]) {
            f32::fft(n, inverse, scale, x.plain(), out.plain());
        }
        fn rfft(n: usize, doubled: bool, scale: f64, x: &[Self], out: [&mut [Self]; 2]) {
            f32::rfft(n, doubled, scale, x.plain(), out.plain());
        }
        fn irfft(n: usize, doubled: bool, scale: f64, x: [&[Self]; 2], out: &mut [Self]) {
            f32::irfft(n, doubled, scale, x.plain(), out.plain());
        }
    }
}
