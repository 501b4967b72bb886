//! `#[derivative(of = ..)]`: rules of the user's, used by annotated functions and checked like them.

mod derivative {
    mod foreign;
    mod generic;
    mod own;
    mod tensors;
}
