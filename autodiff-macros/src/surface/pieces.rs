//! What the functions for users are put together from.

use super::*;

/// The parts, each with one entry for each parameter that has it.
#[derive(Default)]
pub struct Pieces {
    pub modes: Vec<TokenStream>,
    pub setup: TokenStream,
    /// Accumulators of what the call changed, as zeros.
    pub after: TokenStream,
    /// The same, from the cotangents given by the user.
    pub start: TokenStream,
    /// These cotangents: name and type.
    pub cotangents: Vec<(Ident, TokenStream)>,
    pub call: Vec<TokenStream>,
    pub again: Vec<TokenStream>,
    pub accs: Vec<TokenStream>,
    pub gradient: Vec<TokenStream>,
}

impl Surface<'_> {
    /// Accumulators, prototypes, the pullback's arguments and the gradient of the user functions.
    pub fn pieces(&self) -> Pieces {
        let ad = quote!(::differentiable::__rt);
        let mut p = Pieces::default();
        for param in self.params {
            let (n, d, q) = (
                self.name_of(param),
                derived("d_", &self.adj_base(param)),
                derived("q_", &self.adj_base(param)),
            );
            let r = match (param.by_mut, param.by_ref) {
                (true, _) => quote!(&*#n),
                (_, true) => quote!(#n),
                _ => quote!(&#n),
            };
            if param.by_mut && !param.constant {
                // Its cotangent is one of the state after the call.
                let t = self.value_ty(param);
                p.modes.push(quote!(#ad::On));
                p.setup
                    .extend(quote!(let #q = #ad::Differentiable::proto(#r);));
                p.after
                    .extend(quote!(let mut #d = #ad::Differentiable::zero_adj(#r, #ad::On);));
                let ct = derived("ct_", &self.adj_base(param));
                p.start
                    .extend(quote!(let mut #d = <#t as #ad::Differentiable>::start(#ct);));
                p.cotangents
                    .push((ct, quote!(<#t as #ad::Differentiable>::Tangent)));
                p.gradient
                    .push(quote!(<#t as #ad::Differentiable>::finish(&#q, #d)));
            } else if param.constant {
                p.modes.push(quote!(#ad::Off));
                p.setup.extend(match param.unread() {
                    true => quote!(let mut #d = #ad::NoGrad;),
                    false => quote!(let mut #d = #ad::no_adj(#r);),
                });
            } else {
                p.modes.push(quote!(#ad::On));
                p.setup.extend(quote! {
                    let mut #d = #ad::Differentiable::zero_adj(#r, #ad::On);
                    let #q = #ad::Differentiable::proto(#r);
                });
                let t = self.value_ty(param);
                p.gradient
                    .push(quote!(<#t as #ad::Differentiable>::finish(&#q, #d)));
            }
            if !param.is_self() {
                p.call.push(match param.by_mut {
                    true => quote!(&mut *#n),
                    false => n.clone(),
                });
            }
            if param.by_ref || param.is_self() {
                p.again.push(match (param.by_mut, param.by_ref) {
                    (true, _) => quote!(#ad::Gone),
                    (_, true) => n.clone(),
                    _ => quote!(&#n),
                });
            }
            p.accs.push(quote!(&mut #d));
        }
        p
    }

    pub fn gradient(&self, p: &Pieces) -> TokenStream {
        one_or_tuple(&p.gradient)
    }
}
