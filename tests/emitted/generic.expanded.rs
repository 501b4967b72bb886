#[allow(
    unused,
    non_snake_case,
    non_shorthand_field_patterns,
    clippy::all,
    clippy::pedantic
)]
impl<T: Scalar, const N: usize> __Of___checked_generic<T, N> {
    const CHECKED: usize = {
        let _ = |x: &[T; N], y: T| -> T {
            let mut s = y * y;
            for i in 0..N {
                s += x[i] * y;
            }
            s
        };
        0
    };
}
impl generic {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
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
        ) + ::core::clone::Clone,
    )
    where
        T: ::differentiable::__rt::Differentiable,
    {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = generic::<T, N>;
        let (m0, m1) = __modes;
        let x: __Checked_generic<_> = x;
        let y: __Checked_generic<_> = y;
        let mut tape1 = ad::Tape::new();
        let w_y = y.__wit();
        let kept_s: __Checked_generic<_> = ad::Operands(y.__v(), y.__v())
            .keep_mul_of_values();
        let mut s = ::core::clone::Clone::clone(&y) * ::core::clone::Clone::clone(&y);
        let w_s = s.__wit();
        let __trips = 0..N;
        tape1.reserve(ad::trips(&__trips));
        for i in __trips {
            let kept_v0: __Checked_generic<_> = ad::Operands(x[i].__v(), y.__v())
                .keep_mul_of_values();
            let v0 = x[i] * ::core::clone::Clone::clone(&y);
            let w_v0 = v0.__wit();
            let kept3 = ad::Operands(s.__v(), v0.__v()).keep_add_assign();
            s += v0;
            tape1.push_reserved((w_v0, kept_v0, kept3));
        }
        let __value = s;
        (
            __value,
            move |__ct, x, d_x, d_y| {
                let x: __Checked_generic<_> = x;
                let d_x: __Checked_generic<_> = d_x;
                let d_y: __Checked_generic<_> = d_y;
                let __ct: __Checked_generic<_> = __ct;
                let mut d_s = ad::first(&w_s, __ct);
                for i in (0..N).rev() {
                    let (w_v0, kept_v0, kept3) = tape1.pop();
                    let mut d_v0 = w_v0.zero();
                    kept3.add_assign(&w_s, &w_v0, &mut d_s, &mut d_v0);
                    kept_v0
                        .mul_of_values(
                            &x[i].__wit(),
                            x[i].__v(),
                            &w_y,
                            y.__v(),
                            d_v0,
                            &mut d_x[i],
                            &mut *d_y,
                        );
                }
                let mut __other = w_y.zero();
                kept_s
                    .mul_of_values(
                        &w_y,
                        y.__v(),
                        &w_y,
                        y.__v(),
                        d_s,
                        &mut *d_y,
                        &mut __other,
                    );
                ad::acc(&w_y, __other, &mut *d_y);
            },
        )
    }
    pub fn __jvp<T: Scalar, const N: usize>(
        x: &[T; N],
        t_x: &<[T; N] as ::differentiable::__rt::Differentiable>::Tangent,
        y: T,
        t_y: <T as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (T, <T as ::differentiable::__rt::Differentiable>::Tangent)
    where
        T: ::differentiable::__rt::Differentiable,
    {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_generic<_> = x;
        let y: __Checked_generic<_> = y;
        let t_x: __Checked_generic<_> = t_x;
        let t_y: __Checked_generic<_> = t_y;
        let mut s = ::core::clone::Clone::clone(&y) * ::core::clone::Clone::clone(&y);
        let mut t_s = ad::tangent_sum(
            ad::Operands(y.__v(), y.__v()).mul_push_l(&s, &t_y),
            ad::Operands(y.__v(), y.__v()).mul_push_r(&s, &t_y),
        );
        for i in 0..N {
            let v0 = x[i] * ::core::clone::Clone::clone(&y);
            let t_v0 = ad::tangent_sum(
                ad::Operands(x[i].__v(), y.__v()).mul_push_l(&v0, &t_x[i]),
                ad::Operands(x[i].__v(), y.__v()).mul_push_r(&v0, &t_y),
            );
            let __other = ::core::clone::Clone::clone(&t_v0);
            ad::Operands(s.__v(), v0.__v())
                .add_assign_push(&mut t_s, ::core::option::Option::Some(&__other));
            s += ::core::clone::Clone::clone(&v0);
        }
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_s);
        (s, __tangent)
    }
    pub fn __code<T: Scalar, const N: usize>(
        _: &(),
        (__a0, __a1): (&[T; N], &T),
    ) -> (
        T,
        impl FnOnce(
            ::differentiable::__rt::Ct<T>,
            &(),
            (&[T; N], &T),
            &mut ::differentiable::__rt::Ct<()>,
            (&mut ::differentiable::__rt::Ct<[T; N]>, &mut ::differentiable::__rt::Ct<T>),
        ) + ::core::clone::Clone,
    )
    where
        T: ::differentiable::__rt::Differentiable,
        T: ::core::clone::Clone,
    {
        let (__value, __pullback) = Self::__vjp::<
            ::differentiable::__rt::On,
            ::differentiable::__rt::On,
            T,
            N,
        >(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            __a0,
            ::core::clone::Clone::clone(__a1),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&[T; N], &T),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut ::differentiable::__rt::Ct<[T; N]>,
                    &mut ::differentiable::__rt::Ct<T>,
                )|
            { __pullback(__ct, __a0, __d0, __d1) },
        )
    }
    pub fn __forward_code<T: Scalar, const N: usize>(
        _: &(),
        _: &(),
        (__a0, __a1): (&[T; N], &T),
        (
            __t0,
            __t1,
        ): (
            &<[T; N] as ::differentiable::__rt::Differentiable>::Tangent,
            &<T as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (T, <T as ::differentiable::__rt::Differentiable>::Tangent)
    where
        T: ::differentiable::__rt::Differentiable,
        T: ::core::clone::Clone,
    {
        Self::__jvp::<
            T,
            N,
        >(
            __a0,
            __t0,
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
}
impl generic {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __OVER: bool = true;
    pub fn __over<T: Scalar, const N: usize>(x: &[T; N], y: T) -> T
    where
        T: ::differentiable::__rt::Differentiable,
    {
        generic::<T, N>(x, y)
    }
}
