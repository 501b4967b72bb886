//! Fourier transforms inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Time);

type Signal = Tensor![f64; 3, 5];

fn filled<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    between(shape, seed, -1.0, 1.0)
}

fn signal(seed: u64) -> Signal {
    filled(Default::default(), seed)
}

covered! {
    fft at (signal(1), signal(2)) = |re: Tensor![f64; 3, 5], im: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, b) = re.fft::<-1>(im);
        &a * &b + a
    }
    fft_of_a_real_part at (signal(1)) = |re: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, _) = re.fft::<0>(&(re * 2.0));
        a
    }
    ifft at (signal(1), signal(2)) = |re: Tensor![f64; 3, 5], im: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, b) = re.ifft::<1>(im);
        &a * &b + b
    }
    fft_ortho at (signal(1), signal(2)) = |re: Tensor![f64; 3, 5], im: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, b) = re.fft_ortho::<0>(im);
        &a * &b + a
    }
    ifft_ortho at (signal(1), signal(2)) = |re: Tensor![f64; 3, 5], im: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, b) = re.ifft_ortho::<0>(im);
        &a * &b + b
    }
    fft2 at (signal(1), signal(2)) = |re: Tensor![f64; 3, 5], im: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, b) = re.fft2(im);
        &a * &b + a
    }
    ifft2 at (signal(1), signal(2)) = |re: Tensor![f64; 3, 5], im: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 5] {
        let (a, b) = re.ifft2(im);
        &a * &b + b
    }
    fft_along_a_run_time_axis at (filled((Time(7), Sz), 1), filled((Time(7), Sz), 2))
        = |re: Tensor![f64; Time, 2], im: Tensor![f64; Time, 2]| -> Tensor![f64; Time, 2] {
            let (a, b) = re.fft::<0>(im);
            &a * &b + a
        }
    rfft_odd at (signal(1)) = |x: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 3] {
        let (a, b) = x.rfft::<-1>();
        &a * &b + a
    }
    rfft_even at (filled(Default::default(), 1)) = |x: Tensor![f64; 3, 4]| -> Tensor![f64; 3, 3] {
        let (a, b) = x.rfft::<-1>();
        &a * &b + a + b * 3.0
    }
    irfft_even at (filled(Default::default(), 1), filled(Default::default(), 2)) = |re: Tensor![f64; 3, 4], im: Tensor![f64; 3, 4]| -> Tensor![f64; 3, 6] {
        re.irfft::<-1, _>(im, Sz::<6>)
    }
    irfft_odd at (filled(Default::default(), 1), filled(Default::default(), 2)) = |re: Tensor![f64; 3, 4], im: Tensor![f64; 3, 4]| -> Tensor![f64; 3, 7] {
        re.irfft::<-1, _>(im, Sz::<7>)
    }
    a_filter at (filled((Time(7), Sz), 1)) = |x: Tensor![f64; Time, 2]| -> Tensor![f64; Time, 2] {
        let n = x.shape().0;
        let (a, b) = x.rfft::<0>();
        let low = &a * &a;
        low.irfft::<0, Time>(&b, n)
    }
    rfft2 at (signal(1)) = |x: Tensor![f64; 3, 5]| -> Tensor![f64; 3, 3] {
        let (a, b) = x.rfft2();
        &a * &b + a
    }
    irfft2 at (filled(Default::default(), 1), filled(Default::default(), 2)) = |re: Tensor![f64; 3, 4], im: Tensor![f64; 3, 4]| -> Tensor![f64; 3, 6] {
        re.irfft2(im, Sz::<6>)
    }
}
