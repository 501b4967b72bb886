#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
struct __Region0;
#[allow(unused_variables, unused_parens)]
impl ::differentiable::__rt::Region<3usize> for __Region0 {
    const ACTIVE: [bool; 3usize] = [true, true, true];
    const READS: [bool; 3usize] = [true, true, true];
    const READS_VALUE: bool = false;
    const COST: usize = 11usize;
    #[inline(always)]
    fn value<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        x1,
        x2,
        ]: [T; 3usize],
    ) -> T {
        let v0 = x0 * x1;
        let v1 = v0 - T::lit(0.5f64);
        let v2 = ::differentiable::__rt::elementwise::gelu::value(v1);
        let v3 = v2 * x2;
        v3
    }
    #[inline(always)]
    fn pullback<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        x1,
        x2,
        ]: [T; 3usize],
        y: T,
        ct: T,
    ) -> [T; 3usize] {
        let v0 = x0 * x1;
        let v1 = v0 - T::lit(0.5f64);
        let v2 = ::differentiable::__rt::elementwise::gelu::value(v1);
        let d3 = ct;
        let d2 = d3 * x2;
        let d1 = ::differentiable::__rt::elementwise::gelu::pull(v1, v2, d2);
        let d0 = d1;
        [d0 * x1, d0 * x0, d3 * v2]
    }
    #[inline(always)]
    fn pushforward<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        x1,
        x2,
        ]: [T; 3usize],
        [t0,
        t1,
        t2,
        ]: [T; 3usize],
    ) -> T {
        let v0 = x0 * x1;
        let v1 = v0 - T::lit(0.5f64);
        let v2 = ::differentiable::__rt::elementwise::gelu::value(v1);
        let v3 = v2 * x2;
        let u0 = (t0 * x1) + (t1 * x0);
        let u1 = u0;
        let u2 = ::differentiable::__rt::elementwise::gelu::pull(v1, v2, u1);
        let u3 = (u2 * x2) + (t2 * v2);
        u3
    }
}
impl gate {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __value(x: &Tensor![64], w: &Tensor![64], k: f32) -> Tensor![64] {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_gate<_> = x;
        let w: __Checked_gate<_> = w;
        let k: __Checked_gate<_> = k;
        let __scope = ad::scope("gate");
        let v3 = ad::fused::fused(
                __Region0,
                || {
                    let v0 = x * w;
                    let v1 = ::core::clone::Clone::clone(&v0) - 0.5;
                    let v2 = v1.gelu();
                    let v3 = ::core::clone::Clone::clone(&v2) * k;
                    v3
                },
            )
            .__value(ad::fused::lent(x), ad::fused::lent(w), ad::fused::lent(&k));
        v3
    }
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        x: &Tensor![64],
        w: &Tensor![64],
        k: f32,
    ) -> (
        Tensor![64],
        impl FnOnce(
            ::differentiable::__rt::Ct<Tensor![64]>,
            &Tensor![64],
            &Tensor![64],
            &mut ::differentiable::__rt::Adj<Tensor![64], __M0>,
            &mut ::differentiable::__rt::Adj<Tensor![64], __M1>,
            &mut ::differentiable::__rt::Adj<f32, __M2>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = gate;
        let (m0, m1, m2) = __modes;
        let x: __Checked_gate<_> = x;
        let w: __Checked_gate<_> = w;
        let k: __Checked_gate<_> = k;
        let __scope = ad::scope("gate");
        let (v3, p_v3) = ad::fused::fused(
                __Region0,
                || {
                    let v0 = x * w;
                    let v1 = ::core::clone::Clone::clone(&v0) - 0.5;
                    let v2 = v1.gelu();
                    let v3 = ::core::clone::Clone::clone(&v2) * k;
                    v3
                },
            )
            .__vjp(
                (m0, m1, m2),
                ad::fused::lent(x),
                ad::fused::lent(w),
                ad::fused::lent(&k),
            );
        let w_v3 = v3.__wit();
        let __value = v3;
        (
            __value,
            move |__ct, x, w, d_x, d_w, d_k| {
                let x: __Checked_gate<_> = x;
                let w: __Checked_gate<_> = w;
                let d_x: __Checked_gate<_> = d_x;
                let d_w: __Checked_gate<_> = d_w;
                let d_k: __Checked_gate<_> = d_k;
                let __ct: __Checked_gate<_> = __ct;
                let __scope = ad::scope("gate.pullback");
                let mut d_v3 = ad::first(&w_v3, __ct);
                p_v3(
                    d_v3,
                    ::core::option::Option::Some(&mut *d_x),
                    ::core::option::Option::Some(&mut *d_w),
                    ::core::option::Option::Some(&mut *d_k),
                );
            },
        )
    }
    pub fn __jvp(
        x: &Tensor![64],
        t_x: &<Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
        w: &Tensor![64],
        t_w: &<Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
        k: f32,
        t_k: <f32 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        Tensor![64],
        <Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_gate<_> = x;
        let w: __Checked_gate<_> = w;
        let k: __Checked_gate<_> = k;
        let t_x: __Checked_gate<_> = t_x;
        let t_w: __Checked_gate<_> = t_w;
        let t_k: __Checked_gate<_> = t_k;
        let __scope = ad::scope("gate.jvp");
        let (v3, t_v3) = ad::fused::fused(
                __Region0,
                || {
                    let v0 = x * w;
                    let v1 = ::core::clone::Clone::clone(&v0) - 0.5;
                    let v2 = v1.gelu();
                    let v3 = ::core::clone::Clone::clone(&v2) * k;
                    v3
                },
            )
            .__jvp(x, t_x, w, t_w, &k, &t_k);
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v3);
        (v3, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1, __a2): (&Tensor![64], &Tensor![64], &f32),
    ) -> (
        Tensor![64],
        impl FnOnce(
            ::differentiable::__rt::Ct<Tensor![64]>,
            &(),
            (&Tensor![64], &Tensor![64], &f32),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut ::differentiable::__rt::Ct<Tensor![64]>,
                &mut ::differentiable::__rt::Ct<Tensor![64]>,
                &mut ::differentiable::__rt::Ct<f32>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
            ),
            __a0,
            __a1,
            ::core::clone::Clone::clone(__a2),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1, __a2): (&Tensor![64], &Tensor![64], &f32),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                    __d2,
                ): (
                    &mut ::differentiable::__rt::Ct<Tensor![64]>,
                    &mut ::differentiable::__rt::Ct<Tensor![64]>,
                    &mut ::differentiable::__rt::Ct<f32>,
                )|
            { __pullback(__ct, __a0, __a1, __d0, __d1, __d2) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1, __a2): (&Tensor![64], &Tensor![64], &f32),
        (
            __t0,
            __t1,
            __t2,
        ): (
            &<Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
            &<Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
            &<f32 as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (
        Tensor![64],
        <Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        Self::__jvp(
            __a0,
            __t0,
            __a1,
            __t1,
            ::core::clone::Clone::clone(__a2),
            ::core::clone::Clone::clone(__t2),
        )
    }
    pub fn __regions<__V: ::differentiable::__rt::RegionVisitor>(__visitor: &mut __V) {
        __visitor.region::<__Region0, 3usize>();
    }
}
