//! What `#[rule]` refuses, and what it asks of arguments without a cotangent.

use super::super::rule::expand;
use quote::quote;

/// The expansion of an `impl` with one operation.
fn of(formulas: proc_macro2::TokenStream, arguments: proc_macro2::TokenStream) -> String {
    let block = quote! {
        impl<S: Shape> Tensor<S> {
            #[derivative(#formulas)]
            pub fn op(#arguments) -> Tensor<S> { todo!() }
        }
    };
    expand(block).to_string()
}

#[test]
fn what_is_missing_or_unknown_is_one_error() {
    let two = || quote!(&self, other: &Tensor<S>);
    for (formulas, arguments, expected) in [
        (quote!(pull self => ct), two(), "one of `push` and `both`"),
        (quote!(push t), two(), "has either `pull NAME"),
        (
            quote!(pull self => ct; pull |ct| (); push t),
            two(),
            "has either `pull NAME",
        ),
        (
            quote!(pull other => ct; push t),
            two(),
            "what to `pull self`",
        ),
        (
            quote!(pull self => ct; active other; push t),
            two(),
            "what to `pull other`",
        ),
        (
            quote!(pull self => ct; pull w => ct; push t),
            two(),
            "`op` has no argument `w`",
        ),
        (
            quote!(pull self => ct; unread w; push t),
            two(),
            "`op` has no argument `w`",
        ),
        (quote!(pull self => ct; give t), two(), "expected `where`"),
        (
            quote!(pull self => ct; push t),
            quote!(self),
            "takes `&self`",
        ),
        (
            quote!(pull self => ct; push t),
            quote!(&mut self),
            "takes `&self`",
        ),
        (
            quote!(pull self => ct; push t),
            quote!(&self, (a, b): Pair),
            "is a name",
        ),
    ] {
        let code = of(formulas, arguments);
        assert_eq!(
            code.matches("compile_error").count(),
            1,
            "{expected}: {code}"
        );
        assert!(code.contains(expected), "{expected}: {code}");
    }
    assert!(expand(quote!(impl A {}))
        .to_string()
        .contains("has a `#[derivative(..)]`"));
}

#[test]
fn an_argument_without_a_cotangent_has_no_derivative_to_lose() {
    let bound = "Tensor < S > : crate :: ad :: Differentiable < Tangent = () >";
    let two = || quote!(&self, other: &Tensor<S>);
    let lost = of(quote!(pull self => ct; push t), two());
    assert_eq!(lost.matches(bound).count(), 2, "both companions: {lost}");
    for excused in [
        quote!(pull self => ct; pull other => ct; push t),
        quote!(active other; pull |ct, a, b, d_a, d_b| (); push t),
        quote!(unread other; pull self => ct; push t),
        quote!(mode other: Inactive; pull self => ct; push t),
    ] {
        let code = of(excused, two());
        assert!(
            !code.contains("compile_error") && !code.contains(bound),
            "{code}"
        );
    }
}
