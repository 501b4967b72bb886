::differentiable::__companion! {
    "`norm` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = norm)]`, or wrap the call in `no_grad!`"
    __path0 __fallback0 norm[A0] [T0] norm
}
impl local_array {
    const __CALLS: usize = 1usize + __callee0::__WEIGHT;
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = ::differentiable::__rt::weight(Self::__CALLS);
    pub fn __vjp_open<__M0: ::differentiable::__rt::Mode>(
        __modes: (__M0,),
        x: &[f64],
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = local_array;
        let (m0,) = __modes;
        let x: __Checked_local_array<_> = x;
        let mut a = ::std::vec![0.0; x.len()];
        let w_a = a.__wit();
        {
            let __trips = 0..x.len();
            let __n = ad::count(&__trips);
            if __n != 0 {
                let part0 = ad::window(&x[..], __n, || 0);
                let part1 = ad::window_mut(&mut a[..], __n, || 0);
                for __t in 0..__n {
                    let v0 = part0[__t] * part0[__t];
                    part1[__t] = v0;
                }
            }
        }
        let (v1, p_v1) = __callee0::__vjp((ad::On,), &a);
        let w_v1 = v1.__wit();
        let __value = v1;
        (
            __value,
            move |__ct, x, d_x| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_local_array<_> = x;
                let d_x: __Checked_local_array<_> = d_x;
                let __ct: __Checked_local_array<_> = __ct;
                let mut d_v1 = ad::first(&w_v1, __ct);
                let mut d_a = w_a.zero();
                p_v1(d_v1, &a, &mut d_a);
                {
                    let __trips = 0..x.len();
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let part0 = ad::window(&x[..], __n, || 0);
                        let d_part0 = ad::window_mut(&mut d_x[..], __n, || 0);
                        let d_part1 = ad::window_mut(&mut d_a[..], __n, || 0);
                        for __t in (0..__n).rev() {
                            let mut d_v0 = ad::F64.zero();
                            let __ct = ad::take(&ad::F64, &mut d_part1[__t]);
                            ad::acc(&ad::F64, __ct, &mut d_v0);
                            ad::mul::pull_l(
                                &ad::F64,
                                &part0[__t],
                                &d_v0,
                                &mut d_part0[__t],
                            );
                            ad::mul::pull_r(
                                &part0[__t],
                                &ad::F64,
                                &d_v0,
                                &mut d_part0[__t],
                            );
                        }
                    }
                }
            },
        )
    }
    pub fn __vjp<__M0: ::differentiable::__rt::Mode>(
        __modes: (__M0,),
        x: &[f64],
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp_open(__modes, x);
        (
            __value,
            ::differentiable::__rt::Finish::<
                _,
                dyn FnMut(
                    ::differentiable::__rt::Ct<f64>,
                    &[f64],
                    &mut [::differentiable::__rt::Adj<f64, __M0>],
                ) + 'static,
                _,
            >::finish(
                {
                    use ::differentiable::__rt::MayStay as _;
                    let __cut = ::differentiable::__rt::Cut::<
                        { ::differentiable::__rt::is_cut(Self::__CALLS) },
                    >;
                    let __way = __cut.probe(&__pullback).way();
                    (__cut, __way)
                },
                __pullback,
                |__held| ::differentiable::__rt::Pooled::<
                    dyn FnMut(
                        ::differentiable::__rt::Ct<f64>,
                        &[f64],
                        &mut [::differentiable::__rt::Adj<f64, __M0>],
                    ) + 'static,
                >::new(
                    __held,
                    |mut __inside| move |
                        __a0: ::differentiable::__rt::Ct<f64>,
                        __a1: &[f64],
                        __a2: &mut [::differentiable::__rt::Adj<f64, __M0>]|
                    __inside.take()(__a0, __a1, __a2),
                    |__call| __call,
                ),
                |__held| move |
                    __a0: ::differentiable::__rt::Ct<f64>,
                    __a1: &[f64],
                    __a2: &mut [::differentiable::__rt::Adj<f64, __M0>]|
                ::differentiable::__rt::Unboxed::unboxed(
                    __held,
                    &mut ::differentiable::__rt::CallRoom::new(),
                )(__a0, __a1, __a2),
            ),
        )
    }
    pub fn __jvp(
        x: &[f64],
        t_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_local_array<_> = x;
        let t_x: __Checked_local_array<_> = t_x;
        let mut a = ::std::vec![0.0; x.len()];
        let mut t_a = ad::zero_tangent(&a);
        for i in 0..x.len() {
            let v0 = x[i] * x[i];
            let t_v0 = ad::tangent_sum(
                ad::mul::push_l(&x[i], &x[i], &v0, &t_x[i]),
                ad::mul::push_r(&x[i], &x[i], &v0, &t_x[i]),
            );
            let __tangent = t_v0;
            a[i] = v0;
            t_a[i] = __tangent;
        }
        let (v1, t_v1) = __callee0::__jvp(&a, &t_a);
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v1);
        (v1, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0,): (&[f64],),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64],),
            &mut ::differentiable::__rt::Ct<()>,
            (&mut [::differentiable::__rt::Ct<f64>],),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp((::differentiable::__rt::On,), __a0);
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0,): (&[f64],),
                _: &mut ::differentiable::__rt::Ct<()>,
                (__d0,): (&mut [::differentiable::__rt::Ct<f64>],)|
            { __pullback(__ct, __a0, __d0) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0,): (&[f64],),
        (__t0,): (&[<f64 as ::differentiable::__rt::Differentiable>::Tangent],),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(__a0, __t0)
    }
}
