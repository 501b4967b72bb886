//! What branches save: the values of the side that was taken.
//!
//! A branch of many sides is one enum, not a chain of pairs: a chain of 100 has a type of depth 100 in each of its 100
//! arms, and rustc's time with it, which grew with more than the cube of their number. Beyond 16 sides the emitter
//! makes enums of enums.

/// What a two-way branch saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<L, R> {
    /// The first side was taken.
    L(L),
    /// The second side was taken.
    R(R),
}

macro_rules! sides {
    ($($Name:ident: $($S:ident)*;)*) => { $(
        /// What a branch of as many sides as the name says saves.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "the number of the side")]
        pub enum $Name<$($S),*> {
            $($S($S),)*
        }
    )* };
}

sides! {
    Sides3: S0 S1 S2;
    Sides4: S0 S1 S2 S3;
    Sides5: S0 S1 S2 S3 S4;
    Sides6: S0 S1 S2 S3 S4 S5;
    Sides7: S0 S1 S2 S3 S4 S5 S6;
    Sides8: S0 S1 S2 S3 S4 S5 S6 S7;
    Sides9: S0 S1 S2 S3 S4 S5 S6 S7 S8;
    Sides10: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9;
    Sides11: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10;
    Sides12: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11;
    Sides13: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12;
    Sides14: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13;
    Sides15: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14;
    Sides16: S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15;
}
