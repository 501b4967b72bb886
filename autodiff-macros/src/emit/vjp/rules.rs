//! Emits the pullback of each operation.

use super::fields::contend;
use super::{op_module, Vjp};
use crate::code::{operator, project_one, Side};
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::syntax::names::ident;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, ToTokens};

impl Vjp<'_> {
    pub(super) fn rev_rhs(&self, v: VarId, rhs: &Rhs) -> TokenStream {
        let d = self.adj(v);
        match rhs {
            Rhs::Op(op, o) => self.rev_op(v, *op, o),
            Rhs::Powi(x, n) => {
                let (Some(lens), n) = (self.active_lens(x), &n.expr) else {
                    return TokenStream::new();
                };
                let x = self.with_code(|c| c.value_ref(x));
                quote!(ad::powi::pull(#x, #n, &#d, #lens);)
            }
            Rhs::Copy(o) => {
                let lens = self.active_lens(o);
                lens.map_or_else(TokenStream::new, |lens| self.rev_copy(v, &lens))
            }
            Rhs::Snapshot(p) => {
                let lens = self.lens(p);
                if self.is_slice(p) {
                    let w = self.var_witness(v);
                    quote!(ad::acc_vec(&#w, #d, #lens);)
                } else {
                    self.rev_copy(v, &lens)
                }
            }
            Rhs::Cast(o, ty) => {
                let Some(lens) = self.active_lens(o) else {
                    return TokenStream::new();
                };
                let w = self.wit(o);
                quote!(ad::cast::pull(&#w, &ad::witness_of::<#ty>(), &#d, #lens);)
            }
            Rhs::Tuple(o) => {
                let parts = o.iter().enumerate().filter_map(|(i, o)| {
                    let (i, w, lens) = (syn::Index::from(i), self.wit(o), self.active_lens(o)?);
                    Some(quote!(ad::acc(&#w, #d.#i, #lens);))
                });
                parts.collect()
            }
            Rhs::Struct(s) => self.rev_literal(v, s),
            Rhs::Pop(p) if p.may_be_constant() => {
                let lens = self.lens(p);
                quote!(if let ::core::option::Option::Some(__ct) = #d { ad::Entered(#lens).push(__ct); })
            }
            Rhs::Pop(p) => {
                let lens = self.lens(p);
                quote!(if let ::core::option::Option::Some(__ct) = #d { (#lens).push(__ct); })
            }
            Rhs::Array(o) | Rhs::VecList(o) => {
                let names: Vec<Ident> = (0..o.len()).map(|i| ident(format!("ct{i}"))).collect();
                let bind = if matches!(rhs, Rhs::Array(_)) {
                    quote!(let [#(#names),*] = #d;)
                } else {
                    let next = names.iter().map(
                        |n| quote!(let #n = __parts.next().expect("a cotangent for each element");),
                    );
                    quote!(let mut __parts = #d.into_iter(); #(#next)*)
                };
                let accs: TokenStream = names
                    .iter()
                    .zip(o)
                    .filter_map(|(n, o)| {
                        let (w, lens) = (self.wit(o), self.active_lens(o)?);
                        Some(quote!(ad::acc(&#w, #n, #lens);))
                    })
                    .collect();
                quote!({ #[allow(unused_variables)] #bind #accs })
            }
            Rhs::Repeat { value, .. } => {
                let (Some(lens), w) = (self.active_lens(value), self.wit(value)) else {
                    return TokenStream::new();
                };
                quote!(for __ct in #d { ad::acc(&#w, __ct, #lens); })
            }
            Rhs::Call { path, args } if self.f.region_of(path).is_some() => {
                self.rev_region(v, args)
            }
            Rhs::Call { args, .. } => self.rev_call(v, None, args),
            Rhs::Method { receiver, args, .. } => self.rev_call(v, Some(receiver), args),
            Rhs::GetLate(l) => {
                let late = self.adj(*l);
                quote!(#late = ::core::option::Option::Some(#d);)
            }
            Rhs::Borrow(_) | Rhs::Native(_) | Rhs::Witness(_) => TokenStream::new(),
        }
    }

    fn rev_literal(&self, v: VarId, s: &Literal) -> TokenStream {
        let d = self.adj(v);
        let base = s.base.as_ref().and_then(|o| self.active_lens(o));
        let mut code = TokenStream::new();
        for (k, (m, o)) in s.fields.iter().enumerate() {
            let projection = s.field(m);
            let inside = taken_inside(&projection);
            let part = match &inside {
                Some(taken) => quote!(#d.#taken()),
                None => project_one(Side::Adjoint, quote!(#d), &projection),
            };
            let moved = match projection {
                Projection::Field(_) => base.is_none(),
                _ => inside.is_some(),
            };
            let lens = self.active_lens(o);
            if lens.is_none() && base.is_none() {
                continue;
            }
            let w = self.wit(o);
            let before = match s.replaced.get(k) {
                Some(v) => self.name(*v).to_token_stream(),
                None => w.clone(),
            };
            code.extend(match lens {
                Some(_) => {
                    let ct = match moved {
                        true => part,
                        false => quote!(ad::Cleared(&#before, &mut #part).take()),
                    };
                    self.give(o, &ct).unwrap_or_default()
                }
                None => quote!(ad::Cleared(&#before, &mut #part).clear();),
            });
        }
        if let Some(lens) = base {
            let w = self.var_witness(v);
            code.extend(quote!(ad::acc(&#w, #d, #lens);));
        }
        code
    }

    /// Whether the pullback of an operator gets the values of both operands again, which then need not be kept by it.
    pub fn is_of_values(&self, v: VarId, name: &str, o: &[Operand]) -> bool {
        let both = || o.iter().all(|o| self.active_lens(o).is_some());
        self.f.vars[v].own_operator || name == "mul" && both()
    }

    /// The method that says what an operator keeps.
    pub(super) fn keeping(&self, v: VarId, name: &str, o: &[Operand]) -> Ident {
        match self.is_of_values(v, name, o) {
            true => format_ident!("keep_{name}_of_values"),
            false => format_ident!("keep_{name}"),
        }
    }

    /// An operator whose rule depends on types that are not known here.
    fn rev_operator(&self, v: VarId, op: Op, o: &[Operand], out: TokenStream) -> TokenStream {
        let name = operator(op, o).unwrap_or_default();
        let (d, kept) = (self.adj(v), self.kept(v));
        let wit = |i: usize| self.wit(&o[i]);
        let val = |i: usize| self.with_code(|c| c.value_ref(&o[i]));
        let of_values = self.is_of_values(v, name, o);
        let method = |suffix: &str| match of_values {
            true => format_ident!("{name}_of_values{suffix}"),
            false => format_ident!("{name}{suffix}"),
        };
        // Of both operands, the witness and the value.
        let all = || {
            let (a, x, b, y) = (wit(0), val(0), wit(1), val(1));
            quote!(&#a, #x, &#b, #y)
        };
        let lenses: Vec<_> = o.iter().map(|o| self.active_lens(o)).collect();
        match lenses.as_slice() {
            [Some(l)] => {
                // `neg` reads no value, a method what its rule saves.
                let a = match op {
                    Op::UnaryIn(_) => val(0),
                    Op::UnaryOut(_) => out,
                    _ => {
                        let a = wit(0);
                        quote!(&#a)
                    }
                };
                let m = method("");
                quote!(#kept.#m(#a, #d, #l);)
            }
            [Some(l), None] => {
                let (m, a) = (method("_l"), wit(0));
                match name {
                    _ if of_values => {
                        let all = all();
                        quote!(#kept.#m(#all, #d, #l);)
                    }
                    "mul" | "div" => {
                        let b = val(1);
                        quote!(#kept.#m(&#a, #b, #d, #l);)
                    }
                    _ => {
                        let b = wit(1);
                        quote!(#kept.#m(&#a, &#b, #d, #l);)
                    }
                }
            }
            [None, Some(l)] => {
                let m = method("_r");
                match name {
                    _ if of_values => {
                        let all = all();
                        quote!(#kept.#m(#all, #d, #l);)
                    }
                    "mul" => {
                        let (a, b) = (val(0), wit(1));
                        quote!(#kept.#m(#a, &#b, #d, #l);)
                    }
                    "div" => {
                        let (a, b) = (wit(0), val(1));
                        quote!(#kept.#m(&#a, #b, #out, #d, #l);)
                    }
                    _ => {
                        let (a, b) = (wit(0), wit(1));
                        quote!(#kept.#m(&#a, &#b, #d, #l);)
                    }
                }
            }
            [Some(l), Some(r)] => {
                let m = method("");
                let same = match (o[0].place(), o[1].place()) {
                    (Some(p), Some(q)) => contend(p, q),
                    _ => false,
                };
                let (a, b) = (wit(0), wit(1));
                // `x * x` would borrow one accumulator twice.
                let (before, r, after) = if same {
                    (
                        quote!(let mut __other = #b.zero();),
                        quote!(&mut __other),
                        quote!(ad::acc(&#b, __other, #r);),
                    )
                } else {
                    (quote!(), r.clone(), quote!())
                };
                let args = match name {
                    _ if of_values => all(),
                    "div" => {
                        let y = val(1);
                        quote!(&#a, #y, #out)
                    }
                    _ => quote!(&#a, &#b),
                };
                quote!(#before #kept.#m(#args, #d, #l, #r); #after)
            }
            _ => TokenStream::new(),
        }
    }

    pub(super) fn rev_op(&self, v: VarId, op: Op, o: &[Operand]) -> TokenStream {
        let d = self.adj(v);
        let lens: Vec<Option<TokenStream>> = o.iter().map(|o| self.active_lens(o)).collect();
        let wit = |i: usize| self.wit(&o[i]);
        let val = |i: usize| self.with_code(|c| c.value_ref(&o[i]));
        let out = self.with_code(|c| {
            c.value_ref(&Operand::Place {
                place: Place::whole(v, self.f.vars[v].ty.clone(), Span::call_site()),
                by_ref: false,
            })
        });
        if operator(op, o).is_some() && !self.needs.pairs.contains_key(&v) {
            return self.rev_operator(v, op, o, out);
        }
        let m = op_module(op);
        let mut code = TokenStream::new();
        for (i, l) in lens.iter().enumerate() {
            let Some(l) = l else { continue };
            let side = if i == 0 {
                format_ident!("pull_l")
            } else {
                format_ident!("pull_r")
            };
            code.extend(match op {
                Op::Add | Op::Sub => {
                    let (a, b) = (wit(0), wit(1));
                    quote!(ad::#m::#side(&#a, &#b, &#d, #l);)
                }
                Op::Mul | Op::Div if i == 0 => {
                    let (a, b) = (wit(0), val(1));
                    quote!(ad::#m::pull_l(&#a, #b, &#d, #l);)
                }
                Op::Mul => {
                    let (a, b) = (val(0), wit(1));
                    quote!(ad::mul::pull_r(#a, &#b, &#d, #l);)
                }
                Op::Div => {
                    let (a, b) = (wit(0), val(1));
                    quote!(ad::div::pull_r(&#a, #b, #out, &#d, #l);)
                }
                Op::Neg => {
                    let a = wit(0);
                    quote!(ad::neg::pull(&#a, &#d, #l);)
                }
                Op::UnaryOut(_) => quote!(ad::#m::pull(#out, &#d, #l);),
                Op::UnaryIn(name) if self.needs.pairs.contains_key(&v) => {
                    let slope = &self.f.vars[self.needs.pairs[&v]].name;
                    let pull = format_ident!("pull_{name}");
                    quote!(ad::sin_cos::#pull(&#slope, &#d, #l);)
                }
                Op::UnaryIn(_) => {
                    let x = val(0);
                    quote!(ad::#m::pull(#x, &#d, #l);)
                }
                Op::Binary(_) => {
                    let (a, b) = (val(0), val(1));
                    quote!(ad::#m::#side(#a, #b, #out, &#d, #l);)
                }
                Op::Select(_) => {
                    let (a, b, sel) = (wit(0), wit(1), self.selection(v));
                    quote!(ad::#m::#side(&#a, &#b, &#sel, &#d, #l);)
                }
                Op::Clamp => {
                    let (x, sel) = (wit(0), self.selection(v));
                    match i {
                        0 => quote!(ad::clamp::pull_x(&#x, &#sel, &#d, #l);),
                        1 => {
                            let b = wit(1);
                            quote!(ad::clamp::pull_lo(&#x, &#b, &#sel, &#d, #l);)
                        }
                        _ => {
                            let b = wit(2);
                            quote!(ad::clamp::pull_hi(&#x, &#b, &#sel, &#d, #l);)
                        }
                    }
                }
                Op::MulAdd => match i {
                    0 => {
                        let (a, b) = (wit(0), val(1));
                        quote!(ad::mul::pull_l(&#a, #b, &#d, #l);)
                    }
                    1 => {
                        let (a, b) = (val(0), wit(1));
                        quote!(ad::mul::pull_r(#a, &#b, &#d, #l);)
                    }
                    _ => {
                        let b = wit(2);
                        quote!(ad::acc(&#b, #d, #l);)
                    }
                },
            });
        }
        code
    }
}

/// What takes the cotangent inside of `Some` or `Ok` out of that of the whole (`ad::OptionLens`).
fn taken_inside(p: &Projection) -> Option<Ident> {
    let Projection::Variant(path, _) = p else {
        return None;
    };
    let names = crate::syntax::segments(path);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["Some"] | [.., "Option", "Some"] => Some(format_ident!("__ct_Some_0")),
        ["Ok"] | [.., "Result", "Ok"] => Some(format_ident!("__ct_Ok_0")),
        _ => None,
    }
}
