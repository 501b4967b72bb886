//! The lengths of tuples for which traits are implemented.

/// Hands each length of a tuple up to 6, 8 or 12 to a macro, as type parameters and positions.
macro_rules! each_tuple {
    (6 $each:ident) => {
        $each! { A 0 }
        $each! { A 0, B 1 }
        $each! { A 0, B 1, C 2 }
        $each! { A 0, B 1, C 2, D 3 }
        $each! { A 0, B 1, C 2, D 3, E 4 }
        $each! { A 0, B 1, C 2, D 3, E 4, F 5 }
    };
    (8 $each:ident) => {
        crate::tuples::each_tuple!(6 $each);
        $each! { A 0, B 1, C 2, D 3, E 4, F 5, G 6 }
        $each! { A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7 }
    };
    (12 $each:ident) => {
        crate::tuples::each_tuple!(8 $each);
        $each! { A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8 }
        $each! { A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9 }
        $each! { A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10 }
        $each! { A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11 }
    };
}
pub(crate) use each_tuple;
