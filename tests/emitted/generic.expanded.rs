impl generic {
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        T: Scalar,
        const N: usize,
    >(
        __modes: (__M0, __M1),
        x: &[T; N],
        y: T,
    ) -> (
        T,
        impl FnOnce(
            ::differentiable::__rt::Ct<T>,
            &[T; N],
            &mut ::differentiable::__rt::Adj<[T; N], __M0>,
            &mut ::differentiable::__rt::Adj<T, __M1>,
        ),
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = generic::<T, N>;
        let (m0, m1) = __modes;
        let mut tape1 = ad::Tape::new();
        let w_y = y.__wit();
        let mut s = ::core::clone::Clone::clone(&y) * ::core::clone::Clone::clone(&y);
        let w_s = s.__wit();
        for i in 0..N {
            let v0 = x[i] * ::core::clone::Clone::clone(&y);
            let w_v0 = v0.__wit();
            s += v0;
            tape1.push((w_v0,));
        }
        let __value = s;
        (
            __value,
            move |__ct, x, d_x, d_y| {
                let mut d_s = w_s.zero();
                ad::acc(&w_s, __ct, &mut d_s);
                for i in (0..N).rev() {
                    let (w_v0,) = tape1.pop();
                    let mut d_v0 = w_v0.zero();
                    ad::add::pull_r(&w_s, &w_v0, &d_s, &mut d_v0);
                    ad::mul::pull_l(&x[i].__wit(), y.__v(), &d_v0, &mut d_x[i]);
                    ad::mul::pull_r(x[i].__v(), &w_y, &d_v0, &mut *d_y);
                }
                ad::mul::pull_l(&w_y, y.__v(), &d_s, &mut *d_y);
                ad::mul::pull_r(y.__v(), &w_y, &d_s, &mut *d_y);
            },
        )
    }
    pub fn __jvp<T: Scalar, const N: usize>(
        x: &[T; N],
        t_x: &<[T; N] as ::differentiable::__rt::Differentiable>::Tangent,
        y: T,
        t_y: <T as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (T, <T as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let mut s = ::core::clone::Clone::clone(&y) * ::core::clone::Clone::clone(&y);
        let mut t_s = ad::tangent_sum(
            ad::mul::push_l(y.__v(), y.__v(), &s, &t_y),
            ad::mul::push_r(y.__v(), y.__v(), &s, &t_y),
        );
        for i in 0..N {
            let v0 = x[i] * ::core::clone::Clone::clone(&y);
            let t_v0 = ad::tangent_sum(
                ad::mul::push_l(x[i].__v(), y.__v(), &v0, &t_x[i]),
                ad::mul::push_r(x[i].__v(), y.__v(), &v0, &t_y),
            );
            let __tangent = ad::add::push_r(s.__v(), v0.__v(), s.__v(), &t_v0);
            ad::tangent_add(&mut t_s, __tangent);
            s += ::core::clone::Clone::clone(&v0);
        }
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_s);
        (s, __tangent)
    }
}
