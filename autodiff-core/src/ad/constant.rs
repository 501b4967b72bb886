//! Constant fields that are written, and that are given to calls.
//!
//! Emitted code does not know which fields are constant, as in [`field`](super::field). Where a statement writes to a
//! field, method lookup finds out by what the cotangent of the struct has for it, [`NoGrad`], or its tangent, `()`. The
//! modes of a call are chosen in the forward run, where there is no cotangent yet: there the type of the struct tells,
//! [`FieldOf`].

use core::marker::PhantomData;

use super::{
    Acc, AddRule, Adj, Assigning, Ct, Differentiable, Kept, Mode, NoGrad, Off, On, Ruled, SubRule,
    Unfollowed, Wit, ops,
};

/// The field of which `FIELD` is the number of the name is constant.
pub trait ConstantField<const FIELD: u64> {}

impl<T: ConstantField<FIELD> + ?Sized, const FIELD: u64> ConstantField<FIELD> for Box<T> {}

/// A value, of which a field is given to a call.
#[derive(Debug)]
pub struct FieldOf<'a, T: ?Sized, const FIELD: u64>(pub &'a T);

impl<T: ConstantField<FIELD> + ?Sized, const FIELD: u64> FieldOf<'_, T, FIELD> {
    /// The mode of a constant field.
    #[inline(always)]
    pub fn mode<M>(self, _: M) -> Off {
        Off
    }
    /// The mode of one that the call may change.
    #[inline(always)]
    pub fn lent_mode<M>(self, _: M) -> Unfollowed {
        Unfollowed
    }
}

/// The mode of a field that may have a derivative: that of the value.
pub trait ModeOfValue: Sized {
    /// The mode of the value.
    #[inline(always)]
    fn mode<M: Mode>(self, mode: M) -> M {
        mode
    }
    /// The same of a field that the call may change.
    #[inline(always)]
    fn lent_mode<M: Mode>(self, mode: M) -> M {
        mode
    }
}
impl<T: ?Sized, const FIELD: u64> ModeOfValue for FieldOf<'_, T, FIELD> {}

/// What a call gets for a cotangent of a field that is constant; nothing for others.
pub trait RoomIn: Sized {
    /// The accumulator.
    type Room<T: Differentiable + ?Sized>: Clone;
    /// That of a value whose type has none.
    type Other: Clone;
    /// A zero one.
    fn room<T: Differentiable + ?Sized>(self, value: &T) -> Self::Room<T>;
    /// What stands for one.
    fn other(self) -> Self::Other;
}

/// The struct has an accumulator for the field.
#[derive(Clone, Copy, Debug)]
pub struct NoRoom;

impl RoomIn for On {
    type Room<T: Differentiable + ?Sized> = NoRoom;
    type Other = NoRoom;
    #[inline(always)]
    fn room<T: Differentiable + ?Sized>(self, _: &T) -> NoRoom {
        NoRoom
    }
    #[inline(always)]
    fn other(self) -> NoRoom {
        NoRoom
    }
}

macro_rules! room {
    ($($Off:ident)*) => { $(
        impl RoomIn for $Off {
            type Room<T: Differentiable + ?Sized> = Adj<T, $Off>;
            type Other = NoGrad;
            #[inline(always)]
            fn room<T: Differentiable + ?Sized>(self, value: &T) -> Adj<T, $Off> {
                value.zero_adj(self)
            }
            #[inline(always)]
            fn other(self) -> NoGrad {
                NoGrad
            }
        }
    )* };
}
room!(Off Unfollowed);

/// The accumulator of a field that is given to a call: what the cotangent of the struct has for it, or the room that
/// there is for a constant one.
#[derive(Debug)]
pub struct Passed<'a, A: ?Sized, Z>(pub &'a mut A, pub &'a mut Z);

impl<'a, A: ?Sized> Passed<'a, A, NoRoom> {
    /// That of a field with a derivative.
    #[inline(always)]
    pub fn acc(self) -> &'a mut A {
        self.0
    }
}

