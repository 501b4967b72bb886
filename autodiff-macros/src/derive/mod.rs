//! `#[derive(Differentiable)]`.
//!
//! For `struct P { a: f64, #[constant] n: String }` it emits
//!
//! ```text
//! pub struct PTangent { a: <f64 as Differentiable>::Tangent, n: () }
//! pub struct PAdj<__M: Mode> { a: <f64 as Differentiable>::Adj<__M>, n: NoGrad }
//! const _: () = {
//!     impl Differentiable for P { type Tangent = PTangent; type Adj<__M: Mode> = PAdj<__M>; … }
//!     impl<__M: Mode> Acc<P> for PAdj<__M> { … }
//!     impl Tangent for PTangent { … }
//!     // Clone, Debug and PartialEq for `PTangent`, and its operators
//!     impl PTangent { pub fn __tan_P_a(&self) -> &…; … }
//!     impl<__M: Mode> PAdj<__M> { pub fn __adj_P_a(&mut self) -> &mut …; … }
//! };
//! ```
//!
//! For an enum the derived types are enums with the same variants; without fields, its tangent is
//! `()`.

pub mod batch;
mod boxes;
mod check;
mod constructor;
mod differentiable;
mod emit;
mod exchange;
mod fallback;
mod generics;
pub mod heap_size;
mod lens;
mod lift;
mod lifting;
mod matching;
mod model;
pub mod module;
mod names;
mod operators;
mod over;
mod over_traits;
mod own;
mod parts;
mod recast;
mod std_traits;
mod to_device;
mod types;
mod vector_space;
pub mod written_out;

use crate::input::plain::scoped::{self, Scoped};
use proc_macro2::TokenStream;

/// Expands the derive; a wrong input gives its errors and a stub, so that no further error follows.
pub fn expand(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<syn::DeriveInput>(tokens.clone()) {
        // Parameters of such names are refused.
        Ok(input) if !scoped::has_any(&tokens) || has_awkward_parameter(&input) => derived(input),
        Ok(_) => {
            let mut scoped = Scoped::default();
            let aside = syn::parse2(scoped.put_aside(tokens));
            scoped.give_back(aside.map_or_else(|e| e.to_compile_error(), derived))
        }
        Err(error) => error.to_compile_error(),
    }
}

fn has_awkward_parameter(input: &syn::DeriveInput) -> bool {
    let mut types = input.generics.type_params();
    types.any(|p| p.ident.to_string().starts_with("__"))
}

