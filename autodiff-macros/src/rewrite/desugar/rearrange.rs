//! Methods that move the entries of a sequence about, written as copies and loops.

use super::Desugar;
use syn::{parse_quote, Expr, ExprMethodCall, ExprRange, Pat, RangeLimits};

impl Desugar<'_> {
    /// `v.rotate_left(n);` as a statement: as a value it is that of an integer.
    pub(super) fn rotation(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let left = match m.method.to_string().as_str() {
            "rotate_left" => true,
            "rotate_right" => false,
            _ => return None,
        };
        let n = m.args.first().filter(|_| m.args.len() == 1)?;
        if m.turbofish.is_some() || !self.is_active(&m.receiver) {
            return None;
        }
        let v = &m.receiver;
        let (i, j, t) = (self.fresh("i"), self.fresh("j"), self.fresh("t"));
        let from: Expr = match left {
            true => parse_quote!((#i + #j) % #t.len()),
            false => parse_quote!((#i + #t.len() - #j) % #t.len()),
        };
        Some(parse_quote!({
            let #j = #n;
            ::core::assert!(#j <= #v.len(), "a slice is rotated by its length at most");
            let #t = #v.to_vec();
            for #i in 0..#t.len() {
                #v[#i] = #t[#from].clone();
            }
        }))
    }

    pub(super) fn rearranging_method(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        if m.turbofish.is_some() || !self.is_active(&m.receiver) {
            return None;
        }
        let v = &m.receiver;
        let name = m.method.to_string();
        let args: Vec<&Expr> = m.args.iter().collect();
        let (i, j, t) = (self.fresh("i"), self.fresh("j"), self.fresh("t"));
        Some(match (name.as_str(), args.as_slice()) {
            ("copy_within", [Expr::Range(r), to]) => {
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let (start, end) = bounds(r, v);
                parse_quote!({
                    let (#a, #b, #j) = (#start, #end, #to);
                    ::core::assert!(#a <= #b && #b <= #v.len(), "the range is in the slice");
                    ::core::assert!(#j <= #v.len() - (#b - #a), "the copy is in the slice");
                    let #t = #v[#a..#b].to_vec();
                    for #i in 0..#t.len() {
                        #v[#j + #i] = #t[#i].clone();
                    }
                })
            }
            ("split_off", [at]) => parse_quote!({
                let #j = #at;
                let #t = #v[#j..].to_vec();
                while #v.len() > #j { #v.pop(); }
                #t
            }),
            ("drain", [Expr::Range(r)]) => {
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let (start, end) = bounds(r, v);
                parse_quote!({
                    let (#a, #b) = (#start, #end);
                    let #t = #v[#a..#b].to_vec();
                    for #i in #b..#v.len() {
                        #v[#i - #t.len()] = #v[#i].clone();
                    }
                    for _ in 0..#t.len() { #v.pop(); }
                    #t
                }.into_iter())
            }
            ("retain", [Expr::Closure(c)]) if c.inputs.len() == 1 => {
                let c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
                let (pat, test, keep) = (&c.inputs[0], &c.body, self.fresh("keep"));
                parse_quote!({
                    let mut #j = 0usize;
                    for #i in 0..#v.len() {
                        let #keep: bool = { let #pat = &#v[#i]; #test };
                        if #keep {
                            #v[#j] = #v[#i].clone();
                            #j += 1;
                        }
                    }
                    while #v.len() > #j { #v.pop(); }
                })
            }
            ("sort_unstable", []) => {
                parse_quote!(#v.sort_unstable_by(|#i, #j| ::core::cmp::Ord::cmp(#i, #j)))
            }
            ("sort_by_key" | "sort_unstable_by_key", [Expr::Closure(c)]) if c.inputs.len() == 1 => {
                let by = quote::format_ident!("{}", name.trim_end_matches("_key"));
                let [p, q] = [self.fresh("p"), self.fresh("q")];
                let [a, b] = [&p, &q].map(|item| -> Expr {
                    let c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
                    let (pat, key) = (&c.inputs[0], &c.body);
                    parse_quote!({ let #pat = #item; #key })
                });
                parse_quote!(#v.#by(|#p, #q| ::core::cmp::Ord::cmp(&#a, &#b)))
            }
            // The order is found on positions, which carry no derivative; they are as large as an `f64`, so that what
            // is equal comes to stand as it does there.
            ("sort_by" | "sort_unstable_by", [f]) => {
                let sort = &m.method;
                let (a, b, o) = (self.fresh("a"), self.fresh("b"), self.fresh("o"));
                let (p, q, order): (Pat, Pat, Expr) = match f {
                    Expr::Closure(c) if c.inputs.len() == 2 => {
                        let c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
                        (c.inputs[0].clone(), c.inputs[1].clone(), *c.body)
                    }
                    // `f64::total_cmp`
                    Expr::Path(_) => {
                        let (p, q) = (self.fresh("p"), self.fresh("q"));
                        (parse_quote!(#p), parse_quote!(#q), parse_quote!(#f(#p, #q)))
                    }
                    _ => return None,
                };
                parse_quote!({
                    let #j = ::differentiable::__rt::stop_gradient({
                        let mut #o: ::std::vec::Vec<usize> = (0..#v.len()).collect();
                        #o.#sort(|&#a, &#b| { let (#p, #q) = (&#v[#a], &#v[#b]); #order });
                        #o
                    });
                    let #t = #v.to_vec();
                    for #i in 0..#t.len() {
                        #v[#i] = #t[#j[#i]].clone();
                    }
                })
            }
            _ => return None,
        })
    }

    /// `[a, b].concat()`, `rows.concat()`
    pub(super) fn concatenation(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        if m.method != "concat" || !m.args.is_empty() || m.turbofish.is_some() {
            return None;
        }
        let (i, j, t) = (self.fresh("i"), self.fresh("j"), self.fresh("t"));
        match &*m.receiver {
            Expr::Array(a) => {
                let parts: Vec<syn::Stmt> = a
                    .elems
                    .iter()
                    .map(|e| {
                        let part = self.fresh("part");
                        parse_quote!({
                            let #part = #e;
                            for #i in 0..#part.len() { #t.push(#part[#i].clone()); }
                        })
                    })
                    .collect();
                Some(parse_quote!({ let mut #t = ::std::vec::Vec::new(); #(#parts)* #t }))
            }
            v if self.is_active(v) => Some(parse_quote!({
                let mut #t = ::std::vec::Vec::new();
                for #i in 0..#v.len() {
                    for #j in 0..#v[#i].len() { #t.push(#v[#i][#j].clone()); }
                }
                #t
            })),
            _ => None,
        }
    }
}

/// The ends of a range of positions in `v`.
fn bounds(r: &ExprRange, v: &Expr) -> (Expr, Expr) {
    let start = match &r.start {
        Some(e) => (**e).clone(),
        None => parse_quote!(0usize),
    };
    let end = match (&r.end, &r.limits) {
        (Some(e), RangeLimits::HalfOpen(_)) => (**e).clone(),
        (Some(e), RangeLimits::Closed(_)) => parse_quote!((#e) + 1),
        (None, _) => parse_quote!(#v.len()),
    };
    (start, end)
}