/// The accumulator of a constant field.
pub trait PassedRoom<'a, Z> {
    /// It is dropped.
    fn acc(self) -> &'a mut Z;
}

impl<'a, A: ?Sized, Z> PassedRoom<'a, Z> for Passed<'a, A, Z> {
    #[inline(always)]
    fn acc(self) -> &'a mut Z {
        self.1
    }
}

/// The accumulator of a constant that is lent to a call, which may change it.
#[inline(always)]
pub fn unfollowed<T: Differentiable + ?Sized>(value: &T) -> Adj<T, Unfollowed> {
    value.zero_adj(Unfollowed)
}

/// A value and what the tangent of a struct has for it, before it is lent to a call.
#[derive(Debug)]
pub struct Lendable<'a, T: ?Sized, X: ?Sized>(pub &'a T, pub &'a X);

impl<X: Differentiable + ?Sized> Lendable<'_, X::Tangent, X> {
    /// A field with a derivative has a tangent.
    #[inline(always)]
    pub fn room(self) -> NoRoom {
        NoRoom
    }
}

/// A constant field.
pub trait LendableConstant<X: Differentiable + ?Sized> {
    /// The tangent that the call gets.
    fn room(self) -> X::Tangent;
}

impl<X: Differentiable + ?Sized> LendableConstant<X> for Lendable<'_, (), X> {
    #[inline(always)]
    fn room(self) -> X::Tangent {
        self.1.zero_tangent()
    }
}

/// A part of a sequence, in a field with a derivative.
pub trait LendableSlice: Sized {
    /// It has a tangent.
    #[inline(always)]
    fn room(self) -> NoRoom {
        NoRoom
    }
}

impl<X: Differentiable> LendableSlice for Lendable<'_, [X::Tangent], [X]> {}

/// A place, before another value is written to it.
#[derive(Debug)]
pub struct Placed<'a, T: ?Sized>(pub &'a T);

impl<T: Differentiable + ?Sized> Placed<'_, T> {
    /// Its witness.
    #[inline(always)]
    pub fn witness(self) -> Wit<T> {
        Wit(self.0.proto())
    }
}

/// What a type without derivatives has for a witness: only a constant field can be of one.
#[derive(Clone, Copy, Debug)]
pub struct NoWitness;

impl NoWitness {
    /// The cotangent of a copy.
    #[inline(always)]
    pub fn zero(&self) -> NoGrad {
        NoGrad
    }
    /// There is nothing to give.
    #[inline(always)]
    pub fn give(&self, _: NoGrad, _: &mut NoGrad) {}
}

impl<T: Differentiable> Wit<T> {
    /// Gives the cotangent of a copy to that of the field, which may be constant.
    #[inline(always)]
    pub fn give<D: Acc<T>>(&self, ct: Ct<T>, d: &mut D) {
        d.acc(ct);
    }
}

/// The place of a value that cannot carry a derivative.
pub trait WithoutWitness: Sized {
    /// Nothing.
    #[inline(always)]
    fn witness(self) -> NoWitness {
        NoWitness
    }
}
impl<T: ?Sized> WithoutWitness for Placed<'_, T> {}

/// What the tangent of a struct has for a field, and the value that was written there.
#[derive(Debug)]
pub struct Replaced<'a, T: ?Sized, X: ?Sized>(pub &'a mut T, pub &'a X);

impl<X: Differentiable> Replaced<'_, X::Tangent, X> {
    /// Writes the tangent of the value.
    #[inline(always)]
    pub fn set(self, tangent: X::Tangent) {
        *self.0 = tangent;
    }
    /// The value has no derivative.
    #[inline(always)]
    pub fn clear(self) {
        *self.0 = self.1.zero_tangent();
    }
}

/// A constant field.
pub trait ReplacedConstant: Sized {
    /// Does nothing.
    #[inline(always)]
    fn set<T>(self, _: T) {}
    /// Does nothing.
    #[inline(always)]
    fn clear(self) {}
}
impl<X: ?Sized> ReplacedConstant for Replaced<'_, (), X> {}