fn derived(input: syn::DeriveInput) -> TokenStream {
    if check::contains_itself(&input) {
        // The compiler says so, and how to end it.
        return TokenStream::new();
    }
    let mut errors = check::Errors::default();
    let asked = check::higher_order(&input.attrs, &mut errors);
    let mirror = asked
        .higher_order
        .then(|| over::Mirror::new(&input, &mut errors));
    let model = model::Model::new(&input, errors);
    match model {
        Ok(mut model) => {
            model.module = asked.module;
            let items = emit::emit(&model, mirror.as_ref().filter(|m| m.changed));
            let items =
                match asked.of_tensors || asked.higher_order && exchange::has_tensors(&input) {
                    true => over::of_elements(items),
                    false => items,
                };
            let to_device = to_device::to_device(&input);
            quote::quote!(#items #to_device)
        }
        Err(error) => {
            let error = error.to_compile_error();
            let stub = fallback::stub(&input.ident, &input.generics);
            quote::quote!(#error #stub)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::expand;
    use quote::quote;

    /// The messages of the `compile_error!`s in the expansion.
    fn errors(tokens: proc_macro2::TokenStream) -> Vec<String> {
        let expanded = expand(tokens).to_string();
        let messages = expanded.split("compile_error").skip(1);
        messages
            .map(|rest| rest.split('"').nth(1).expect("a message").to_owned())
            .collect()
    }

    #[test]
    fn what_is_refused_gives_one_error_each_and_a_stub() {
        for (tokens, expected) in [
            (
                quote!(union U { a: f64 }),
                "a union cannot be differentiated",
            ),
            (
                quote!(
                    struct S<'a> {
                        a: &'a [f64],
                    }
                ),
                "remove the lifetime `'a`",
            ),
            (
                quote!(
                    enum E<'a> {
                        A(&'a [f64]),
                    }
                ),
                "a differentiable enum owns its data: remove the lifetime `'a`",
            ),
            (
                quote!(
                    #[constant]
                    enum E {
                        A(f64),
                    }
                ),
                "an enum without gradients needs no",
            ),
            (
                quote!(
                    enum E {
                        #[constant]
                        A(f64),
                    }
                ),
                "`#[constant]` marks the fields of a variant",
            ),
            (
                quote!(
                    enum E {
                        #[differentiable]
                        A(f64),
                    }
                ),
                "fields are differentiable by default",
            ),
            (
                quote!(
                    #[constant]
                    struct S {
                        a: f64,
                    }
                ),
                "`#[constant]` marks fields",
            ),
            (
                quote!(
                    struct S {
                        #[constant(yes)]
                        a: f64,
                    }
                ),
                "`#[constant]` takes no arguments",
            ),
            (
                quote!(
                    struct S {
                        #[differentiable]
                        a: f64,
                    }
                ),
                "fields are differentiable by default",
            ),
            (
                quote!(
                    #[differentiable(twice)]
                    struct S {
                        a: f64,
                    }
                ),
                "the one option of a type",
            ),
            (
                quote!(
                    #[differentiable(higher_order)]
                    struct S {
                        a: f64,
                        b: Vec<Box<f64>>,
                    }
                ),
                "a box inside of another type",
            ),
            (
                quote!(
                    #[differentiable(higher_order)]
                    enum E {
                        A(f64, numbers!(3)),
                    }
                ),
                "has its types written out",
            ),
            (
                quote!(
                    #[differentiable(higher_order)]
                    union U { a: f64 }
                ),
                "a union cannot be differentiated",
            ),
            (
                quote!(
                    struct S<__M> {
                        a: __M,
                    }
                ),
                "the name `__M` is used",
            ),
        ] {
            let found = errors(tokens.clone());
            assert!(
                found.len() == 1 && found[0].contains(expected),
                "{tokens}: {found:?}"
            );
            assert!(expand(tokens).to_string().contains("type Tangent = () ;"));
        }
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let found = errors(quote! {
            struct S<'a, 'b> { #[constant(1)] a: &'a f64, b: &'b f64 }
        });
        assert_eq!(found.len(), 3, "{found:?}");
    }

    #[test]
    fn what_is_accepted_parses_and_has_no_error() {
        for tokens in [
            quote!(
                struct S;
            ),
            quote!(
                struct S(pub f64, #[constant] String);
            ),
            quote!(
                struct S {
                    next: Option<Box<Self>>,
                    all: Vec<S>,
                }
            ),
            quote!(
                pub enum E<T, const N: usize> {
                    Unit,
                    Tuple(pub_in::T<T>, #[constant] [T; N]),
                    Named { a: Box<Self>, r#type: f64 },
                    Nothing(),
                }
            ),
            quote!(
                enum Discrete {
                    A = 1,
                    B,
                }
            ),
            quote!(
                #[differentiable(higher_order)]
                struct S(pub f64, #[constant] String, Box<Self>, [Inner; 3]);
            ),
            quote!(
                #[differentiable(higher_order)]
                pub enum E<const N: usize> {
                    Unit,
                    Tuple(Vec<(m::Inner, usize)>, #[constant] HashMap<u8, f64>),
                    Named {
                        a: Box<E<N>>,
                        r#type: Option<Grid<N>>,
                    },
                }
            ),
            quote!(
                #[differentiable(higher_order)]
                enum Discrete {
                    A,
                    B,
                }
            ),
            quote!(
                #[differentiable(higher_order)]
                struct Nothing;
            ),
            quote!(
                pub struct S<T, const N: usize>
                where
                    T: Copy,
                {
                    a: [T; N],
                    b: Tensor![T; N],
                }
            ),
        ] {
            assert!(errors(tokens.clone()).is_empty());
            syn::parse2::<syn::File>(expand(tokens)).expect("items");
        }
    }
}
