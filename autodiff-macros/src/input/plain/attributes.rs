//! Attributes of statements, expressions, arms and parameters. Conditions are decided before (`cfg`). What is left
//! speaks to the compiler about the function itself, as lints and `#[rustfmt::skip]` do: the derivative goes without.

use super::cfg::mentions_conditions;
use crate::input::ctxt::Ctxt;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, Pat, Stmt};

/// Takes the attributes from a body, but `#[checkpoint]`, and reports those of ours that say nothing there.
pub fn strip(body: &mut Block, cx: &Ctxt) {
    Strip(cx).visit_block_mut(body);
}

struct Strip<'a>(&'a Ctxt);

impl VisitMut for Strip<'_> {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        for a in attrs.iter().filter(|a| is_constant(a)) {
            self.0.error(a, "`#[constant]` and `#[no_grad]` are for parameters and methods, and for fields below a derive: for a value without a derivative write `let y = no_grad!(…);`");
        }
        attrs.retain(|a| a.path().is_ident("checkpoint"));
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        if mentions_conditions(m.tokens.clone()) {
            self.0.error(&m.path, "a `#[cfg(..)]` inside of this macro is not supported in a `#[differentiable]` function: write it on a `let` before the macro");
        }
    }
    // Items inside are compiled as they are.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Takes ours from what the compiler gets, which knows none of them.
pub fn strip_ours(body: &mut Block) {
    struct Ours;
    impl VisitMut for Ours {
        fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
            attrs.retain(|a| !is_constant(a));
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Ours.visit_block_mut(body);
}

fn is_constant(a: &Attribute) -> bool {
    a.path().is_ident("constant") || a.path().is_ident("no_grad")
}

/// The attributes of a statement that conditions may leave out. An item inside is compiled as it is.
pub fn of_statement(s: &mut Stmt) -> Option<&mut Vec<Attribute>> {
    match s {
        Stmt::Local(l) => Some(&mut l.attrs),
        Stmt::Macro(m) => Some(&mut m.attrs),
        Stmt::Expr(e, _) => of_expression(e),
        Stmt::Item(_) => None,
    }
}

macro_rules! of_variants {
    ($value:ident, $kind:ident: $($variant:ident)*) => {
        match $value {
            $($kind::$variant(v) => Some(&mut v.attrs),)*
            _ => None,
        }
    };
}

pub fn of_expression(e: &mut Expr) -> Option<&mut Vec<Attribute>> {
    of_variants!(e, Expr: Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct Try TryBlock Tuple Unary Unsafe While Yield)
}

pub fn of_pattern(p: &mut Pat) -> Option<&mut Vec<Attribute>> {
    of_variants!(p, Pat: Const Guard Ident Lit Macro Or Paren Path Range Reference Rest Slice Struct Tuple TupleStruct Type Wild)
}
