//! One item of a chain: `max_by`, `min_by`, `last`, `nth`, `next` and `reduce` where the item is
//! taken out at once.

use super::{bind, in_parens, is_function, one, whole, Chains, Item};
use syn::{parse_quote, Expr, Pat, Stmt};

/// An item that may be there.
pub(super) struct Picked {
    setup: Vec<Stmt>,
    there: Expr,
    item: Item,
}

impl Chains<'_> {
    /// `chain.max_by(f)`, `chain.last().copied()`
    pub(super) fn picked(&mut self, e: &Expr) -> Option<Picked> {
        let Expr::MethodCall(m) = e else { return None };
        if m.args.is_empty() && (m.method == "copied" || m.method == "cloned") {
            let picked = self.picked(&m.receiver)?;
            let item = match &picked.item {
                Item::One(e) => one(pointed(e)),
                pair => pair.clone(),
            };
            return Some(Picked { item, ..picked });
        }
        let how = m.method.to_string();
        let given: Vec<&Expr> = m.args.iter().collect();
        let known = match (how.as_str(), given.as_slice()) {
            ("max_by" | "min_by" | "reduce", [f]) => is_function(f, 2),
            ("max_by_key" | "min_by_key" | "find", [f]) => is_function(f, 1),
            ("nth", [_]) | ("last" | "next", []) => {
                matches!(&*m.receiver, Expr::MethodCall(_) | Expr::Call(_))
            }
            _ => false,
        };
        let is_chain = matches!(
            &*m.receiver,
            Expr::MethodCall(_) | Expr::Paren(_) | Expr::Call(_)
        );
        if !known || !is_chain {
            return None;
        }
        let mut chain = self.chain(&m.receiver)?;
        if !chain.stages.is_empty() {
            chain = self.in_a_vec(vec![chain])?;
        }
        let mut setup = chain.source.setup;
        let len = chain.source.len?;
        let n = self.hoist("n", &len, &mut setup);
        let item = chain.source.item;
        let (at, k) = (self.fresh("at"), self.fresh("k"));
        let mut there: Expr = parse_quote!(#n > 0);
        let item = match (how.as_str(), given.as_slice()) {
            ("last", _) => item(parse_quote!((#n - 1))),
            ("next", _) => item(parse_quote!(0)),
            ("nth", [i]) => {
                setup.push(parse_quote!(let #at = #i;));
                there = parse_quote!(#at < #n);
                item(parse_quote!(#at))
            }
            ("reduce", [f]) => {
                // What a closure over references gives is one of them: that is no number of its own.
                if matches!(item(parse_quote!(0)), Item::One(Expr::Reference(_))) {
                    return None;
                }
                one(self.reduced(&n, &*item, f))
            }
            ("find", [f]) => {
                let found = self.fresh("found");
                let test = self.test(f, &item(parse_quote!(#k)));
                setup.push(parse_quote!(let mut #at = 0usize;));
                setup.push(parse_quote!(let mut #found = false;));
                setup.push(parse_quote!(for #k in 0..#n {
                    if !#found && (#test) { #at = #k; #found = true; }
                }));
                there = parse_quote!(#found);
                item(parse_quote!(#at))
            }
            (_, [f]) => {
                let (best, next) = (
                    whole(item(parse_quote!(#at))),
                    whole(item(parse_quote!(#k))),
                );
                let order: Expr = match f {
                    f if how.ends_with("_key") => {
                        let best = self.test(f, &one(best));
                        let next = self.test(f, &one(next));
                        parse_quote!(::core::cmp::Ord::cmp(&#best, &#next))
                    }
                    Expr::Closure(c) => {
                        let c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
                        let (p, q) = (in_parens(&c.inputs[0]), in_parens(&c.inputs[1]));
                        let order = &c.body;
                        parse_quote!({ let (#p, #q) = (&#best, &#next); #order })
                    }
                    f => parse_quote!(#f(&#best, &#next)),
                };
                let greater: Expr = parse_quote!(::core::cmp::Ordering::Greater);
                // Of equal items, the last is the greatest and the first is the least.
                let better: Expr = match how.as_str() {
                    "max_by" | "max_by_key" => parse_quote!(#order != #greater),
                    _ => parse_quote!(#order == #greater),
                };
                setup.push(parse_quote!(let mut #at = 0usize;));
                setup.push(parse_quote!(for #k in 1..#n { if #better { #at = #k; } }));
                item(parse_quote!(#at))
            }
            _ => return None,
        };
        Some(Picked { setup, there, item })
    }

    fn reduced(&mut self, n: &Expr, item: &dyn Fn(Expr) -> Item, f: &Expr) -> Expr {
        let (acc, k) = (self.fresh("acc"), self.fresh("k"));
        let (first, next) = (whole(item(parse_quote!(0))), item(parse_quote!(#k)));
        let (mut step, value) = self.stepped(f, &parse_quote!(#acc), next);
        step.push(parse_quote!(#acc = #value;));
        parse_quote!({ let mut #acc = #first; for #k in 1..#n { #(#step)* } #acc })
    }

    /// `chain.find_map(f)`
    pub(super) fn found(&mut self, e: &Expr, f: &Expr) -> Option<Expr> {
        let mut chain = self.chain(e)?;
        let (f, skip) = (f.clone(), super::choice::Otherwise::Nothing);
        let kind = crate::syntax::ends::Wrapper::Option;
        chain.stages.push(super::Stage::Choose(f, kind, skip));
        let label = self.label();
        let name = label.name.clone();
        let loops = self.run(chain, None, |_, item| {
            let value = whole(item);
            vec![parse_quote!(break #name Some(#value);)]
        })?;
        Some(parse_quote!(#label { #(#loops)* None }))
    }

    /// `match chain.max_by(f) { Some(p) => a, None => b }`
    pub(super) fn picked_match(&mut self, m: &syn::ExprMatch) -> Option<Expr> {
        let [some, none] = m.arms.as_slice() else {
            return None;
        };
        let Pat::TupleStruct(p) = &some.pat else {
            return None;
        };
        let is_some = p.path.segments.last()?.ident == "Some" && p.elems.len() == 1;
        if !is_some || matches!(none.pat, Pat::Guard(_)) {
            return None;
        }
        let Picked { setup, there, item } = self.picked(&m.expr)?;
        let (pat, then, otherwise) = (&p.elems[0], &some.body, &none.body);
        let bound = bind(pat, item);
        Some(parse_quote!({ #(#setup)* if #there { #(#bound)* #then } else { #otherwise } }))
    }
}

impl Picked {
    /// The value if it is there, or what the method that takes it gives.
    pub(super) fn taken(self, method: &str, args: &[&Expr]) -> Option<Expr> {
        let Picked { setup, there, item } = self;
        let value = whole(item);
        Some(match (method, args) {
            ("unwrap", []) => {
                parse_quote!({ #(#setup)* ::core::assert!(#there, "the chain has no such item"); #value })
            }
            ("expect", [message]) => {
                parse_quote!({ #(#setup)* ::core::assert!(#there, "{}", #message); #value })
            }
            ("unwrap_or", [other]) => {
                let (value, other) = (pointed(&value), pointed(other));
                parse_quote!({ #(#setup)* if #there { #value } else { #other } })
            }
            ("unwrap_or_default", []) => {
                parse_quote!({ #(#setup)* if #there { #value } else { ::core::default::Default::default() } })
            }
            _ => return None,
        })
    }
}

/// Both sides of a branch are values: a reference is not kept.
fn pointed(e: &Expr) -> Expr {
    match e {
        Expr::Reference(r) => {
            let place = &r.expr;
            parse_quote!(#place.clone())
        }
        e => e.clone(),
    }
}