/// A value and what the tangent of a struct has for it, of which a part is written.
#[derive(Debug)]
pub struct Inside<'v, 'a, X: ?Sized, T: ?Sized>(pub &'v X, pub &'a mut T);

impl<'a, X: Differentiable + ?Sized> Inside<'_, 'a, X, X::Tangent> {
    /// The part.
    #[inline(always)]
    pub fn part<R: ?Sized>(self, part: impl FnOnce(&mut X::Tangent) -> &mut R) -> &'a mut R {
        part(self.1)
    }
}

/// A constant field.
pub trait InsideConstant<'a, X: ?Sized> {
    /// A part of what is constant is constant. `part` says which, of the value.
    fn part<R: ?Sized>(self, part: impl FnOnce(&mut X) -> &mut R) -> &'a mut ();
}

impl<'a, X: ?Sized> InsideConstant<'a, X> for Inside<'_, 'a, X, ()> {
    #[inline(always)]
    fn part<R: ?Sized>(self, _: impl FnOnce(&mut X) -> &mut R) -> &'a mut () {
        self.1
    }
}

/// A value and what the tangent of a struct has for it, of which a part is read.
#[derive(Debug)]
pub struct Within<'v, 'a, X: ?Sized, T: ?Sized>(pub &'v X, pub &'a T);

impl<'a, X: Differentiable + ?Sized> Within<'_, 'a, X, X::Tangent> {
    /// The part.
    #[inline(always)]
    pub fn part<R: ?Sized>(self, part: impl FnOnce(&X::Tangent) -> &R) -> &'a R {
        part(self.1)
    }
}

/// A constant field.
pub trait WithinConstant<'a, X: ?Sized> {
    /// A part of what is constant is constant.
    fn part<R: ?Sized>(self, part: impl FnOnce(&X) -> &R) -> &'a ();
}

impl<'a, X: ?Sized> WithinConstant<'a, X> for Within<'_, 'a, X, ()> {
    #[inline(always)]
    fn part<R: ?Sized>(self, _: impl FnOnce(&X) -> &R) -> &'a () {
        self.1
    }
}

/// The type of a part of a value.
#[inline(always)]
pub fn part_of_value<T: ?Sized, R: ?Sized>(
    _: &T,
    _: impl FnOnce(&T) -> &R,
) -> PhantomData<fn() -> Box<R>> {
    PhantomData
}

/// The type of a part of a value that is gone, by its witness.
#[inline(always)]
pub fn part_of<T: Differentiable + ?Sized, R: ?Sized>(
    _: &Wit<T>,
    _: impl FnOnce(&T) -> &R,
) -> PhantomData<fn() -> Box<R>> {
    PhantomData
}

/// The type of a value, and what the cotangent of a struct has for it, of which a part is asked for.
#[derive(Debug)]
pub struct PartOf<'a, X: ?Sized, A: ?Sized>(pub PhantomData<fn() -> Box<X>>, pub &'a mut A);

impl<'a, X: ?Sized> PartOf<'a, X, NoGrad> {
    /// A part of what is constant is constant. `_part` says which, of the value.
    #[inline(always)]
    pub fn part<R: ?Sized>(self, _part: impl FnOnce(&mut X) -> &mut R) -> &'a mut NoGrad {
        self.1
    }
}

/// A cotangent with parts.
pub trait PartOfCotangent<'a, A: ?Sized> {
    /// The part.
    fn part<R: ?Sized>(self, part: impl FnOnce(&mut A) -> &mut R) -> &'a mut R;
}

impl<'a, X: ?Sized, A: ?Sized> PartOfCotangent<'a, A> for PartOf<'a, X, A> {
    #[inline(always)]
    fn part<R: ?Sized>(self, part: impl FnOnce(&mut A) -> &mut R) -> &'a mut R {
        part(self.1)
    }
}

/// The cotangent or the tangent of a `Vec` that grows or shrinks, which may be a constant field.
#[derive(Debug)]
pub struct Entered<'a, V: ?Sized>(pub &'a mut V);

