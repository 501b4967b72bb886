//! Arrays made by functions of the standard library: `std::array::from_fn`, `slice.try_into()`.
//!
//! | written | becomes |
//! |---|---|
//! | `let a: [f64; 3] = array::from_fn(\|i\| e);` | `let mut a: [f64; 3] = [0.0; 3]; for i in 0..3 { a[i] = e; }` |
//! | `let a: [f64; 3] = x[..3].try_into().unwrap();` | the same with `s[i]` for `e`, after `let s = &x[..3];` |
//! | of other entries, `let a: [Point; 3] = …;` | `for i in 0..3 { list.push(e); } let a = filled(list);` |
//!
//! Rust infers the length; here it is that of the type of the `let`, of the function's value, of the call, or of a pattern.
//! Of a `from_fn` without any of these the compiler finds it, for a list too (`autodiff-core/src/ad/fill.rs`). Only where a
//! closure ends early, with `return` or `?`, is it passed on: `positions.map(f)`.

use super::optional::leaves;
use super::Desugar;
use crate::syntax;
use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, ExprClosure, Local, Pat, Stmt, Type, TypeArray};

/// Rewrites them in a body whose value has the type `output`.
pub(super) fn rewrite(d: &mut Desugar<'_>, body: &mut Block, output: Option<&Type>) {
    let mut arrays = Arrays(d);
    if let Some(ty) = output {
        arrays.at_the_end(body, ty);
    }
    arrays.visit_block_mut(body);
}

struct Arrays<'d, 'a>(&'d mut Desugar<'a>);

/// `[T; N]`, or `&[T; N]`.
fn array(ty: &Type) -> Option<&TypeArray> {
    match ty {
        Type::Array(a) => Some(a),
        Type::Reference(r) if r.mutability.is_none() => array(&r.elem),
        _ => None,
    }
}

/// The slice in `s.try_into()`, taken out at once.
fn converted(e: &Expr) -> Option<&Expr> {
    let Expr::MethodCall(taken) = e else {
        return None;
    };
    let takes = matches!(
        (taken.method.to_string().as_str(), taken.args.len()),
        ("unwrap", 0) | ("expect", 1)
    );
    match &*taken.receiver {
        Expr::MethodCall(m) if takes && m.method == "try_into" && m.args.is_empty() => {
            Some(&m.receiver)
        }
        Expr::Call(c) if takes && c.args.len() == 1 => match &*c.func {
            Expr::Path(p) if p.path.segments.last()?.ident == "try_from" => c.args.first(),
            _ => None,
        },
        _ => None,
    }
}

