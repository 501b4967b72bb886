impl early_return {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x: &[f64],
        limit: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = early_return;
        let (m0, m1) = __modes;
        let x: __Checked_early_return<_> = x;
        let limit: __Checked_early_return<_> = limit;
        let mut tape1 = ad::LongTape::new();
        let mut __jump = 0usize;
        let mut __ret: ::core::option::Option<f64> = ::core::option::Option::None;
        let mut trips1: __Checked_early_return<_> = 0usize;
        {
            let mut __all = ::core::iter::IntoIterator::into_iter(0..x.len());
            '__whole1: loop {
                let mut __room = tape1.room();
                while __room != 0 {
                    let ::core::option::Option::Some(i) = ::core::iter::Iterator::next(
                        &mut __all,
                    ) else { break '__whole1 };
                    if x[i] > limit {
                        let v0 = x[i] * x[i];
                        __ret = ::core::option::Option::Some(v0);
                        __jump = 1usize;
                    } else {}
                    tape1.push_reserved((i,));
                    trips1 += 1;
                    if __jump != 0 {
                        break '__whole1;
                    }
                    __room -= 1;
                }
            }
        }
        if __jump == 2usize {
            __jump = 0;
        }
        let branch7: __Checked_early_return<_> = if __jump == 0 {
            __ret = ::core::option::Option::Some(limit);
            ad::Either::L(())
        } else {
            ad::Either::R(())
        };
        let v1 = ad::late(&mut __ret);
        let __value = v1;
        (
            __value,
            move |__ct, x, d_x, d_limit| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_early_return<_> = x;
                let d_x: __Checked_early_return<_> = d_x;
                let d_limit: __Checked_early_return<_> = d_limit;
                let __ct: __Checked_early_return<_> = __ct;
                let mut d___ret = ::core::option::Option::None;
                let mut d_v1 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v1);
                d___ret = ::core::option::Option::Some(d_v1);
                match branch7 {
                    ad::Either::L(()) => {
                        ad::acc_late(&ad::F64, d___ret.take(), &mut *d_limit);
                    }
                    ad::Either::R(()) => {}
                }
                for _ in 0..trips1 {
                    let (i,) = tape1.pop();
                    if x[i] > limit {
                        let mut d_v0 = ad::F64.zero();
                        ad::acc_late(&ad::F64, d___ret.take(), &mut d_v0);
                        ad::mul::pull_l(&ad::F64, &x[i], &d_v0, &mut d_x[i]);
                        ad::mul::pull_r(&x[i], &ad::F64, &d_v0, &mut d_x[i]);
                    } else {}
                }
            },
        )
    }
    pub fn __jvp(
        x: &[f64],
        t_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        limit: f64,
        t_limit: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_early_return<_> = x;
        let limit: __Checked_early_return<_> = limit;
        let t_x: __Checked_early_return<_> = t_x;
        let t_limit: __Checked_early_return<_> = t_limit;
        let mut __jump = 0usize;
        let mut __ret: ::core::option::Option<f64> = ::core::option::Option::None;
        let mut t___ret = ::core::option::Option::None;
        for i in 0..x.len() {
            if x[i] > limit {
                let v0 = x[i] * x[i];
                let t_v0 = ad::tangent_sum(
                    ad::mul::push_l(&x[i], &x[i], &v0, &t_x[i]),
                    ad::mul::push_r(&x[i], &x[i], &v0, &t_x[i]),
                );
                let __tangent = t_v0;
                t___ret = ::core::option::Option::Some(__tangent);
                __ret = ::core::option::Option::Some(v0);
                __jump = 1usize;
            } else {}
            if __jump != 0 {
                break;
            }
        }
        if __jump == 2usize {
            __jump = 0;
        }
        if __jump == 0 {
            let __tangent = t_limit;
            t___ret = ::core::option::Option::Some(__tangent);
            __ret = ::core::option::Option::Some(limit);
        } else {}
        let v1 = ad::late(&mut __ret);
        let t_v1 = ad::late(&mut t___ret);
        let __tangent = t_v1;
        (v1, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&[f64], &f64),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64], &f64),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut [::differentiable::__rt::Ct<f64>],
                &mut ::differentiable::__rt::Ct<f64>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            __a0,
            ::core::clone::Clone::clone(__a1),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&[f64], &f64),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut [::differentiable::__rt::Ct<f64>],
                    &mut ::differentiable::__rt::Ct<f64>,
                )|
            { __pullback(__ct, __a0, __d0, __d1) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1): (&[f64], &f64),
        (
            __t0,
            __t1,
        ): (
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            __a0,
            __t0,
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
}
