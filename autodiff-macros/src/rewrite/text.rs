//! Numbers that are written into text and read again.

use crate::input::ctxt::Ctxt;
use crate::syntax;
use crate::syntax::active::active_names;
use crate::syntax::arguments;
use std::collections::HashSet;

/// A number that is written into text and read again would lose its derivative.
pub fn check(body: &syn::Block, active: &HashSet<String>, cx: &Ctxt) {
    use syn::visit::{self, Visit};
    struct V<'a> {
        active: &'a HashSet<String>,
        written: bool,
        parsed: Vec<syn::ExprMethodCall>,
    }
    impl<'a> Visit<'a> for V<'_> {
        fn visit_macro(&mut self, m: &'a syn::Macro) {
            if syntax::is_macro(m, &["format", "write", "writeln", "format_args"]) {
                let text = m.tokens.to_string();
                let inline = |n: &String| text.contains(&format!("{{{n}"));
                // What cannot be read is an error of the compiler's.
                let arguments = arguments::of(m);
                let named = arguments.exprs().any(|e| syntax::mentions(e, self.active));
                self.written |= named || self.active.iter().any(inline);
            }
        }
        fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
            if m.method == "parse" && m.args.is_empty() {
                self.parsed.push(m.clone());
            }
            visit::visit_expr_method_call(self, m);
        }
    }
    let active = &active_names(active.clone(), body);
    let mut v = V {
        active,
        written: false,
        parsed: Vec::new(),
    };
    v.visit_block(body);
    for m in v.parsed.iter().filter(|_| v.written) {
        cx.error(&m.method, "`parse` may read a number that this function wrote into text, which drops its derivative: pass the number on, or wrap the value in `stop_gradient` or `no_grad!`");
    }
}
