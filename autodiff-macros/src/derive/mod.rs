//! `#[derive(Differentiable)]`.
//!
//! For `struct P { a: f64, #[constant] n: String }` it emits
//!
//! ```ignore
//! pub struct PTangent { a: <f64 as Differentiable>::Tangent, n: () }
//! pub struct PAdj<__M: Mode> { a: <f64 as Differentiable>::Adj<__M>, n: NoGrad }
//! const _: () = {
//!     impl Differentiable for P { type Tangent = PTangent; type Adj<__M: Mode> = PAdj<__M>; … }
//!     impl<__M: Mode> Acc<P> for PAdj<__M> { … }
//!     impl Tangent for PTangent { … }
//!     // Clone, Debug and PartialEq for `PTangent`
//! };
//! ```

mod emit;
mod fallback;
mod input;

use proc_macro2::TokenStream;

/// Expands the derive; a wrong input gives its errors and a stub, so that no further error follows.
pub fn expand(tokens: TokenStream) -> TokenStream {
    let input = match syn::parse2::<syn::DeriveInput>(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    match input::Struct::new(&input) {
        Ok(model) => emit::emit(&model),
        Err(error) => {
            let error = error.to_compile_error();
            let stub = fallback::stub(&input);
            quote::quote!(#error #stub)
        }
    }
}
