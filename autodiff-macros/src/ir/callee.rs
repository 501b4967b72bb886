//! The companions of a called function, as emitted code names them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// How the companion of a called function is named.
pub struct Callee {
    /// Everything up to and including the companion function, without `::__vjp` generics.
    pub vjp: TokenStream,
    pub jvp: TokenStream,
    /// Generic arguments written by the user.
    pub generics: Option<TokenStream>,
    /// How much the companion's pullback holds, where that has a name.
    pub weight: Option<TokenStream>,
    /// The type whose functions the companions are, where that has the name of the function.
    pub owner: Option<TokenStream>,
    /// The function itself over another scalar, with the generics that the user wrote.
    pub over: Option<syn::Path>,
}

impl Callee {
    /// Another companion of a free function.
    pub fn item(&self, name: &str, span: Span) -> TokenStream {
        let (owner, name) = (&self.owner, Ident::new(name, span));
        let generics = self.generics.as_ref().map(|g| quote!(::<#g>));
        quote_spanned!(span=> #owner::#name #generics)
    }
}

/// Finds the companions of what a function calls, and notes that they are.
pub trait Resolve {
    /// The companion of a path that is called with so many arguments.
    fn callee(&self, path: &syn::Path, args: usize) -> Callee;
    /// Notes a called method, so that its fallback is in scope.
    fn method(&self, name: &Ident, args: usize);
}
