//! What uses a chain up: `sum`, `fold`, `collect`, `unzip`, `try_fold` and the like.

use super::choice::Otherwise;
use super::stages::Stage;
use super::{bind, holds, is_function, is_zero, one, value, whole, Chain, Chains, Item};
use crate::syntax;
use crate::syntax::ends::Ends;
use crate::syntax::ends::Wrapper;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{parse_quote, Expr, ExprMethodCall, Pat, Stmt, Type};

/// The type arguments of a type's last segment.
fn arguments(ty: &Type) -> Vec<&Type> {
    let Type::Path(p) = ty else {
        return Vec::new();
    };
    match p.path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(a)) => a
            .args
            .iter()
            .filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether `collect` into the type makes a `Vec`. What a name that is not known here stands for, the compiler checks.
fn is_vec(ty: &Type) -> bool {
    const OTHERS: &[&str] = &[
        "Option",
        "Result",
        "Box",
        "Rc",
        "Arc",
        "String",
        "Cow",
        "VecDeque",
        "LinkedList",
        "BinaryHeap",
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "Array1",
        "DVector",
        "Tensor",
    ];
    match ty {
        Type::Path(p) => p
            .path
            .segments
            .last()
            .is_some_and(|s| OTHERS.iter().all(|other| s.ident != other)),
        Type::Infer(_) => true,
        _ => false,
    }
}

