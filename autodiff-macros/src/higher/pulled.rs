//! The companions of the pullback of `g::vjp`: what is called where another differentiable function pulls back.
//!
//! `pulled(x, c) = Jᵀc`. Its pullback takes `u` to `c: J u` and `x: ∂(Jᵀc) u`, which are tangents of value and gradient
//! at `x + uε`. The pushforward is the same function over duals.
//!
//! In the body the pullback is a closure that calls it: see `lower::pullbacks`.

use super::along::is_own_tangent;
use super::check::Scalar;
use crate::input::signature::ParamDecl;
use crate::items::Surface;
use crate::syntax::names::derived;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;

impl Surface<'_> {
    /// `__pulled` and its companions; `None` where a type has no derivative of its tangent, and for methods.
    pub(super) fn nested_pullback(&self, scalar: &Scalar) -> Option<TokenStream> {
        let ty = syn::parse2::<Type>(self.output()).ok()?;
        if !is_own_tangent(&ty, scalar) || !self.has_nested(scalar) {
            return None;
        }
        let mut params = self.params.to_vec();
        params.push(ParamDecl {
            ident: Some(format_ident!("__of_value")),
            span: proc_macro2::Span::call_site(),
            kind: crate::syntax::ty_of(&ty),
            ty: Some(ty),
            mutable: false,
            by_ref: false,
            by_mut: false,
            slice_of: None,
            constant: false,
            marked: false,
            asked: false,
            discrete: false,
            unlifted: false,
            function: None,
        });
        let both = Surface {
            params: &params,
            ..*self
        };
        let gradient_ty = self.gradient_ty();
        let parts: Vec<_> = self.active().map(|(_, p)| self.value_ty(p)).collect();
        let (value, reverse, forward) = (
            self.pulled_value(&both, scalar),
            self.pulled_reverse(&both, scalar),
            both.pushed_member("__pulled", scalar, &gradient_ty, &parts),
        );
        Some(quote!(#value #reverse #forward))
    }

    fn pulled_value(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let output = self.output();
        let pieces = self.pieces();
        let gradient = self.gradient(&pieces);
        let (modes, setup, call) = (&pieces.modes, &pieces.setup, &pieces.call);
        let protos = &pieces.protos;
        let (again, accs) = (&pieces.again, &pieces.accs);
        let pass = self.pass_generics(Some(modes));
        let body = quote! {
            #setup
            #protos
            let (__value, __pullback) = Self::__vjp #pass((#(#modes,)*), #(#call),*);
            __pullback(<#output as #ad::Differentiable>::start(__of_value), #(#again,)* #(#accs),*);
            #gradient
        };
        both.member("__pulled", scalar, &self.gradient_ty(), &body)
    }

    fn pulled_reverse(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (s, item) = (scalar.ty(), self.item(scalar));
        let (output, gradient_ty) = (self.output(), self.gradient_ty());
        let (args, add) = (
            self.lifted_along(&quote!(__u), scalar),
            self.add_tangents(scalar),
        );
        let d_of = derived("d_", &format_ident!("__of_value"));
        both.nested_vjp(
            "__pulled",
            &gradient_ty,
            scalar,
            &quote! {
                let __u = <#gradient_ty as #ad::Differentiable>::finish(&__proto, __ct);
                let __args = (#(#args,)*);
                let __ct = <#output as #ad::Lift<#s, #ad::Dual<#s>>>::lift(
                    &__of_value,
                    &mut <#ad::Dual<#s> as #ad::Extends<#s>>::constant,
                );
                let __pushed = #ad::value_within::<#item, _>(&__args);
                let __gradient = <#item as #ad::DifferentiableFn<_>>::vjp_inlined(&__args, __ct);
                #add
                #ad::acc(
                    &#ad::wit(&__of_value),
                    <#output as #ad::Differentiable>::start(#ad::part::<#s, 1, #output>(&__pushed, 0)),
                    #d_of,
                );
            },
        )
    }
}
