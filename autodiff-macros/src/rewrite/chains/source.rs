//! What chains iterate over, and the adaptors that keep its items countable.

use super::{is_zero, one, shorter, value_of, Chains, Elements, Item, ItemAt, Source};
use crate::syntax;
use std::rc::Rc;
use syn::{parse_quote, Expr, ExprMethodCall, Stmt};

impl Chains<'_> {
    /// The collection behind `x.iter()`: a place, or a name for a temporary.
    pub(super) fn collection(&mut self, e: &Expr, setup: &mut Vec<Stmt>) -> Expr {
        match e {
            Expr::Paren(p) => self.collection(&p.expr, setup),
            Expr::Reference(r) => self.collection(&r.expr, setup),
            e if syntax::root_name(e).is_some() => {
                let mut e = e.clone();
                self.fix_indices(&mut e, setup);
                e
            }
            e => self.hoist("s", e, setup),
        }
    }

    /// The indices in a place are evaluated once, before the first item: those that do more than name a value, or whose names
    /// change meanwhile, get a name.
    fn fix_indices(&mut self, e: &mut Expr, setup: &mut Vec<Stmt>) {
        match e {
            Expr::Paren(p) => self.fix_indices(&mut p.expr, setup),
            Expr::Group(g) => self.fix_indices(&mut g.expr, setup),
            Expr::Reference(r) => self.fix_indices(&mut r.expr, setup),
            Expr::Unary(u) => self.fix_indices(&mut u.expr, setup),
            Expr::Field(f) => self.fix_indices(&mut f.base, setup),
            Expr::MethodCall(m) => self.fix_indices(&mut m.receiver, setup),
            Expr::Index(i) => {
                self.fix_indices(&mut i.expr, setup);
                let parts = match &mut *i.index {
                    Expr::Range(r) => [r.start.as_deref_mut(), r.end.as_deref_mut()],
                    index => [Some(index), None],
                };
                for part in parts.into_iter().flatten() {
                    if !syntax::is_cheap(part) || syntax::mentions(part, &self.assigned) {
                        let name = self.fresh("at");
                        setup.push(parse_quote!(let #name = #part;));
                        *part = parse_quote!(#name);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn elements(&mut self, e: &Expr, how: Elements) -> Source {
        let mut setup = Vec::new();
        let x = self.collection(e, &mut setup);
        let len = parse_quote!(#x.len());
        let many = self.grids.has_axes(&x);
        let item: ItemAt = Rc::new(move |k| {
            let k: Expr = match many {
                true => parse_quote!(::differentiable::__rt::Nth(#k)),
                false => k,
            };
            one(match how {
                Elements::Shared => parse_quote!(&#x[#k]),
                Elements::Mutable => parse_quote!(&mut #x[#k]),
                Elements::Owned => parse_quote!(#x[#k].clone()),
            })
        });
        Source {
            setup,
            len: Some(len),
            item,
            range: None,
        }
    }

    /// The rows of a matrix of ndarray, or its columns.
    fn lines(&mut self, e: &Expr, columns: bool) -> Source {
        let mut setup = Vec::new();
        let x = self.collection(e, &mut setup);
        let (len, item): (Expr, ItemAt) = match columns {
            false => (
                parse_quote!(#x.nrows()),
                Rc::new(move |k| one(parse_quote!(#x.row(#k)))),
            ),
            true => (
                parse_quote!(#x.ncols()),
                Rc::new(move |k| one(parse_quote!(#x.column(#k)))),
            ),
        };
        Source {
            setup,
            len: Some(len),
            item,
            range: None,
        }
    }

    pub(super) fn range(&mut self, r: &syn::ExprRange) -> Option<Source> {
        let start = r.start.as_deref()?;
        let half_open = matches!(r.limits, syn::RangeLimits::HalfOpen(_));
        if let (true, true, Some(end)) = (is_zero(start), half_open, &r.end) {
            return Some(Source {
                setup: Vec::new(),
                len: Some((**end).clone()),
                item: Rc::new(one),
                range: None,
            });
        }
        let name = self.fresh("r");
        let setup = vec![parse_quote!(let #name = #r;)];
        let len = r.end.is_some().then(|| {
            let len: Expr = parse_quote!(::differentiable::__rt::count(&#name));
            len
        });
        let of = name.clone();
        let item: ItemAt =
            Rc::new(move |k| one(parse_quote!(::differentiable::__rt::nth(&#of, #k))));
        let ends = [Some(start), r.end.as_deref()];
        let here = half_open && ends.iter().all(|e| e.is_some_and(|e| self.stays(e)));
        let range = here.then(|| (name, r.clone()));
        Some(Source {
            setup,
            len,
            item,
            range,
        })
    }

    /// Whether the end of a range can be read again in the reverse pass without more being kept than a number: one of numbers
    /// with a name, or of what a parameter refers to.
    fn stays(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(_) => true,
            Expr::Path(p) => p.path.get_ident().is_some(),
            Expr::Paren(p) => self.stays(&p.expr),
            Expr::Group(g) => self.stays(&g.expr),
            Expr::Cast(c) => self.stays(&c.expr),
            Expr::Binary(b) => {
                !syntax::is_assign_op(&b.op) && self.stays(&b.left) && self.stays(&b.right)
            }
            Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) => {
                let of = match e {
                    Expr::MethodCall(m) => &*m.receiver,
                    e => e,
                };
                let root = syntax::root_name(of);
                syntax::is_cheap(e) && root.is_some_and(|n| self.references.contains(&n))
            }
            _ => false,
        }
    }

    /// What a `for` loop or `zip` iterates over.
    pub(super) fn iterable(&mut self, e: &Expr) -> Option<Source> {
        match e {
            Expr::Paren(p) => self.iterable(&p.expr),
            Expr::Range(r) => self.range(r),
            Expr::Reference(r) if self.is_keyed(&r.expr) => self.kept(e),
            Expr::Reference(r) => Some(self.elements(
                &r.expr,
                if r.mutability.is_some() {
                    Elements::Mutable
                } else {
                    Elements::Shared
                },
            )),
            Expr::MethodCall(m) => self.source(m).or_else(|| self.collected(e, m)),
            Expr::Path(_) if self.is_keyed(e) => self.kept(e),
            Expr::Path(p) => {
                let by_ref = p
                    .path
                    .get_ident()
                    .is_some_and(|i| self.references.contains(&i.to_string()));
                Some(self.elements(
                    e,
                    if by_ref {
                        Elements::Shared
                    } else {
                        Elements::Owned
                    },
                ))
            }
            Expr::Call(c) if super::maker(c).is_some() => match self.made(c)? {
                made if made.stages.is_empty() => Some(made.source),
                _ => None,
            },
            Expr::Field(_) | Expr::Index(_) | Expr::Array(_) | Expr::Block(_) | Expr::Repeat(_) => {
                Some(self.elements(e, Elements::Owned))
            }
            Expr::Call(_) | Expr::Macro(_) => match syntax::maybe_active(e, &self.active) {
                true => Some(self.elements(e, Elements::Owned)),
                false => self.kept(e),
            },
            _ => None,
        }
    }

    pub(super) fn source(&mut self, m: &ExprMethodCall) -> Option<Source> {
        let name = m.method.to_string();
        let args: Vec<&Expr> = m.args.iter().collect();
        if self.is_keyed(&m.receiver) {
            return None;
        }
        match (name.as_str(), args.as_slice()) {
            ("iter", []) => return Some(self.elements(&m.receiver, Elements::Shared)),
            ("iter_mut", []) => return Some(self.elements(&m.receiver, Elements::Mutable)),
            ("into_iter", []) => return self.iterable(&m.receiver),
            ("rows" | "outer_iter", []) => return Some(self.lines(&m.receiver, false)),
            ("columns", []) => return Some(self.lines(&m.receiver, true)),
            // The parts of a tensor are an array.
            ("chunk", []) if m.turbofish.is_some() => {
                return Some(self.elements(&Expr::MethodCall(m.clone()), Elements::Owned))
            }
            ("chunks" | "chunks_exact" | "windows" | "chunks_mut" | "chunks_exact_mut", [size]) => {
                return Some(self.slices(&name, &m.receiver, size))
            }
            _ => {}
        }
        let mut s = match &*m.receiver {
            Expr::MethodCall(inner) => self.source(inner)?,
            Expr::Paren(_) | Expr::Range(_) => self.iterable(&m.receiver)?,
            _ => return None,
        };
        self.adapt(&name, &args, &mut s).then_some(s)
    }

    /// Applies an adaptor that keeps items countable; false if it is not one.
    pub(super) fn adapt(&mut self, name: &str, args: &[&Expr], s: &mut Source) -> bool {
        let inner = s.item.clone();
        s.range = None;
        match (name, args) {
            ("copied" | "cloned", []) => {
                s.item = Rc::new(move |k| match inner(k) {
                    item @ Item::One(Expr::Reference(_)) => value_of(item),
                    other => other,
                });
            }
            ("rev", []) => {
                let Some(len) = s.len.clone() else {
                    return false;
                };
                let n = self.hoist("n", &len, &mut s.setup);
                s.len = Some(n.clone());
                s.item = Rc::new(move |k| inner(parse_quote!((#n - 1 - #k))));
            }
            ("cycle", []) => {
                let Some(len) = s.len.clone() else {
                    return false;
                };
                let n = self.hoist("n", &len, &mut s.setup);
                s.len = Some(parse_quote!(if #n == 0 { 0 } else { usize::MAX }));
                s.item = Rc::new(move |k| inner(parse_quote!((#k % #n))));
            }
            ("take", [n]) => {
                let n = self.hoist("n", n, &mut s.setup);
                s.len = Some(match &s.len {
                    Some(len) => parse_quote!(::core::cmp::min(#len, #n)),
                    None => n,
                });
            }
            ("skip", [n]) => {
                let n = self.hoist("n", n, &mut s.setup);
                s.len = s
                    .len
                    .as_ref()
                    .map(|len| parse_quote!((#len).saturating_sub(#n)));
                s.item = Rc::new(move |k| inner(parse_quote!((#k + #n))));
            }
            ("step_by", [n]) => {
                let n = self.hoist("n", n, &mut s.setup);
                s.len = s.len.as_ref().map(|len| parse_quote!((#len).div_ceil(#n)));
                s.item = Rc::new(move |k| inner(parse_quote!((#k * #n))));
            }
            ("enumerate", []) => {
                s.item = Rc::new(move |k| Item::Pair(one(k.clone()).into(), inner(k).into()));
            }
            ("zip", [other]) => {
                let Some(other) = self.iterable(other) else {
                    return false;
                };
                s.setup.extend(other.setup);
                s.len = shorter(s.len.clone(), other.len);
                let second = other.item;
                s.item = Rc::new(move |k| Item::Pair(inner(k.clone()).into(), second(k).into()));
            }
            _ => return false,
        }
        true
    }

    pub(super) fn slices(&mut self, name: &str, x: &Expr, size: &Expr) -> Source {
        let mut setup = Vec::new();
        let x = self.collection(x, &mut setup);
        let n = self.hoist("n", size, &mut setup);
        let len = match name {
            "windows" => parse_quote!((#x.len() + 1).saturating_sub(#n)),
            "chunks" | "chunks_mut" => parse_quote!(#x.len().div_ceil(#n)),
            _ => parse_quote!(#x.len() / #n),
        };
        let (mutable, name) = (name.ends_with("_mut"), name.to_string());
        let item: ItemAt = Rc::new(move |k| {
            let range: Expr = match name.as_str() {
                "windows" => parse_quote!(#k..#k + #n),
                "chunks" | "chunks_mut" => {
                    parse_quote!(#k * #n..::core::cmp::min(#k * #n + #n, #x.len()))
                }
                _ => parse_quote!(#k * #n..#k * #n + #n),
            };
            one(if mutable {
                parse_quote!(&mut #x[#range])
            } else {
                parse_quote!(&#x[#range])
            })
        });
        Source {
            setup,
            len: Some(len),
            item,
            range: None,
        }
    }
}
