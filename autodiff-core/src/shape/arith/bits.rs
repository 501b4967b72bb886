//! Natural numbers in bits, as types.

use core::marker::PhantomData;

// Least significant bit first: `Z` is 0, `O<X>` is 2X, `I<X>` is 2X+1. No leading zeros: `O<Z>`
// never occurs.
pub struct Z;
pub struct O<X>(PhantomData<X>);
pub struct I<X>(PhantomData<X>);

/// The result of a subtraction that went below zero.
pub struct Neg;

/// A number, or `Neg`.
pub trait Int {
    type Twice: Int;
    type Twice1: Int;
    /// One step of a long division: `Self` is what remains after subtracting the divisor from `R`.
    type Pick<Q: Num, R: Num>: QuotRem;
    /// `Z` if this is a number.
    type Fits;
    type OrZero: Num;
}

impl Int for Neg {
    type Twice = Neg;
    type Twice1 = Neg;
    type Pick<Q: Num, R: Num> = Pair<Q::Dbl, R>;
    type Fits = Neg;
    type OrZero = Z;
}
impl Int for Z {
    type Twice = Z;
    type Twice1 = I<Z>;
    type Pick<Q: Num, R: Num> = Pair<Q::Dbl1, Z>;
    type Fits = Z;
    type OrZero = Z;
}
impl<X: Num> Int for O<X> {
    type Twice = O<O<X>>;
    type Twice1 = I<O<X>>;
    type Pick<Q: Num, R: Num> = Pair<Q::Dbl1, O<X>>;
    type Fits = Z;
    type OrZero = O<X>;
}
impl<X: Num> Int for I<X> {
    type Twice = O<I<X>>;
    type Twice1 = I<I<X>>;
    type Pick<Q: Num, R: Num> = Pair<Q::Dbl1, I<X>>;
    type Fits = Z;
    type OrZero = I<X>;
}

/// A natural number.
pub trait Num: Int {
    // 2X, 2X+1, X+1, X-1
    type Dbl: Num;
    type Dbl1: Num;
    type Inc: Num;
    type Dec: Int;
    // X+Y, X+Y+1; `AddO<X>` is 2X + Self, `AddI<X>` is 2X+1 + Self, and one more
    type Add<Y: Num>: Num;
    type Add1<Y: Num>: Num;
    type AddO<X: Num>: Num;
    type AddI<X: Num>: Num;
    type AddO1<X: Num>: Num;
    type AddI1<X: Num>: Num;
    // X-Y, X-Y-1; `FromO<X>` is 2X - Self, `FromI<X>` is 2X+1 - Self, and one less
    type Sub<Y: Num>: Int;
    type Sub1<Y: Num>: Int;
    type FromO<X: Num>: Int;
    type FromI<X: Num>: Int;
    type FromO1<X: Num>: Int;
    type FromI1<X: Num>: Int;
    type Mul<Y: Num>: Num;
    type Div<Y: Num>: QuotRem;
}

impl Num for Z {
    type Dbl = Z;
    type Dbl1 = I<Z>;
    type Inc = I<Z>;
    type Dec = Neg;
    type Add<Y: Num> = Y;
    type Add1<Y: Num> = Y::Inc;
    type AddO<X: Num> = O<X>;
    type AddI<X: Num> = I<X>;
    type AddO1<X: Num> = I<X>;
    type AddI1<X: Num> = O<X::Inc>;
    type Sub<Y: Num> = Y::FromO<Z>;
    type Sub1<Y: Num> = Neg;
    type FromO<X: Num> = X::Dbl;
    type FromI<X: Num> = I<X>;
    type FromO1<X: Num> = <X::Dec as Int>::Twice1;
    type FromI1<X: Num> = X::Dbl;
    type Mul<Y: Num> = Z;
    type Div<Y: Num> = Pair<Z, Z>;
}

impl<W: Num> Num for O<W> {
    type Dbl = O<O<W>>;
    type Dbl1 = I<O<W>>;
    type Inc = I<W>;
    type Dec = <W::Dec as Int>::Twice1;
    type Add<Y: Num> = Y::AddO<W>;
    type Add1<Y: Num> = Y::AddO1<W>;
    type AddO<X: Num> = O<X::Add<W>>;
    type AddI<X: Num> = I<X::Add<W>>;
    type AddO1<X: Num> = I<X::Add<W>>;
    type AddI1<X: Num> = O<X::Add1<W>>;
    type Sub<Y: Num> = Y::FromO<W>;
    type Sub1<Y: Num> = Y::FromO1<W>;
    type FromO<X: Num> = <X::Sub<W> as Int>::Twice;
    type FromI<X: Num> = <X::Sub<W> as Int>::Twice1;
    type FromO1<X: Num> = <X::Sub1<W> as Int>::Twice1;
    type FromI1<X: Num> = <X::Sub<W> as Int>::Twice;
    type Mul<Y: Num> = <W::Mul<Y> as Num>::Dbl;
    type Div<Y: Num> = <W::Div<Y> as QuotRem>::Step0<Y>;
}

impl<W: Num> Num for I<W> {
    type Dbl = O<I<W>>;
    type Dbl1 = I<I<W>>;
    type Inc = O<W::Inc>;
    type Dec = W::Dbl;
    type Add<Y: Num> = Y::AddI<W>;
    type Add1<Y: Num> = Y::AddI1<W>;
    type AddO<X: Num> = I<X::Add<W>>;
    type AddI<X: Num> = O<X::Add1<W>>;
    type AddO1<X: Num> = O<X::Add1<W>>;
    type AddI1<X: Num> = I<X::Add1<W>>;
    type Sub<Y: Num> = Y::FromI<W>;
    type Sub1<Y: Num> = Y::FromI1<W>;
    type FromO<X: Num> = <X::Sub1<W> as Int>::Twice1;
    type FromI<X: Num> = <X::Sub<W> as Int>::Twice;
    type FromO1<X: Num> = <X::Sub1<W> as Int>::Twice;
    type FromI1<X: Num> = <X::Sub1<W> as Int>::Twice1;
    type Mul<Y: Num> = <<W::Mul<Y> as Num>::Dbl as Num>::Add<Y>;
    type Div<Y: Num> = <W::Div<Y> as QuotRem>::Step1<Y>;
}

/// Quotient and remainder.
pub struct Pair<Q, R>(PhantomData<(Q, R)>);

/// A quotient and remainder, into which the next bit of the dividend can be brought down.
pub trait QuotRem {
    type Quot: Num;
    type Rem: Num;
    type Step0<Y: Num>: QuotRem;
    type Step1<Y: Num>: QuotRem;
}

impl<Q: Num, R: Num> QuotRem for Pair<Q, R> {
    type Quot = Q;
    type Rem = R;
    type Step0<Y: Num> = <<R::Dbl as Num>::Sub<Y> as Int>::Pick<Q, R::Dbl>;
    type Step1<Y: Num> = <<R::Dbl1 as Num>::Sub<Y> as Int>::Pick<Q, R::Dbl1>;
}
