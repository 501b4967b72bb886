//! Emits the tangent of each operation.

use super::*;

impl Jvp<'_> {
    pub(super) fn push(&self, v: VarId, rhs: &Rhs) -> TokenStream {
        match rhs {
            Rhs::GetLate(l) => {
                let t = self.tangent_name(*l);
                quote!(ad::late(&mut #t))
            }
            Rhs::Copy(o) => self.tangent_or_zero(o),
            Rhs::Pop(p) if p.may_be_constant() => {
                let (t, y) = (self.tangent_place(p), self.name(v));
                quote!(ad::Entered(&mut #t).pop_tangent(&#y))
            }
            Rhs::Pop(p) => {
                let t = self.tangent_place(p);
                quote!(#t.pop())
            }
            Rhs::Snapshot(p) => self.tangent_or_zero(&Operand::Place {
                place: p.clone(),
                by_ref: false,
            }),
            Rhs::Op(op, o) => self.push_op(v, *op, o),
            Rhs::Powi(x, n) => {
                let (y, n, t) = (self.name(v), &n.expr, self.tangent_ref(x));
                let x = self.code(|c| c.value_ref(x));
                quote!(ad::powi::push(#x, #n, &#y, #t))
            }
            Rhs::Cast(o, _) => {
                let (y, t) = (self.name(v), self.tangent_ref(o));
                let x = self.code(|c| c.value_ref(o));
                quote!(ad::cast::push(#x, &#y, #t))
            }
            Rhs::Tuple(o) => {
                // Its own type may not be known: that of the whole is.
                let y = self.name(v);
                let t = o.iter().enumerate().map(|(i, o)| match self.tangent(o) {
                    Some(t) => t,
                    None => {
                        let i = syn::Index::from(i);
                        quote!(ad::zero_tangent(&#y.#i))
                    }
                });
                quote!((#(#t,)*))
            }
            Rhs::Array(o) => {
                let t = o.iter().map(|o| self.tangent_or_zero(o));
                quote!([#(#t),*])
            }
            Rhs::VecList(o) => {
                let t = o.iter().map(|o| self.tangent_or_zero(o));
                quote!(::std::vec![#(#t),*])
            }
            Rhs::Repeat { value, len, vec } => {
                let (t, len) = (self.tangent_or_zero(value), &len.expr);
                if *vec {
                    quote!(::std::vec![#t; #len])
                } else {
                    quote!([#t; #len])
                }
            }
            Rhs::Struct(s) => {
                let y = self.name(v);
                let base = s.base.as_ref().and_then(|o| self.tangent(o));
                let sets = s.fields.iter().filter_map(|(m, o)| {
                    let field = project_one(Side::TangentMut, quote!(__tangent), &s.field(m));
                    match (self.tangent(o), &base) {
                        (Some(t), _) => Some(match (self.unconverted(o), o.place()) {
                            (Some(of_value), Some(p)) => {
                                quote_spanned!(p.span=> ad::Put(&mut #field, &#of_value).put(#t);)
                            }
                            _ => quote!(#field = #t;),
                        }),
                        // Of the new value: it may have another shape.
                        (None, Some(_)) => Some(quote!(#field = __zero.#m;)),
                        (None, None) => None,
                    }
                });
                let constant = s.fields.iter().any(|(_, o)| self.tangent(o).is_none());
                let zero = (base.is_some() && constant)
                    .then(|| quote!(let __zero = ad::zero_tangent(&#y);));
                let start = match &base {
                    Some(t) => t.clone(),
                    None => quote!(ad::zero_tangent(&#y)),
                };
                quote!({ #zero let mut __tangent = #start; #(#sets)* __tangent })
            }
            Rhs::Borrow(_)
            | Rhs::Native(_)
            | Rhs::Witness(_)
            | Rhs::Call { .. }
            | Rhs::Method { .. } => {
                let y = self.name(v);
                quote!(ad::zero_tangent(&#y))
            }
        }
    }

    fn push_op(&self, v: VarId, op: Op, o: &[Operand]) -> TokenStream {
        let y = self.name(v);
        let val = |i: usize| self.code(|c| c.value_ref(&o[i]));
        let m = op_module(op);
        let terms: Vec<TokenStream> = o
            .iter()
            .enumerate()
            .filter_map(|(i, operand)| {
                let t = self.tangent_ref(operand)?;
                Some(match op {
                    _ if o.len() == 1 && operator(op, o).is_some() => {
                        let (x, name) = (val(0), operator(op, o).expect("an operator"));
                        let push = format_ident!("{name}_push");
                        quote!(ad::Operand(#x).#push(&#y, #t))
                    }
                    Op::Neg | Op::UnaryIn(_) | Op::UnaryOut(_) => {
                        let x = val(0);
                        quote!(ad::#m::push(#x, &#y, #t))
                    }
                    Op::Clamp => {
                        let f = [quote!(push_x), quote!(push_lo), quote!(push_hi)][i].clone();
                        let (x, lo, hi) = (val(0), val(1), val(2));
                        quote!(ad::clamp::#f(#x, #lo, #hi, &#y, #t))
                    }
                    Op::MulAdd if i == 2 => self.tangent_or_zero(operand),
                    _ if operator(op, o).is_some() => {
                        let name = operator(op, o).expect("an operator");
                        let side = if i == 0 { "l" } else { "r" };
                        let push = format_ident!("{name}_push_{side}");
                        let (a, b) = (val(0), val(1));
                        quote!(ad::Operands(#a, #b).#push(&#y, #t))
                    }
                    _ => {
                        let side = if i == 0 {
                            quote!(push_l)
                        } else {
                            quote!(push_r)
                        };
                        let (a, b) = (val(0), val(1));
                        quote!(ad::#m::#side(#a, #b, &#y, #t))
                    }
                })
            })
            .collect();
        terms
            .into_iter()
            .reduce(|a, b| quote!(ad::tangent_sum(#a, #b)))
            .unwrap_or_else(|| quote!(ad::zero_tangent(&#y)))
    }
}
