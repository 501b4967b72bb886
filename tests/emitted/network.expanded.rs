::differentiable::__companion_method! {
    "`matmul` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = matmul)]`, or wrap the call in `no_grad!`"
    __fallback_method0 matmul __matmul_vjp __matmul_jvp[A0] [T0]
}
::differentiable::__companion_method! {
    "`cross_entropy` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = cross_entropy)]`, or wrap the call in `no_grad!`"
    __fallback_method1 cross_entropy __cross_entropy_vjp __cross_entropy_jvp[A0] [T0]
}
#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
struct __Region0;
#[allow(unused_variables, unused_parens)]
impl ::differentiable::__rt::Region<2usize> for __Region0 {
    const ACTIVE: [bool; 2usize] = [true, true];
    const READS: [bool; 2usize] = [false, false];
    const READS_VALUE: bool = true;
    const COST: usize = 2usize;
    #[inline(always)]
    fn value<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        x1,
        ]: [T; 2usize],
    ) -> T {
        let v0 = x0 + x1;
        let v1 = ::differentiable::__rt::elementwise::relu::value(v0);
        v1
    }
    #[inline(always)]
    fn pullback<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        x1,
        ]: [T; 2usize],
        y: T,
        ct: T,
    ) -> [T; 2usize] {
        let v1 = y;
        let d1 = ct;
        let d0 = ::differentiable::__rt::elementwise::relu::pull(T::ZERO, v1, d1);
        [d0, d0]
    }
    #[inline(always)]
    fn pushforward<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        x1,
        ]: [T; 2usize],
        [t0,
        t1,
        ]: [T; 2usize],
    ) -> T {
        let v0 = x0 + x1;
        let v1 = ::differentiable::__rt::elementwise::relu::value(v0);
        let u0 = (t0) + (t1);
        let u1 = ::differentiable::__rt::elementwise::relu::pull(T::ZERO, v1, u0);
        u1
    }
}
impl network {
    const __CALLS: usize = 17usize;
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = ::differentiable::__rt::weight(Self::__CALLS);
    pub fn __value(
        w: &Tensor![4, 3],
        b: &Tensor![3],
        x: &Tensor![Batch, 4],
        t: &Tensor![i64; Batch],
    ) -> Tensor![] {
        use ::differentiable::__rt::{self as ad, methods::*};
        let w: __Checked_network<_> = w;
        let b: __Checked_network<_> = b;
        let x: __Checked_network<_> = x;
        let t: __Checked_network<_> = t;
        let __scope = ad::scope("network");
        let v0 = x.matmul(w);
        let h = ad::fused::fused(
                __Region0,
                || {
                    let v1 = ::core::clone::Clone::clone(&v0) + b;
                    let h = v1.relu();
                    h
                },
            )
            .__value(ad::fused::own(v0), ad::fused::lent(b));
        let v2 = h.cross_entropy(t);
        v2
    }
    pub fn __vjp_open<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Inactive,
        __M3: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2, __M3),
        w: &Tensor![4, 3],
        b: &Tensor![3],
        x: &Tensor![Batch, 4],
        t: &Tensor![i64; Batch],
    ) -> (
        Tensor![],
        impl FnOnce(
            ::differentiable::__rt::Ct<Tensor![]>,
            &Tensor![4, 3],
            &Tensor![3],
            &Tensor![Batch, 4],
            &Tensor![i64; Batch],
            &mut ::differentiable::__rt::Adj<Tensor![4, 3], __M0>,
            &mut ::differentiable::__rt::Adj<Tensor![3], __M1>,
            &mut dyn ::differentiable::__rt::Unread,
            &mut ::differentiable::__rt::Adj<Tensor![i64; Batch], __M3>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = network;
        let (m0, m1, m2, m3) = __modes;
        let w: __Checked_network<_> = w;
        let b: __Checked_network<_> = b;
        let x: __Checked_network<_> = x;
        let t: __Checked_network<_> = t;
        let __scope = ad::scope("network");
        let (v0, p_v0) = (&&&ad::Anything(&x)).value().__matmul_vjp((ad::Off, m0), w);
        let w_v0 = v0.__wit();
        let (h, p_h) = ad::fused::fused(
                __Region0,
                || {
                    let v1 = ::core::clone::Clone::clone(&v0) + b;
                    let h = v1.relu();
                    h
                },
            )
            .__vjp((ad::On, m1), ad::fused::own(v0), ad::fused::lent(b));
        let w_h = h.__wit();
        let (v2, p_v2) = h.__v().__cross_entropy_vjp((ad::On, ad::Off), t);
        let w_v2 = v2.__wit();
        let __value = v2;
        (
            __value,
            move |__ct, w, b, x, t, d_w, d_b, d_x, d_t| {
                let w: __Checked_network<_> = w;
                let b: __Checked_network<_> = b;
                let x: __Checked_network<_> = x;
                let t: __Checked_network<_> = t;
                let d_w: __Checked_network<_> = d_w;
                let d_b: __Checked_network<_> = d_b;
                let d_x: __Checked_network<_> = d_x;
                let d_t: __Checked_network<_> = d_t;
                let __ct: __Checked_network<_> = __ct;
                let __scope = ad::scope("network.pullback");
                let mut d_v2 = ad::first(&w_v2, __ct);
                let mut d_h = w_h.zero();
                p_v2(d_v2, h.__v(), t, &mut d_h, &mut (&&&ad::Anything(t)).no_adj());
                let mut d_v0 = w_v0.zero();
                p_h(
                    d_h,
                    ::core::option::Option::Some(&mut d_v0),
                    ::core::option::Option::Some(&mut *d_b),
                );
                p_v0(
                    d_v0,
                    (&&&ad::Anything(&x)).value(),
                    w,
                    &mut (&&&ad::Anything((&&&ad::Anything(&x)).value())).no_adj(),
                    &mut *d_w,
                );
            },
        )
    }
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Inactive,
        __M3: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2, __M3),
        w: &Tensor![4, 3],
        b: &Tensor![3],
        x: &Tensor![Batch, 4],
        t: &Tensor![i64; Batch],
    ) -> (
        Tensor![],
        impl FnOnce(
            ::differentiable::__rt::Ct<Tensor![]>,
            &Tensor![4, 3],
            &Tensor![3],
            &Tensor![Batch, 4],
            &Tensor![i64; Batch],
            &mut ::differentiable::__rt::Adj<Tensor![4, 3], __M0>,
            &mut ::differentiable::__rt::Adj<Tensor![3], __M1>,
            &mut dyn ::differentiable::__rt::Unread,
            &mut ::differentiable::__rt::Adj<Tensor![i64; Batch], __M3>,
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp_open(__modes, w, b, x, t);
        (
            __value,
            ::differentiable::__rt::Finish::<
                _,
                dyn FnMut(
                    ::differentiable::__rt::Ct<Tensor![]>,
                    &Tensor![4, 3],
                    &Tensor![3],
                    &Tensor![Batch, 4],
                    &Tensor![i64; Batch],
                    &mut ::differentiable::__rt::Adj<Tensor![4, 3], __M0>,
                    &mut ::differentiable::__rt::Adj<Tensor![3], __M1>,
                    &mut dyn ::differentiable::__rt::Unread,
                    &mut ::differentiable::__rt::Adj<Tensor![i64; Batch], __M3>,
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
                        ::differentiable::__rt::Ct<Tensor![]>,
                        &Tensor![4, 3],
                        &Tensor![3],
                        &Tensor![Batch, 4],
                        &Tensor![i64; Batch],
                        &mut ::differentiable::__rt::Adj<Tensor![4, 3], __M0>,
                        &mut ::differentiable::__rt::Adj<Tensor![3], __M1>,
                        &mut dyn ::differentiable::__rt::Unread,
                        &mut ::differentiable::__rt::Adj<Tensor![i64; Batch], __M3>,
                    ) + 'static,
                >::new(
                    __held,
                    |mut __inside| move |
                        __a0: ::differentiable::__rt::Ct<Tensor![]>,
                        __a1: &Tensor![4, 3],
                        __a2: &Tensor![3],
                        __a3: &Tensor![Batch, 4],
                        __a4: &Tensor![i64; Batch],
                        __a5: &mut ::differentiable::__rt::Adj<Tensor![4, 3], __M0>,
                        __a6: &mut ::differentiable::__rt::Adj<Tensor![3], __M1>,
                        __a7: &mut dyn ::differentiable::__rt::Unread,
                        __a8: &mut ::differentiable::__rt::Adj<
                            Tensor![i64; Batch],
                            __M3,
                        >|
                    __inside
                        .take()(__a0, __a1, __a2, __a3, __a4, __a5, __a6, __a7, __a8),
                    |__call| __call,
                ),
                |__held| move |
                    __a0: ::differentiable::__rt::Ct<Tensor![]>,
                    __a1: &Tensor![4, 3],
                    __a2: &Tensor![3],
                    __a3: &Tensor![Batch, 4],
                    __a4: &Tensor![i64; Batch],
                    __a5: &mut ::differentiable::__rt::Adj<Tensor![4, 3], __M0>,
                    __a6: &mut ::differentiable::__rt::Adj<Tensor![3], __M1>,
                    __a7: &mut dyn ::differentiable::__rt::Unread,
                    __a8: &mut ::differentiable::__rt::Adj<Tensor![i64; Batch], __M3>|
                ::differentiable::__rt::Unboxed::unboxed(
                    __held,
                    &mut ::differentiable::__rt::CallRoom::new(),
                )(__a0, __a1, __a2, __a3, __a4, __a5, __a6, __a7, __a8),
            ),
        )
    }
    pub fn __jvp(
        w: &Tensor![4, 3],
        t_w: &<Tensor![4, 3] as ::differentiable::__rt::Differentiable>::Tangent,
        b: &Tensor![3],
        t_b: &<Tensor![3] as ::differentiable::__rt::Differentiable>::Tangent,
        x: &Tensor![Batch, 4],
        t_x: impl ::core::marker::Sized,
        t: &Tensor![i64; Batch],
        t_t: &<Tensor![i64; Batch] as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (Tensor![], <Tensor![] as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let w: __Checked_network<_> = w;
        let b: __Checked_network<_> = b;
        let x: __Checked_network<_> = x;
        let t: __Checked_network<_> = t;
        let t_w: __Checked_network<_> = t_w;
        let t_b: __Checked_network<_> = t_b;
        let t_x: __Checked_network<_> = t_x;
        let t_t: __Checked_network<_> = t_t;
        let __scope = ad::scope("network.jvp");
        let (v0, t_v0) = (&&&ad::Anything(&x))
            .value()
            .__matmul_jvp(&(&&&ad::Anything(&x)).no_tangent(), w, t_w);
        let (h, t_h) = ad::fused::fused(
                __Region0,
                || {
                    let v1 = ::core::clone::Clone::clone(&v0) + b;
                    let h = v1.relu();
                    h
                },
            )
            .__jvp(&v0, &t_v0, b, t_b);
        let (v2, t_v2) = h
            .__v()
            .__cross_entropy_jvp(&t_h, t, &(&&&ad::Anything(t)).no_tangent());
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v2);
        (v2, __tangent)
    }
    pub fn __regions<__V: ::differentiable::__rt::RegionVisitor>(__visitor: &mut __V) {
        __visitor.region::<__Region0, 2usize>();
    }
}
