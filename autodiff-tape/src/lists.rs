//! What traits of several values are implemented for.

/// Calls a macro for each tuple, with its length, and with the type and the position of each of its values.
macro_rules! tuples {
    ($each:ident) => {
        $each! { 1: A 0 }
        $each! { 2: A 0, B 1 }
        $each! { 3: A 0, B 1, C 2 }
        $each! { 4: A 0, B 1, C 2, E 3 }
        $each! { 5: A 0, B 1, C 2, E 3, F 4 }
        $each! { 6: A 0, B 1, C 2, E 3, F 4, G 5 }
        $each! { 7: A 0, B 1, C 2, E 3, F 4, G 5, H 6 }
        $each! { 8: A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7 }
    };
}
pub(crate) use tuples;

/// Calls a macro for each sequence of `Var<V>`, with the same sequence of other values, and with how these are made of `them` by
/// a function of `each`.
macro_rules! sequences {
    ($macro:ident, [$($bound:tt)*], $Made:ty) => {
        $macro! { [V: $($bound)*] &[Var<V>] => Vec<$Made>, |them, each| them.iter().map(each).collect() }
        $macro! { [V: $($bound)*] &[&Var<V>] => Vec<$Made>, |them, each| them.iter().map(|w| each(w)).collect() }
        $macro! { [V: $($bound)*] &Vec<Var<V>> => Vec<$Made>, |them, each| them.iter().map(each).collect() }
        $macro! {
            [V: $($bound)*, const N: usize] &[Var<V>; N] => [$Made; N],
            |them, each| core::array::from_fn(|k| each(&them[k]))
        }
        $macro! { [V: $($bound)*, const N: usize] [&Var<V>; N] => [$Made; N], |them, each| them.map(each) }
    };
}
pub(crate) use sequences;