impl Entered<'_, NoGrad> {
    /// Nothing was entered.
    #[inline(always)]
    pub fn popped(self) -> NoGrad {
        NoGrad
    }
    /// Does nothing.
    #[inline(always)]
    pub fn push<C>(self, _: C) {}
}

impl Entered<'_, ()> {
    /// Does nothing.
    #[inline(always)]
    pub fn push<C>(self, _: C) {}
    /// The tangent of a constant.
    #[inline(always)]
    pub fn pop_tangent<X: Differentiable>(self, value: &Option<X>) -> Option<X::Tangent> {
        value.as_ref().map(X::zero_tangent)
    }
}

/// The entries of a `Vec` with a derivative.
pub trait EnteredParts<D> {
    /// The last one, which was entered.
    fn popped(self) -> D;
    /// Enters one.
    fn push(self, entry: D);
    /// Takes the last one.
    fn pop_tangent<X>(self, value: &Option<X>) -> Option<D>;
}

impl<D> EnteredParts<D> for Entered<'_, Vec<D>> {
    #[inline(always)]
    fn popped(self) -> D {
        super::popped(self.0)
    }
    #[inline(always)]
    fn push(self, entry: D) {
        self.0.push(entry);
    }
    #[inline(always)]
    fn pop_tangent<X>(self, _: &Option<X>) -> Option<D> {
        self.0.pop()
    }
}

/// What `a += b` kept, and the cotangent of `a`, where `b` has no derivative.
#[derive(Debug)]
pub struct Changed<'a, K, C: ?Sized>(pub K, pub &'a mut C);

/// The same with the witness of `a`, where `b` has a derivative.
#[derive(Debug)]
pub struct ChangedBy<'a, K, W, C: ?Sized>(pub K, pub &'a W, pub &'a mut C);

impl<C: ?Sized> Changed<'_, Ruled, C> {
    /// The cotangent stays.
    #[inline(always)]
    pub fn add_assign_l(self) {}
    /// The cotangent stays.
    #[inline(always)]
    pub fn sub_assign_l(self) {}
}

macro_rules! operator {
    ($Op:ident $Rule:ident $Left:ident $Both:ident $both:ident $left:ident) => {
        impl<A: Assigning<ops::$Op, B>, B: Differentiable> Changed<'_, Kept<A, B>, Ct<A>> {
            /// Turns the cotangent of the new value into that of the old one.
            #[inline(always)]
            pub fn $left(self) {
                self.0.$left(self.1);
            }
        }

        /// A constant field.
        pub trait $Left: Sized {
            /// There is nothing to do.
            #[inline(always)]
            fn $left(self) {}
        }
        impl<K> $Left for Changed<'_, K, NoGrad> {}

        impl<A: Differentiable> ChangedBy<'_, Ruled, Wit<A>, Ct<A>>
        where
            Ct<A>: Sized,
        {
            /// Adds to the cotangent of the right operand; that of the left one stays.
            #[inline(always)]
            pub fn $both<B: Differentiable, D: Acc<B>>(self, b: &Wit<B>, d: &mut D)
            where
                A: $Rule<B, Out = A>,
            {
                self.0.$both(self.1, b, self.2, d);
            }
        }

        impl<A: Assigning<ops::$Op, B>, B: Differentiable>
            ChangedBy<'_, Kept<A, B>, Wit<A>, Ct<A>>
        {
            /// Turns the cotangent of the new value into that of the old one; adds to that of `b`.
            #[inline(always)]
            pub fn $both<D: Acc<B>>(self, b: &Wit<B>, d: &mut D) {
                self.0.$both(self.1, b, self.2, d);
            }
        }

        /// A constant field.
        pub trait $Both: Sized {
            /// There is nothing to do.
            #[inline(always)]
            fn $both<B, D>(self, _: &B, _: &mut D) {}
        }
        impl<K, W> $Both for ChangedBy<'_, K, W, NoGrad> {}
    };
}
operator!(Add AddRule ConstantByAdd ConstantAndAdd add_assign add_assign_l);
operator!(Sub SubRule ConstantBySub ConstantAndSub sub_assign sub_assign_l);
