//! How the report reaches the user.

use super::source;
use crate::input::ctxt::Ctxt;
use crate::items::{FunctionKind, Surface, Within};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, ToTokens};
use std::fmt::Write;

/// The function that hands out the report, and the file with it.
pub fn deliver(
    report: Option<String>,
    owner: Option<&Ident>,
    surface: &Surface<'_>,
    emitted: &TokenStream,
    cx: &Ctxt,
) -> TokenStream {
    let ident = &surface.sig.ident;
    let bare = ident.to_string().trim_start_matches("r#").to_string();
    // A function with errors has no report, but it keeps its name, so that no error follows.
    let mut written = false;
    let text = report.map_or_else(String::new, |mut text| {
        let code = source::file(emitted);
        let _ = write!(text, "\n## Emitted code\n\n```rust\n{code}```\n");
        match write_file(owner, &bare, &text) {
            Ok(file) => written = file,
            Err(e) => cx.error(ident, e),
        }
        text
    });
    if surface.within == Within::TraitImpl {
        if !written {
            cx.error(ident, format!("an `impl` of a trait has no room for `{bare}_explain`: the report is written to a file only, set the environment variable `DIFFERENTIABLE_EXPLAIN_DIR`"));
        }
        return TokenStream::new();
    }
    let name = match surface.kind {
        FunctionKind::Free => format_ident!("explain"),
        FunctionKind::Associated => format_ident!("{bare}_explain"),
    };
    let vis = match surface.kind {
        FunctionKind::Free => quote!(pub),
        FunctionKind::Associated => surface.vis.to_token_stream(),
    };
    // So that a trait can still be made into an object.
    let sized = (surface.within == Within::Trait).then(|| quote!(where Self: Sized));
    let doc = format!("What `#[differentiable]` made of `{bare}`, as Markdown: what is active, what is kept for the reverse pass, and the emitted code.");
    quote! {
        #[doc = #doc]
        #[allow(dead_code)]
        #vis fn #name() -> &'static str #sized { #text }
    }
}

/// Whether a file was asked for, and written.
fn write_file(owner: Option<&Ident>, name: &str, text: &str) -> Result<bool, String> {
    let Some(dir) = std::env::var_os("DIFFERENTIABLE_EXPLAIN_DIR").filter(|d| !d.is_empty()) else {
        return Ok(false);
    };
    let owner = owner.map_or(String::new(), |o| format!("{o}."));
    let path = std::path::Path::new(&dir).join(format!("{owner}{name}.md"));
    std::fs::create_dir_all(&dir)
        .and_then(|()| std::fs::write(&path, text))
        .map(|()| true)
        .map_err(|e| {
            format!(
                "cannot write `{}` (DIFFERENTIABLE_EXPLAIN_DIR): {e}",
                path.display()
            )
        })
}