/// A type that says something: neither `_` nor left out.
fn said(ty: Option<&Type>) -> Option<TokenStream> {
    ty.filter(|t| !matches!(t, Type::Infer(_)))
        .map(|t| quote!(: #t))
}

/// The loops, which push to a vector, and the vector.
fn vec_of(out: &Ident, loops: &[Stmt]) -> Expr {
    let Some((last, before)) = loops.split_last() else {
        return parse_quote!(::std::vec::Vec::new());
    };
    match counted(last, &parse_quote!(#out)) {
        Some(range) => parse_quote!({
            #(#before)*
            let mut #out = ::std::vec::Vec::with_capacity(::differentiable::__rt::trips(&(#range)));
            #last
            #out
        }),
        None => parse_quote!({ let mut #out = ::std::vec::Vec::new(); #(#loops)* #out }),
    }
}

/// The range of a loop that pushes one entry to a vector in each trip.
pub(super) fn counted<'l>(last: &'l Stmt, to: &Expr) -> Option<&'l Expr> {
    let Stmt::Expr(Expr::ForLoop(l), _) = last else {
        return None;
    };
    let Stmt::Expr(Expr::MethodCall(push), _) = l.body.stmts.last()? else {
        return None;
    };
    let pushes = push.method == "push" && *push.receiver == *to;
    let Expr::Range(syn::ExprRange {
        start: Some(start),
        end: Some(_),
        ..
    }) = &*l.expr
    else {
        return None;
    };
    // A chain without an end of its own is left early.
    let most: Expr = parse_quote!(usize::MAX);
    let endless = holds(&l.expr, &|e| *e == most);
    // An index may be an operator of the user's, which is asked once.
    let asked_once = is_zero(start) || !holds(&l.expr, &|e| matches!(e, Expr::Index(_)));
    (pushes && asked_once && !endless).then_some(&*l.expr)
}

/// The loops, which push to two vectors, and both.
fn two_vecs(a: &Ident, b: &Ident, loops: &[Stmt]) -> Expr {
    parse_quote!({
        let mut #a = ::std::vec::Vec::new();
        let mut #b = ::std::vec::Vec::new();
        #(#loops)*
        (#a, #b)
    })
}

/// Whether a type is none of numbers.
fn is_own(ty: Option<&Type>) -> bool {
    ty.is_some_and(|t| {
        matches!(t, Type::Path(_)) && syntax::ty_of(t) == crate::syntax::ty::Ty::Unknown
    })
}

/// What nothing amounts to, as the type has it: a vector has a zero of its own.
fn neutral(ty: Option<&Type>, add: bool) -> Expr {
    match (ty.filter(|t| is_own(Some(t))), add) {
        (Some(t), true) => {
            parse_quote!(<#t as ::core::iter::Sum>::sum(::core::iter::empty::<#t>()))
        }
        (Some(t), false) => {
            parse_quote!(<#t as ::core::iter::Product>::product(::core::iter::empty::<#t>()))
        }
        (None, true) => parse_quote!(-0.0),
        (None, false) => parse_quote!(1.0),
    }
}

/// Adds a value to a sum, or multiplies a product.
fn gather(acc: &Ident, value: &Expr, add: bool, own: bool) -> Stmt {
    match (add, own) {
        (true, false) => parse_quote!(#acc += #value;),
        (false, false) => parse_quote!(#acc *= #value;),
        // A type of the user's need not have `+=`.
        (true, true) => parse_quote!(#acc = #acc + #value;),
        (false, true) => parse_quote!(#acc = #acc * #value;),
    }
}

impl Chains<'_> {
    /// The value of a chain with its end.
    pub(super) fn consumer(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        // `t.sum()` of a tensor is no chain.
        let is_chain = match &*m.receiver {
            Expr::MethodCall(_) => true,
            Expr::Call(c) => super::maker(c).is_some(),
            Expr::Paren(p) => matches!(*p.expr, Expr::Range(_)),
            _ => false,
        };
        if !is_chain {
            return None;
        }
        let args: Vec<&Expr> = m.args.iter().collect();
        // `t.sin().sum()` neither.
        let of_value = matches!(&*m.receiver, Expr::MethodCall(r) if super::kept::is_value(r));
        if of_value && args.is_empty() {
            return None;
        }
        let name = m.method.to_string();
        let turbofish = m.turbofish.as_ref().and_then(|t| match t.args.first() {
            Some(syn::GenericArgument::Type(t)) => Some(t.clone()),
            _ => None,
        });
        let asked = turbofish.clone().filter(|t| !matches!(t, Type::Infer(_)));
        let expected = asked.or_else(|| self.expected.clone());
        match (name.as_str(), args.as_slice()) {
            ("sum" | "product", []) => {
                let add = name == "sum";
                if let Some((kind, ty)) = expected.as_ref().and_then(held) {
                    let tried = self.tried(&m.receiver, kind, expected.as_ref())?;
                    return self.tried_sum(tried, add, kind, ty);
                }
                let chain = self.chain(&m.receiver)?;
                let acc = self.fresh("acc");
                let (zero, own) = (neutral(turbofish.as_ref(), add), is_own(turbofish.as_ref()));
                let ty = turbofish.map(|t| quote!(: #t));
                let start: Stmt = parse_quote!(let mut #acc #ty = #zero;);
                let loops = self.run(chain, None, |_, item| {
                    vec![gather(&acc, &value(item), add, own)]
                })?;
                Some(parse_quote!({ #start #(#loops)* #acc }))
            }
            ("fold", [init, f]) if is_function(f, 2) => {
                let chain = self.chain(&m.receiver)?;
                let acc = self.fresh("acc");
                let loops =
                    self.run(chain, None, |s, item| s.step(f, &parse_quote!(#acc), item))?;
                let ty = state_type(f);
                Some(parse_quote!({ let mut #acc #ty = #init; #(#loops)* #acc }))
            }
            ("rfold", [init, f]) => {
                let chain = &m.receiver;
                self.consumer(&parse_quote!(#chain.rev().fold(#init, #f)))
            }
            ("try_fold", [init, f]) if is_function(f, 2) => {
                let kind = self.kind_of(f, expected.as_ref())?;
                let chain = self.chain(&m.receiver)?;
                let (acc, name) = (self.fresh("acc"), self.fresh("m"));
                let label = self.label();
                let leave = leave(&label, f, expected.as_ref());
                let loops = self.run(chain, None, |s, item| {
                    let then: Vec<Stmt> = vec![parse_quote!(#acc = #name;)];
                    let (mut stmts, value) = s.stepped(f, &parse_quote!(#acc), item);
                    let stop = parse_quote!(break);
                    stmts.extend(s.chosen(&value, kind, &name, then, &leave, &stop));
                    stmts
                })?;
                let (ty, all) = (state_type(f), kind.wrap(&parse_quote!(#acc)));
                Some(parse_quote!(#label { let mut #acc #ty = #init; #(#loops)* #all }))
            }
            ("try_for_each", [f]) if is_function(f, 1) => {
                let kind = self.kind_of(f, expected.as_ref())?;
                let mut chain = self.chain(&m.receiver)?;
                let label = self.label();
                let leave = leave(&label, f, expected.as_ref());
                chain.stages.push(Stage::Choose((*f).clone(), kind, leave));
                let loops = self.run(chain, None, |_, item| {
                    let done = whole(item);
                    vec![parse_quote!(let () = #done;)]
                })?;
                let all = kind.wrap(&parse_quote!(()));
                Some(parse_quote!(#label { #(#loops)* #all }))
            }
            ("collect", []) => {
                if let Some((kind, ty)) = expected.as_ref().and_then(held) {
                    return match ty {
                        Some(ty) if !is_vec(ty) => None,
                        _ => {
                            let tried = self.tried(&m.receiver, kind, expected.as_ref())?;
                            self.tried_vec(tried, kind)
                        }
                    };
                }
                if expected.as_ref().is_some_and(|t| !is_vec(t)) {
                    return None;
                }
                if let Some(joined) = self.joined_vec(&m.receiver) {
                    return Some(joined);
                }
                let chain = self.chain(&m.receiver)?;
                let out = self.fresh("out");
                let loops = self.run(chain, None, |_, item| {
                    let value = whole(item);
                    vec![parse_quote!(#out.push(#value);)]
                })?;
                Some(vec_of(&out, &loops))
            }
            ("unzip", []) => {
                if !is_pair_of_vecs(expected.as_ref(), m.turbofish.as_ref()) {
                    return None;
                }
                let chain = self.chain(&m.receiver)?;
                let (a, b) = (self.fresh("left"), self.fresh("right"));
                let (p, q) = (self.fresh("first"), self.fresh("second"));
                let loops = self.run(chain, None, |_, item| {
                    let mut stmts = bind(&parse_quote!((#p, #q)), item);
                    stmts.push(parse_quote!(#a.push(#p);));
                    stmts.push(parse_quote!(#b.push(#q);));
                    stmts
                })?;
                Some(two_vecs(&a, &b, &loops))
            }
            ("partition", [f]) if is_function(f, 1) => {
                if !is_pair_of_vecs(expected.as_ref(), m.turbofish.as_ref()) {
                    return None;
                }
                let chain = self.chain(&m.receiver)?;
                let (a, b) = (self.fresh("left"), self.fresh("right"));
                let loops = self.run(chain, None, |s, item| {
                    let (test, value) = (s.test(f, &item), whole(item));
                    vec![Stmt::Expr(
                        parse_quote!(if #test { #a.push(#value); } else { #b.push(#value); }),
                        None,
                    )]
                })?;
                Some(two_vecs(&a, &b, &loops))
            }
            ("find_map", [f]) if is_function(f, 1) => self.found(&m.receiver, f),
            ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_default", _) => {
                let picked = self.picked(&m.receiver)?;
                picked.taken(&name, &args)
            }
            ("for_each", [Expr::Closure(c)]) if is_function(args[0], 1) => {
                let chain = self.chain(&m.receiver)?;
                let loops = self.run(chain, None, |s, item| {
                    let c = s.own(c, &[&item], &[]);
                    let mut stmts = bind(&c.inputs[0], item);
                    stmts.push(Stmt::Expr((*c.body).clone(), Some(Default::default())));
                    stmts
                })?;
                Some(parse_quote!({ #(#loops)* }))
            }
            _ => None,
        }
    }

    /// `acc = f(acc, item);`
    fn step(&mut self, f: &Expr, acc: &Expr, item: Item) -> Vec<Stmt> {
        let (mut stmts, value) = self.stepped(f, acc, item);
        stmts.push(parse_quote!(#acc = #value;));
        stmts
    }

    /// What binds the parameters of `f`, and its value.
    pub(super) fn stepped(&mut self, f: &Expr, acc: &Expr, item: Item) -> (Vec<Stmt>, Expr) {
        match f {
            Expr::Closure(c) => {
                let state = one(acc.clone());
                let c = self.own(c, &[&state, &item], &[]);
                let mut stmts = bind(&c.inputs[0], state);
                stmts.extend(bind(&c.inputs[1], item));
                (stmts, (*c.body).clone())
            }
            f => {
                let value = value(item);
                (Vec::new(), parse_quote!(#f(#acc, #value)))
            }
        }
    }

    /// Whether the value of a closure is an `Option` or a `Result`.
    fn kind_of(&self, f: &Expr, expected: Option<&Type>) -> Option<Wrapper> {
        let of_closure = match f {
            Expr::Closure(c) => match &c.output {
                syn::ReturnType::Type(_, ty) => Wrapper::of(ty),
                _ => Ends::of(&c.body).kind,
            },
            _ => None,
        };
        of_closure
            .or_else(|| expected.and_then(Wrapper::of))
            .or_else(|| self.output.and_then(Wrapper::of))
    }

    /// A chain over what is in its items, which leaves at the first without.
    fn tried(
        &mut self,
        e: &Expr,
        kind: Wrapper,
        expected: Option<&Type>,
    ) -> Option<(Chain, syn::Label)> {
        let mut chain = self.chain(e)?;
        let label = self.label();
        let f = match chain.stages.pop() {
            Some(Stage::Map(f)) => f,
            last => {
                chain.stages.extend(last);
                parse_quote!(|item| item)
            }
        };
        let leave = leave(&label, &f, expected);
        chain.stages.push(Stage::Choose(f, kind, leave));
        Some((chain, label))
    }

    fn tried_vec(&mut self, (chain, label): (Chain, syn::Label), kind: Wrapper) -> Option<Expr> {
        let out = self.fresh("out");
        let loops = self.run(chain, None, |_, item| {
            let value = whole(item);
            vec![parse_quote!(#out.push(#value);)]
        })?;
        let all = kind.wrap(&parse_quote!(#out));
        Some(parse_quote!(#label { let mut #out = ::std::vec::Vec::new(); #(#loops)* #all }))
    }

    fn tried_sum(
        &mut self,
        (chain, label): (Chain, syn::Label),
        add: bool,
        kind: Wrapper,
        ty: Option<&Type>,
    ) -> Option<Expr> {
        let acc = self.fresh("acc");
        let own = is_own(ty);
        let loops = self.run(chain, None, |_, item| {
            vec![gather(&acc, &value(item), add, own)]
        })?;
        let zero = neutral(ty, add);
        let (ty, all) = (said(ty), kind.wrap(&parse_quote!(#acc)));
        Some(parse_quote!(#label { let mut #acc #ty = #zero; #(#loops)* #all }))
    }
}

/// Leaves the block of this label, with an error of the type that the closure or its place says.
fn leave(label: &syn::Label, f: &Expr, expected: Option<&Type>) -> Otherwise {
    let written = match f {
        Expr::Closure(c) => match &c.output {
            syn::ReturnType::Type(_, ty) => Some(&**ty),
            syn::ReturnType::Default => None,
        },
        _ => None,
    };
    let error = written
        .or(expected)
        .and_then(|ty| arguments(ty).get(1).copied().cloned());
    let error = error.filter(|t| !matches!(t, Type::Infer(_)));
    Otherwise::Leave(label.name.clone(), error)
}

/// The kind of an `Option<T>` or a `Result<T, E>`, and `T`.
fn held(ty: &Type) -> Option<(Wrapper, Option<&Type>)> {
    let kind = Wrapper::of(ty)?;
    Some((kind, arguments(ty).first().copied()))
}

/// The type of the state, where the function says it: `|m: Option<f64>, x|`, `f64::max`.
fn state_type(f: &Expr) -> Option<TokenStream> {
    if let Expr::Path(p) = f {
        let owner = p
            .path
            .segments
            .first()
            .filter(|_| p.path.segments.len() == 2)?;
        let float = owner.ident == "f64" || owner.ident == "f32";
        return float.then(|| quote!(: #owner));
    }
    let Expr::Closure(c) = f else { return None };
    match &c.inputs[0] {
        Pat::Type(t) if matches!(*t.pat, Pat::Ident(_)) => {
            let ty = &t.ty;
            Some(quote!(: #ty))
        }
        _ => None,
    }
}

/// Whether two collections of items are `Vec`s: they are unless a type says otherwise.
fn is_pair_of_vecs(
    expected: Option<&Type>,
    turbofish: Option<&syn::AngleBracketedGenericArguments>,
) -> bool {
    if let Some(t) = turbofish {
        // `partition::<Vec<_>, _>`, `unzip::<_, _, Vec<_>, Vec<_>>`
        let types: Vec<&Type> = t
            .args
            .iter()
            .filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            })
            .collect();
        return match types.as_slice() {
            [_, _, a, b] => is_vec(a) && is_vec(b),
            [a, ..] => is_vec(a),
            [] => true,
        };
    }
    match expected {
        Some(Type::Tuple(t)) => t.elems.len() == 2 && t.elems.iter().all(is_vec),
        _ => true,
    }
}
