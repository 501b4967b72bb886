//! The companions of a function of `f64`, over any scalar.
//!
//! What is emitted for `f64` is taken as it is, with the type exchanged:
//!
//! | emitted | over the scalar `AnyScalar` |
//! |---|---|
//! | `f64`, `ad::F64` | `AnyScalar`, `ad::witness_of::<AnyScalar>()` |
//! | `2.5` | `<AnyScalar as ad::Scalar>::lit(2.5)` |
//! | `n as f64`, `x as usize` | `ad::float::<AnyScalar, _>(n)`, `ad::Plain(x).plain() as usize` |
//! | `PI`, `f64::EPSILON` | `ad::Constant(PI).over::<AnyScalar>()` |
//! | `TABLE[i]`, `LIMITS.low` | `(&&&ad::ConstantPart(&TABLE[i])).over::<AnyScalar>()` |
//! | `k * x`, `0.5 * x`, where there are tensors | `ad::Left(k).mul(x)` |
//! | `x.dropout(p, seed)`, likewise | `x.dropout(ad::Plain(p).plain(), seed)` |
//! | `f64::max` | `AnyScalar::max` |
//! | `stop_gradient(x)` | `ad::held(x)`: no derivative of any order |
//! | `no_grad!(x)` | the same, of what may be a constant |
//! | `__callee0::__vjp` | `__over0::<AnyScalar>::__vjp` |
//! | `f::__vjp`, `f(x)` | `__Over::<AnyScalar>::__vjp`, `__Over::<AnyScalar>::__over(x)` |
//! | `far(x)`, of which no derivative is asked | see [`native`](super::native) |
//! | `Spring`, a type without arguments | see [`named`](super::named) |
//!
//! So the generic code has every optimisation that the code for `f64` has.

use super::forms::{each_index, impl_items, is_upper};
use super::named::Named;
use super::native::Locals;
use super::open::{Names, Types};
use crate::input::ctxt::Ctxt;
use crate::syntax;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote_spanned, Expr, Lit, Token, Type};

/// Exchanges the float of emitted code.
pub struct Exchange<'a> {
    pub cx: &'a Ctxt,
    /// The function whose companions these are.
    pub function: &'a Ident,
    /// `f64` or `f32`.
    pub float: &'a str,
    /// Names in capitals that are no float constants, as variables are none: generics.
    pub constants: HashSet<String>,
    /// The types that the function names.
    pub named: &'a Named,
    /// Whether there are tensors.
    pub tensors: bool,
    /// What the names of variables tell.
    pub locals: Locals,
    /// The types of constants that are taken as they are.
    pub types: &'a Types,
    /// The names of these, and of their parts, in one companion.
    pub names: Names<'a>,
    /// Whether these are companions, which read constants.
    pub reads: bool,
}

/// Macros whose tokens are expressions.
const OF_EXPRESSIONS: &[&str] = &["vec", "format", "write", "writeln", "todo", "unimplemented"];