impl Arrays<'_, '_> {
    /// Gives an array that a function makes its length.
    fn array(&mut self, e: &mut Expr, ty: &Type) {
        let Some(ty) = array(ty) else {
            return self.of_alias(e, ty);
        };
        if !syntax::mentions(e, self.0.active) {
            return;
        }
        let len = &ty.len;
        if let Some(slice) = converted(e) {
            let (s, i) = (self.0.fresh("slice"), self.0.fresh("i"));
            let slice: Expr = match slice {
                Expr::Index(_) => parse_quote!(&#slice),
                slice => slice.clone(),
            };
            let filled = self.filled(parse_quote!(|#i| #s[#i].clone()), Some(ty), None);
            *e = parse_quote!({
                let #s = #slice;
                ::core::assert!(#s.len() == #len, "the slice has the length of the array");
                #filled
            });
            return;
        }
        let Expr::Call(c) = &*e else { return };
        if !is_from_fn(c) {
            return;
        }
        if let Some(Expr::Closure(f)) = c.args.first() {
            let mut f = f.clone();
            self.tail(&mut f.body, &ty.elem);
            *e = self.filled(f, Some(ty), None);
        }
    }

    /// The array of a function of the position, of a type that is known, that a name stands for or that Rust finds.
    fn filled(&mut self, f: ExprClosure, ty: Option<&TypeArray>, alias: Option<&Type>) -> Expr {
        if leaves(&f.body) {
            let (at, f) = (self.0.fresh("at"), of_position(f));
            let positions: Stmt = match ty.map(|t| &t.len) {
                Some(len) => {
                    parse_quote!(let #at: [usize; #len] = ::core::array::from_fn(|i| i);)
                }
                None => parse_quote!(let #at = ::core::array::from_fn(|i: usize| i);),
            };
            return self.named(parse_quote!(#at.map(#f)), alias, &[positions]);
        }
        let (k, array) = (self.0.fresh("k"), self.0.fresh("array"));
        let body = &f.body;
        let (at, bound): (Ident, Option<Stmt>) = match &f.inputs[0] {
            Pat::Ident(p) if p.mutability.is_none() && p.subpat.is_none() => {
                (p.ident.clone(), None)
            }
            Pat::Type(t) => {
                let (pat, ty) = (&t.pat, &t.ty);
                (k.clone(), Some(parse_quote!(let #pat: #ty = #k;)))
            }
            pat => (k.clone(), Some(parse_quote!(let #pat: usize = #k;))),
        };
        if let Some((ty, zero)) = ty.and_then(|t| Some((t, zeros(t)?))) {
            let len = &ty.len;
            return parse_quote!({
                let mut #array: #ty = #zero;
                for #at in 0..#len {
                    #bound
                    #array[#at] = #body;
                }
                #array
            });
        }
        let (room, entry) = (self.0.fresh("room"), self.0.fresh("entry"));
        let length: Expr = match ty.map(|t| &t.len) {
            Some(len) => parse_quote!(::differentiable::__rt::Room::<{ #len }>::new()),
            None => parse_quote!(::differentiable::__rt::Room::new()),
        };
        let filled = parse_quote!(::differentiable::__rt::filled(#array));
        let list: Block = parse_quote!({
            let #room = #length;
            let mut #array = #room.list();
            for #at in 0..#room.len() {
                #bound
                let #entry = #body;
                #array.push(#entry);
            }
        });
        self.named(filled, alias, &list.stmts)
    }

    /// The array after the statements that it needs, in a variable where a type tells what it is.
    fn named(&mut self, array: Expr, alias: Option<&Type>, before: &[Stmt]) -> Expr {
        match alias {
            None => parse_quote!({ #(#before)* #array }),
            Some(ty) => {
                let name = self.0.fresh("array");
                parse_quote!({ #(#before)* let #name: #ty = #array; #name })
            }
        }
    }

    /// An array that a function makes, whose type may be behind a name: Rust finds its length there.
    fn of_alias(&mut self, e: &mut Expr, ty: &Type) {
        if matches!(ty, Type::Path(_)) {
            self.made(e, Some(ty));
        }
    }

    /// An array of whose length no type near it says anything: Rust finds it.
    fn inferred(&mut self, e: &mut Expr) {
        if converted(e).is_some_and(|slice| syntax::maybe_active(slice, self.0.active)) {
            return self.0.cx.error(e, "the length of the array that `try_into` makes is not known in a `#[differentiable]` function: bind it first, with its type: `let a: [f64; 3] = …;`");
        }
        self.made(e, None);
    }

    fn made(&mut self, e: &mut Expr, alias: Option<&Type>) {
        let Expr::Call(c) = &*e else { return };
        if !is_from_fn(c) || !syntax::mentions(e, self.0.active) {
            return;
        }
        if let Some(Expr::Closure(f)) = c.args.first() {
            let f = f.clone();
            *e = self.filled(f, None, alias);
        }
    }

    fn tail(&mut self, e: &mut Expr, ty: &Type) {
        match e {
            Expr::Paren(p) => self.tail(&mut p.expr, ty),
            Expr::Block(b) => self.at_the_end(&mut b.block, ty),
            Expr::If(i) => {
                self.at_the_end(&mut i.then_branch, ty);
                if let Some((_, other)) = &mut i.else_branch {
                    self.tail(other, ty);
                }
            }
            e => self.array(e, ty),
        }
    }

    fn at_the_end(&mut self, b: &mut Block, ty: &Type) {
        if let Some(Stmt::Expr(e, None)) = b.stmts.last_mut() {
            self.tail(e, ty);
        }
    }
}

/// An array of zeros of its type, if that is one of floats.
fn zeros(ty: &TypeArray) -> Option<Expr> {
    fn zero(ty: &Type) -> Option<Expr> {
        match ty {
            Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32") => {
                Some(parse_quote!(0.0))
            }
            Type::Array(a) => zeros(a),
            Type::Paren(p) => zero(&p.elem),
            Type::Group(g) => zero(&g.elem),
            _ => None,
        }
    }
    let (zero, len) = (zero(&ty.elem)?, &ty.len);
    Some(parse_quote!([#zero; #len]))
}

/// The function of a position, with its type.
fn of_position(f: ExprClosure) -> ExprClosure {
    match (&f.inputs[0], &f.body) {
        (pat @ Pat::Ident(_), body) => parse_quote!(|#pat: usize| #body),
        _ => f,
    }
}

/// `array::from_fn(|i| ..)`: a function of one argument, unlike that of iterators.
fn is_from_fn(c: &syn::ExprCall) -> bool {
    let Expr::Path(p) = &*c.func else {
        return false;
    };
    let names = syntax::segments(&p.path);
    let named = match names.as_slice() {
        [.., module, last] => module == "array" && last == "from_fn",
        [last] => last == "from_fn",
        [] => false,
    };
    named && matches!(c.args.first(), Some(Expr::Closure(f)) if f.inputs.len() == 1)
}

/// `from_fn::<f64, 3, _>`
fn with_length(c: &syn::ExprCall) -> Option<Type> {
    let Expr::Path(p) = &*c.func else { return None };
    let syn::PathArguments::AngleBracketed(a) = &p.path.segments.last()?.arguments else {
        return None;
    };
    let mut given = a.args.iter();
    let elem = match given.next()? {
        syn::GenericArgument::Type(ty) => ty,
        _ => return None,
    };
    match given.next()? {
        syn::GenericArgument::Const(len) => Some(parse_quote!([#elem; #len])),
        // `N`
        syn::GenericArgument::Type(len) => Some(parse_quote!([#elem; #len])),
        _ => None,
    }
}

/// The type in `<[f64; 3]>::try_from(s).unwrap()`.
fn owner(e: &Expr) -> Option<Type> {
    let Expr::MethodCall(taken) = e else {
        return None;
    };
    let Expr::Call(c) = &*taken.receiver else {
        return None;
    };
    match &*c.func {
        Expr::Path(p) => p.qself.as_ref().map(|q| (*q.ty).clone()),
        _ => None,
    }
}

/// The type of what a slice pattern without `..` takes apart.
fn taken_apart(p: &Pat) -> Option<Type> {
    match p {
        Pat::Paren(p) => taken_apart(&p.pat),
        Pat::Slice(s) => {
            let rest = |p: &Pat| match p {
                Pat::Rest(_) => true,
                Pat::Ident(i) => i.subpat.is_some(),
                _ => false,
            };
            let len = s.elems.len();
            (!s.elems.iter().any(rest)).then(|| parse_quote!([_; #len]))
        }
        _ => None,
    }
}

/// The type of a name, if one of the statements takes it apart: `let [a, b] = name;`
fn taken_apart_later(name: &Ident, stmts: &[Stmt]) -> Option<Type> {
    stmts.iter().find_map(|s| match s {
        Stmt::Local(Local {
            pat,
            init: Some(init),
            ..
        }) if matches!(&*init.expr, Expr::Path(p) if p.path.is_ident(name)) => taken_apart(pat),
        _ => None,
    })
}

impl VisitMut for Arrays<'_, '_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        for k in 0..b.stmts.len() {
            let (s, later) = b.stmts[k..].split_first_mut().expect("a statement");
            let Stmt::Local(Local {
                pat,
                init: Some(init),
                ..
            }) = s
            else {
                continue;
            };
            let ty = match pat {
                Pat::Ident(p) => taken_apart_later(&p.ident, later),
                pat => taken_apart(pat),
            };
            if let Some(ty) = ty {
                self.tail(&mut init.expr, &ty);
            }
        }
        visit_mut::visit_block_mut(self, b);
    }
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        if let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init) {
            self.tail(&mut init.expr, &t.ty);
            // The value is an array, as a reference to it was asked for.
            let name: Option<&Ident> = match &*t.pat {
                Pat::Ident(p) => Some(&p.ident),
                _ => None,
            };
            if let (Type::Reference(r), Some(_), Expr::Block(_)) = (&*t.ty, name, &*init.expr) {
                if matches!(&*r.elem, Type::Array(_)) {
                    let value = &init.expr;
                    init.expr = parse_quote!(&#value);
                }
            }
        }
        visit_mut::visit_local_mut(self, l);
    }
    fn visit_expr_closure_mut(&mut self, c: &mut ExprClosure) {
        if let syn::ReturnType::Type(_, ty) = &c.output {
            self.tail(&mut c.body, ty);
        }
        visit_mut::visit_expr_closure_mut(self, c);
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let ty = match &*e {
            Expr::Call(c) if is_from_fn(c) => with_length(c),
            e if converted(e).is_some() => owner(e),
            _ => None,
        };
        match ty {
            Some(ty) => self.array(e, &ty),
            None => self.inferred(e),
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
