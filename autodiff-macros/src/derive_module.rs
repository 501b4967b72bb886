//! To be written.
use proc_macro2::TokenStream;

pub fn expand(input: TokenStream) -> TokenStream {
    let _ = input;
    TokenStream::new()
}