impl Exchange<'_> {
    /// The items of an `impl` block.
    pub fn members(&mut self, tokens: TokenStream) -> TokenStream {
        match impl_items(tokens) {
            Ok(items) => self.items(items),
            Err(e) => e.to_compile_error(),
        }
    }

    /// The same of parsed items.
    pub fn items(&mut self, mut items: Vec<syn::ImplItem>) -> TokenStream {
        for i in &items {
            self.locals.visit_impl_item(i);
        }
        items.iter_mut().for_each(|i| self.visit_impl_item_mut(i));
        quote!(#(#items)*)
    }

    /// The `impl` of a trait: for any scalar.
    pub fn item(&mut self, item: &mut syn::ItemImpl) {
        self.visit_generics_mut(&mut item.generics);
        if let Some((path, _)) = &mut item.trait_ {
            self.visit_path_mut(path);
        }
        self.visit_type_mut(&mut item.self_ty);
        item.items
            .iter_mut()
            .for_each(|i| self.visit_impl_item_mut(i));
        let (own, clause) = super::bounds(self.tensors);
        let (own, clause): (syn::Generics, syn::WhereClause) =
            (syn::parse_quote!(#own), syn::parse_quote!(#clause));
        item.generics.params.extend(own.params);
        item.generics
            .make_where_clause()
            .predicates
            .extend(clause.predicates);
    }

    fn path(&mut self, e: &syn::ExprPath) -> Option<TokenStream> {
        if e.qself.is_some() {
            return None;
        }
        let e = &mut e.clone();
        self.visit_path_mut(&mut e.path);
        if let Some(member) = self.member(&e.path) {
            return Some(member);
        }
        let names = syntax::segments(&e.path);
        let segments = &e.path.segments;
        let span = e.path.span();
        let rest = || {
            let rest = segments.iter().skip(1);
            quote!(#(#rest)::*)
        };
        match names.as_slice() {
            [callee, item] if callee.starts_with("__callee") => {
                let finds_its_scalar = ["__hessian", "__jacobian"].iter();
                if item == "__WEIGHT" || finds_its_scalar.into_iter().any(|n| item.starts_with(n)) {
                    return None;
                }
                let (over, rest) = (over_alias(&segments[0].ident), rest());
                Some(quote_spanned!(span=> #over::<AnyScalar>::#rest))
            }
            [name, item] if *self.function == *name && item.starts_with("__") => {
                let rest = rest();
                Some(quote!(__Over::<AnyScalar>::#rest))
            }
            [.., ad, wit] if ad == "ad" && wit.to_lowercase() == self.float => {
                Some(quote_spanned!(span=> ad::witness_of::<AnyScalar>()))
            }
            [ad, cast, rule] if ad == "ad" && cast == "cast" => {
                let rule = Ident::new(rule, span);
                Some(quote_spanned!(span=> ad::float_rule::#rule))
            }
            [float, item] if *float == self.float && !is_upper(item) => {
                let rest = rest();
                Some(quote_spanned!(span=> <AnyScalar>::#rest))
            }
            [.., last] if is_upper(last) && !self.is_ours(&names) => Some(
                quote_spanned!(span=> ::differentiable::__rt::Constant(#e).over::<AnyScalar>()),
            ),
            _ => None,
        }
    }

    /// Whether a path in capitals is none of a float constant.
    fn is_ours(&self, names: &[String]) -> bool {
        match names {
            [one] => self.constants.contains(one) || self.locals.is_variable(one),
            [first, ..] => first == "ad" || first == "Self" || names.iter().any(|n| n == "__rt"),
            [] => true,
        }
    }

    /// A part of a constant: `TABLE[i]`, `LIMITS.low`.
    fn constant_part(&self, e: &Expr) -> bool {
        let inner = match e {
            Expr::Index(i) => &*i.expr,
            Expr::Field(f) => &*f.base,
            Expr::Paren(p) => return self.constant_part(&p.expr),
            _ => return false,
        };
        match inner {
            Expr::Path(p) if p.qself.is_none() => {
                let names = syntax::segments(&p.path);
                names.last().is_some_and(|n| is_upper(n)) && !self.is_ours(&names)
            }
            inner => self.constant_part(inner),
        }
    }

    pub(super) fn literal(&self, l: &Lit) -> Option<TokenStream> {
        let suffix = match l {
            Lit::Float(f) => f.suffix(),
            Lit::Int(i) if i.suffix().starts_with('f') => i.suffix(),
            _ => return None,
        };
        if !suffix.is_empty() && suffix != self.float {
            return None;
        }
        let widened = (self.float == "f32").then(|| {
            let f32 = quote!(f32);
            quote!(as #f32 as f64)
        });
        Some(
            quote_spanned!(l.span()=> <AnyScalar as ::differentiable::__rt::Scalar>::lit(#l #widened)),
        )
    }

    fn cast(&mut self, c: &mut syn::ExprCast) -> Option<TokenStream> {
        let to = syntax::ty_of(&c.ty);
        let literal = matches!(&*c.expr, Expr::Lit(_));
        self.visit_expr_mut(&mut c.expr);
        let (e, span) = (&c.expr, c.as_token.span);
        if matches!(&to, crate::ir::Ty::Float(f) if *f == self.float) {
            return Some(quote_spanned!(span=> ::differentiable::__rt::float::<AnyScalar, _>(#e)));
        }
        let ty = &c.ty;
        if to == crate::ir::Ty::Unknown && matches!(&**ty, Type::Path(_)) {
            // By its name the type may be a float or an integer.
            return Some(
                quote_spanned!(span=> ::differentiable::__rt::CastTo::<#ty>::new()
                .cast::<AnyScalar, _>(#e, |__x| ::differentiable::__rt::Plain(__x).plain() as #ty)),
            );
        }
        if literal || !to.is_discrete() {
            return None;
        }
        Some(quote_spanned!(span=> (::differentiable::__rt::Plain(#e).plain() as #ty)))
    }

    /// Calls whose function has another name over the scalar.
    fn call(&mut self, c: &mut syn::ExprCall) -> Option<TokenStream> {
        let Expr::Path(p) = &*c.func else { return None };
        if p.qself.is_some() {
            return None;
        }
        let names = syntax::segments(&p.path);
        if syntax::is_stop_gradient(&c.func) && !syntax::is_plain(&p.path) {
            c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
            let args = &c.args;
            return Some(quote_spanned!(p.path.span()=> ::differentiable::__rt::held(#args)));
        }
        match names.as_slice() {
            [float, from] if *float == self.float && from == "from" => {
                c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                let args = &c.args;
                Some(quote!(::differentiable::__rt::float::<AnyScalar, _>(#args)))
            }
            [name] if *self.function == *name => {
                c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                let (generics, args) = (&p.path.segments[0].arguments, &c.args);
                Some(match generics.is_none() {
                    true => quote!(__Over::<AnyScalar>::__over(#args)),
                    false => {
                        let mut generics = generics.clone();
                        self.visit_path_arguments_mut(&mut generics);
                        quote!(__Over::<AnyScalar>::__over #generics(#args))
                    }
                })
            }
            // The name of a tuple struct is no constant.
            [.., last] if is_upper(last) => {
                c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                let (func, args) = (&c.func, &c.args);
                Some(quote!(#func(#args)))
            }
            _ => self.native_call(c),
        }
    }

    /// `k * x`, where `x` may be a tensor: no operator has a generic left operand.
    fn left(&mut self, b: &mut syn::ExprBinary) -> Option<TokenStream> {
        let name = match b.op {
            syn::BinOp::Add(_) => "add",
            syn::BinOp::Sub(_) => "sub",
            syn::BinOp::Mul(_) => "mul",
            syn::BinOp::Div(_) => "div",
            _ => return None,
        };
        if !self.tensors || !self.may_be_scalar(&b.left) || is_integer(&b.right) {
            return None;
        }
        self.visit_expr_mut(&mut b.left);
        self.visit_expr_mut(&mut b.right);
        let span = b.op.span();
        let (left, name, right) = (&b.left, Ident::new(name, span), &b.right);
        Some(quote_spanned!(span=> ::differentiable::__rt::Left(#left).#name(#right)))
    }

    /// Whether the left of an operator may be a scalar before a tensor: what the user wrote, or a float.
    fn may_be_scalar(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(l) => self.literal(&l.lit).is_some(),
            Expr::Path(p) => !syntax::segments(&p.path)
                .iter()
                .any(|s| s.starts_with("__")),
            Expr::Field(f) => self.may_be_scalar(&f.base),
            Expr::Index(i) => self.may_be_scalar(&i.expr),
            Expr::Paren(p) => self.may_be_scalar(&p.expr),
            Expr::Group(g) => self.may_be_scalar(&g.expr),
            Expr::Unary(u) => !matches!(u.op, syn::UnOp::Not(_)) && self.may_be_scalar(&u.expr),
            Expr::Binary(b) => self.may_be_scalar(&b.left) && !is_integer(&b.right),
            Expr::MethodCall(m) => self.may_be_scalar(&m.receiver),
            Expr::Cast(c) => matches!(syntax::ty_of(&c.ty), crate::ir::Ty::Float(_)),
            Expr::Call(_) => true,
            _ => false,
        }
    }

    /// `v[i] += v[j]`: of floats the right side is read first, of other types the left side is borrowed.
    fn assignment(&mut self, b: &mut syn::ExprBinary) -> Option<TokenStream> {
        let root = syntax::root_name(&b.left).filter(|_| syntax::is_assign_op(&b.op))?;
        if !syntax::mentions(&b.right, &HashSet::from([root])) {
            return None;
        }
        self.visit_expr_mut(&mut b.left);
        self.visit_expr_mut(&mut b.right);
        let (left, op, right) = (&b.left, &b.op, &b.right);
        Some(quote!({ let __right = #right; #left #op __right; }))
    }

    /// `Tensor![Batch, 3]` and `Tensor![f64; Batch, 3]`.
    fn tensor(&mut self, m: &mut syn::Macro) {
        if !syntax::is_macro(m, &["Tensor"]) {
            return;
        }
        let tokens = &m.tokens;
        if !syntax::has_element(tokens) {
            m.tokens = quote!(AnyScalar; #tokens);
            return;
        }
        let parser = |input: syn::parse::ParseStream<'_>| {
            Ok((input.parse::<Type>()?, input.parse::<TokenStream>()?))
        };
        // What does not parse is an error of `Tensor!` itself.
        if let Ok((mut element, shape)) = parser.parse2(m.tokens.clone()) {
            self.visit_type_mut(&mut element);
            m.tokens = quote!(#element #shape);
        }
    }

    /// A macro as an expression of its own: `no_grad!`.
    fn held_macro(&mut self, m: &mut syn::ExprMacro) -> Option<TokenStream> {
        if !syntax::is_macro(&m.mac, &["no_grad"]) {
            return None;
        }
        let tokens = &m.mac.tokens;
        let block = syn::parse2::<syn::Block>(quote!({ #tokens }));
        let mut block = match block {
            Ok(block) => block,
            Err(e) => {
                self.cx.push(e);
                return None;
            }
        };
        self.visit_block_mut(&mut block);
        let held = quote_spanned!(m.mac.path.span()=> ::differentiable::__rt::held(#block));
        Some(quote!(::differentiable::__rt::Constant(#held).over::<AnyScalar>()))
    }
}

/// The weight of the function, `Self::__CALLS`, is a constant of its own companion: in constants no type may
/// have parameters.
struct Calls<'a>(&'a Ident);

impl VisitMut for Calls<'_> {
    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        if syntax::segments(&p.path) == ["Self", "__CALLS"] {
            p.path.segments[0].ident = self.0.clone();
        }
    }
}

/// What a callee is called over another scalar: `__over0` for `__callee0` and `__callee_own0`.
fn over_alias(callee: &Ident) -> Ident {
    let number = callee
        .to_string()
        .replace("_own", "")
        .replace("__callee", "");
    Ident::new(&format!("__over{number}"), callee.span())
}

/// Whether an operand is written as an integer, whose type an operator alone tells.
fn is_integer(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => matches!(&l.lit, Lit::Int(_)),
        Expr::Paren(p) => is_integer(&p.expr),
        _ => false,
    }
}

/// Whether a pattern takes a value apart.
fn is_compound(p: &syn::Pat) -> bool {
    use syn::Pat;
    match p {
        Pat::Guard(g) => is_compound(&g.pat),
        Pat::Or(o) => o.cases.iter().any(is_compound),
        other => matches!(
            other,
            Pat::Tuple(_)
                | Pat::TupleStruct(_)
                | Pat::Struct(_)
                | Pat::Slice(_)
                | Pat::Reference(_)
        ),
    }
}

/// Looks for a float in a pattern.
struct Floats<'a, 'e>(&'a Exchange<'e>, Option<proc_macro2::Span>);

impl<'a> Visit<'a> for Floats<'_, '_> {
    fn visit_lit(&mut self, l: &'a Lit) {
        if self.0.literal(l).is_some() {
            self.1.get_or_insert(l.span());
        }
    }
    fn visit_pat_guard(&mut self, g: &'a syn::PatGuard) {
        self.visit_pat(&g.pat);
    }
}

impl VisitMut for Exchange<'_> {
    fn visit_impl_item_fn_mut(&mut self, f: &mut syn::ImplItemFn) {
        if self.reads && self.types.any() {
            self.names = Names::of(f, self.types, self.named);
        }
        visit_mut::visit_impl_item_fn_mut(self, f);
        self.names = Names::default();
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        match &l.init {
            // Another name of the same.
            Some(init)
                if super::forms::path_name(&init.expr).is_some_and(|n| self.names.contains(&n)) =>
            {
                self.visit_pat_mut(&mut l.pat);
            }
            _ => visit_mut::visit_local_mut(self, l),
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Call(c) = e {
            self.given_variants(c);
        }
        if self.open(e) {
            return;
        }
        if self.constant_part(e) {
            each_index(e, &mut |i| self.visit_expr_mut(i));
            let part = quote_spanned!(e.span()=> (&&&::differentiable::__rt::ConstantPart(&#e)).over::<AnyScalar>());
            *e = Expr::Verbatim(part);
            return;
        }
        let new = match e {
            Expr::Lit(l) => self.literal(&l.lit),
            Expr::Cast(c) => self.cast(c),
            Expr::Call(c) => match self.tuple_literal(c) {
                None => self.call(c),
                literal => literal,
            },
            Expr::Struct(s) => self.struct_literal(s),
            Expr::Path(p) => self.path(p),
            Expr::Macro(m) => self.held_macro(m),
            Expr::MethodCall(m) => self.settings(m),
            Expr::Binary(b) => self.assignment(b).or_else(|| self.left(b)),
            _ => None,
        };
        match new {
            Some(tokens) => *e = Expr::Verbatim(tokens),
            // `cast` has been through its operand.
            None if matches!(e, Expr::Cast(_)) => {}
            None => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Some(new) = self.types.exchanged(ty) {
            *ty = new;
            return;
        }
        if let Type::Macro(m) = ty {
            self.tensor(&mut m.mac);
            return;
        }
        if let Type::Path(p) = ty {
            let names = syntax::segments(&p.path);
            if p.qself.is_none() {
                match names.as_slice() {
                    [float] if *float == self.float => {
                        *ty = parse_quote_spanned!(p.span()=> AnyScalar);
                        return;
                    }
                    _ => {}
                }
            }
            if let Some(new) = self.named.exchanged(p) {
                *ty = new;
                return;
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    // A length, as an argument of a type, is a constant and no number.
    fn visit_type_array_mut(&mut self, a: &mut syn::TypeArray) {
        self.visit_type_mut(&mut a.elem);
    }
    fn visit_expr_repeat_mut(&mut self, r: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut r.expr);
    }
    fn visit_generic_argument_mut(&mut self, a: &mut syn::GenericArgument) {
        match a {
            syn::GenericArgument::Const(e) => Calls(self.function).visit_expr_mut(e),
            _ => visit_mut::visit_generic_argument_mut(self, a),
        }
    }

    // The ends of a range stay floats, as literals do.
    fn visit_pat_mut(&mut self, p: &mut syn::Pat) {
        if !matches!(p, syn::Pat::Range(_)) {
            self.pattern(p);
            visit_mut::visit_pat_mut(self, p);
        }
    }

    // What is matched against floats is their number: the patterns compare.
    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        let mut floats = Floats(self, None);
        m.arms.iter().for_each(|a| floats.visit_pat(&a.pat));
        let found = floats.1;
        self.visit_expr_mut(&mut m.expr);
        if let Some(span) = found {
            if m.arms.iter().any(|a| is_compound(&a.pat)) {
                self.cx.error_at(span, "a float inside a pattern is not supported in a function with `higher_order`: match the number alone, or compare in a guard");
            }
            let e = &m.expr;
            *m.expr = Expr::Verbatim(quote!(::differentiable::__rt::Plain(#e).plain()));
        }
        for arm in &mut m.arms {
            self.visit_pat_mut(&mut arm.pat);
            self.visit_expr_mut(&mut arm.body);
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        let known = syntax::is_statement_macro(m) || syntax::is_macro(m, OF_EXPRESSIONS);
        let separated = Punctuated::<Expr, Token![,]>::parse_terminated;
        if syntax::is_macro(m, &["vec"]) {
            let tokens = &m.tokens;
            if let Ok(mut r) = syn::parse2::<syn::ExprRepeat>(quote!([#tokens])) {
                self.visit_expr_mut(&mut r.expr);
                self.visit_expr_mut(&mut r.len);
                let (value, len) = (&r.expr, &r.len);
                m.tokens = quote!(#value; #len);
                return;
            }
        }
        if syntax::is_macro(m, &["matches"]) {
            let parser = |input: syn::parse::ParseStream<'_>| {
                let value = input.parse::<Expr>()?;
                input.parse::<Token![,]>()?;
                let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
                Ok((value, pat, input.parse::<TokenStream>()?))
            };
            if let Ok((mut value, mut pat, rest)) = parser.parse2(m.tokens.clone()) {
                self.visit_expr_mut(&mut value);
                self.visit_pat_mut(&mut pat);
                m.tokens = quote!(#value, #pat #rest);
            }
            return;
        }
        if known {
            if let Ok(mut args) = separated.parse2(m.tokens.clone()) {
                args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                m.tokens = quote!(#args);
            }
        }
    }

    // An item in the body is not part of it: a constant there is as one outside.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
