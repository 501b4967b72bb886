//! `xs.first()`, `xs.last()` and `xs.get(i)` where what they may give is taken apart at once.

use super::Desugar;
use syn::{parse_quote, Expr, ExprMethodCall, Pat};

/// The element that a query may give: whether it is there, and the place. `by_key` tells the keys of a map from indices.
fn query(m: &ExprMethodCall, by_key: impl Fn(&Expr) -> bool) -> Option<(Expr, Expr, bool)> {
    let x = &m.receiver;
    let mutable = m.method.to_string().ends_with("_mut");
    let args: Vec<&Expr> = m.args.iter().collect();
    match (m.method.to_string().as_str(), args.as_slice()) {
        ("first" | "first_mut", []) => {
            Some((parse_quote!(!#x.is_empty()), parse_quote!(#x[0]), mutable))
        }
        ("last" | "last_mut", []) => Some((
            parse_quote!(!#x.is_empty()),
            parse_quote!(#x[#x.len() - 1]),
            mutable,
        )),
        ("get" | "get_mut", [key]) if by_key(key) => Some((
            parse_quote!(#x.contains_key(#key)),
            parse_quote!(#x[#key]),
            mutable,
        )),
        ("get" | "get_mut", [i]) if !matches!(i, Expr::Range(_)) => {
            Some((parse_quote!((#i) < #x.len()), parse_quote!(#x[#i]), mutable))
        }
        _ => None,
    }
}

impl Desugar<'_> {
    fn queried(&self, e: &Expr) -> Option<(Expr, Expr, bool, bool)> {
        match e {
            Expr::Paren(p) => self.queried(&p.expr),
            Expr::MethodCall(m)
                if m.args.is_empty() && (m.method == "copied" || m.method == "cloned") =>
            {
                let (there, place, mutable, _) = self.queried(&m.receiver)?;
                Some((there, place, mutable, true))
            }
            Expr::MethodCall(m) if self.is_active(&m.receiver) => {
                let (there, place, mutable) = query(m, |e| self.is_key(e))?;
                Some((there, place, mutable, false))
            }
            _ => None,
        }
    }

    /// Whether an argument of `get` is a reference, which an index is not.
    fn is_key(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_key(&p.expr),
            Expr::Reference(_) => true,
            Expr::Lit(l) => matches!(l.lit, syn::Lit::Str(_)),
            Expr::MethodCall(m) => m.method == "as_str" || m.method == "as_ref",
            Expr::Path(p) => {
                let name = p.path.get_ident();
                name.is_some_and(|n| self.references.contains(&n.to_string()))
            }
            _ => false,
        }
    }

    /// `match xs.split_first() { Some((a, rest)) => … }`, `let (a, rest) = xs.split_first().unwrap();`: whether there is
    /// one, and the pair.
    fn split_end(&self, e: &Expr) -> Option<(Expr, Expr)> {
        let Expr::MethodCall(m) = e else { return None };
        let x = &m.receiver;
        if !m.args.is_empty() || !self.is_active(x) {
            return None;
        }
        let there = parse_quote!(!#x.is_empty());
        match m.method.to_string().as_str() {
            "split_first" => Some((there, parse_quote!((&#x[0], &#x[1..])))),
            "split_last" => Some((
                there,
                parse_quote!((&#x[#x.len() - 1], &#x[..#x.len() - 1])),
            )),
            _ => None,
        }
    }

    /// `xs.split_first().unwrap()`
    pub(super) fn split_taken(&self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let takes = matches!(
            (m.method.to_string().as_str(), m.args.len()),
            ("unwrap", 0) | ("expect", 1)
        );
        takes
            .then(|| self.split_end(&m.receiver))?
            .map(|(_, pair)| pair)
    }

    /// `match xs.as_slice() { [a, b] => … }`, also in a tuple: the entries are places of `xs[..]`.
    pub(super) fn slice_match(&self, m: &syn::ExprMatch) -> Option<Expr> {
        let slice = |e: &Expr| -> Option<Expr> {
            let Expr::MethodCall(call) = e else {
                return None;
            };
            let x = &call.receiver;
            let whole = call.method == "as_slice" && call.args.is_empty() && self.is_active(x);
            whole.then(|| parse_quote!(&#x[..]))
        };
        let mut m = m.clone();
        let parts: Vec<&mut Expr> = match &mut *m.expr {
            Expr::Tuple(t) => t.elems.iter_mut().collect(),
            e => vec![e],
        };
        let mut found = false;
        for part in parts {
            if let Some(slice) = slice(part) {
                *part = slice;
                found = true;
            }
        }
        found.then_some(Expr::Match(m))
    }

    /// `match xs.get(i) { Some(p) => a, None => b }`
    pub(super) fn element_match(&mut self, m: &syn::ExprMatch) -> Option<Expr> {
        if self.split_end(&m.expr).is_none() {
            self.queried(&m.expr)?;
        }
        let [some, none] = m.arms.as_slice() else {
            return None;
        };
        let (pat, guard) = match &some.pat {
            Pat::Guard(g) => (&*g.pat, Some(&g.guard)),
            pat => (pat, None),
        };
        let Pat::TupleStruct(p) = pat else {
            return None;
        };
        let last = &p.path.segments.last()?.ident;
        if last != "Some" || p.elems.len() != 1 || matches!(none.pat, Pat::Guard(_)) {
            return None;
        }
        let (mut head, mut first) = ((*m.expr).clone(), Vec::new());
        self.steady(&mut head, &mut first);
        let split = self.split_end(&head);
        let (there, place, mutable, copied) = match split.clone() {
            Some((there, pair)) => (there, pair, false, false),
            None => self.queried(&head)?,
        };
        let (pat, then, otherwise) = (&p.elems[0], &some.body, &none.body);
        let value: Expr = match (copied, mutable) {
            _ if split.is_some() => place.clone(),
            (true, _) => parse_quote!(#place.clone()),
            (_, true) => parse_quote!(&mut #place),
            _ => parse_quote!(&#place),
        };
        let bind: syn::Stmt = match pat {
            Pat::Reference(r) => {
                let pat = &r.pat;
                parse_quote!(let #pat = #place;)
            }
            Pat::Wild(_) => parse_quote!({}),
            Pat::Or(pat) => parse_quote!(let (#pat) = #value;),
            pat => parse_quote!(let #pat = #value;),
        };
        let branch: Expr = match guard {
            Some(guard) => {
                parse_quote!(if #there { #bind if #guard { #then } else { #otherwise } } else { #otherwise })
            }
            None => parse_quote!(if #there { #bind #then } else { #otherwise }),
        };
        Some(match first.is_empty() {
            true => branch,
            false => parse_quote!({ #(#first)* #branch }),
        })
    }

    /// The place of `*(&mut v[i])`, and so of `*v.last_mut().unwrap()`.
    pub(super) fn place_of(&mut self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Paren(p) => self.place_of(&p.expr),
            Expr::Reference(r) => Some((*r.expr).clone()),
            Expr::MethodCall(m) => match self.element(m)? {
                Expr::Paren(value) => self.place_of(&value.expr),
                _ => None,
            },
            _ => None,
        }
    }

    /// `v[v.len() - 1]` for `*v.last_mut().unwrap()`.
    pub(super) fn last_place(&mut self, e: &Expr) -> Option<syn::ExprIndex> {
        let Expr::Unary(u) = e else { return None };
        match self.place_of(&u.expr)? {
            Expr::Index(i) if matches!(&*i.index, Expr::Binary(_)) => Some(i),
            _ => None,
        }
    }

    /// What is stored in a place whose index reads the sequence: rustc wants the index first.
    pub(super) fn stored(
        &mut self,
        value: &Expr,
        place: &syn::ExprIndex,
        store: impl Fn(&Expr, &Expr) -> Expr,
    ) -> Expr {
        let (v, at) = (self.fresh("stored"), self.fresh("at"));
        let (x, i) = (&place.expr, &place.index);
        let store = store(&parse_quote!(#x[#at]), &parse_quote!(#v));
        parse_quote!({
            let #v = #value;
            let #at = #i;
            #store;
        })
    }

    /// `xs.last().unwrap()`, `xs.first().copied().unwrap_or(0.0)`
    pub(super) fn element(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let name = m.method.to_string();
        let args: Vec<&Expr> = m.args.iter().collect();
        let (there, place, mutable, copied) = self.queried(&m.receiver)?;
        let value: Expr = match (copied, mutable) {
            (true, _) => parse_quote!(#place.clone()),
            (_, true) => parse_quote!((&mut #place)),
            _ => parse_quote!((&#place)),
        };
        match (name.as_str(), args.as_slice()) {
            ("unwrap", []) | ("expect", [_]) => Some(value),
            ("unwrap_or", [other]) => Some(parse_quote!(if #there { #value } else { #other })),
            _ => None,
        }
    }

    /// `x.first().copied()` where it is neither matched nor unwrapped at once.
    pub(super) fn copied_item(&self, m: &ExprMethodCall) -> Option<Expr> {
        let (there, place, _, copied) = self.queried(&Expr::MethodCall(m.clone()))?;
        copied.then(|| item(&there, &place))
    }

    /// A value for an item of a sequence that is paired with another: `x.first().zip(x.last())`.
    pub(super) fn item_value(&self, e: &Expr) -> Expr {
        match self.queried(e) {
            Some((there, place, false, _)) => item(&there, &place),
            _ => e.clone(),
        }
    }
}

/// What is in a place, if it is there.
fn item(there: &Expr, place: &Expr) -> Expr {
    parse_quote!((if #there { Some(#place.clone()) } else { None }))
}
