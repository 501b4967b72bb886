//! The companion whose pullback is in a box.

use super::*;

impl Surface<'_> {
    /// The reverse-mode companion whose pullback is in a box: its type does not grow with what the
    /// function calls.
    pub fn boxed_companion(&self) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (vis, output) = (self.vis(), self.output());
        let (name, open) = (self.hidden("vjp"), self.hidden("vjp_open"));
        let modes: Vec<_> = (0..self.params.len())
            .map(|i| format_ident!("__M{i}"))
            .collect();
        let mode_decls: Vec<_> = modes.iter().map(|m| quote!(#m: #ad::Mode)).collect();
        let held = Lifetime::new("'__held", Span::mixed_site());
        let generics = self.generics(std::slice::from_ref(&held), &mode_decls);
        let (mut self_decl, mut decls, mut names) = (None, Vec::new(), Vec::new());
        for (p, d) in self.params.iter().zip(self.param_decls(false)) {
            if p.is_self() {
                self_decl = Some(if p.by_mut {
                    quote!(&mut self,)
                } else {
                    quote!(&self,)
                });
            } else {
                decls.push(d);
                names.push(self.name_of(p));
            }
        }
        let types = self.pullback_types(&modes);
        let modes_passed: Vec<_> = modes.iter().map(|m| quote!(#m)).collect();
        let pass = self.pass_generics(Some(&modes_passed));
        let allow: TokenStream = ALLOW.parse().expect("lint names");
        // The box lives as long as the types of the function do.
        let own = self.sig.generics.type_params().map(|t| &t.ident);
        let mut outlive: Vec<_> = own.map(|t| quote!(#t: #held)).collect();
        if self.kind == Kind::Associated {
            outlive.push(quote!(Self: #held));
        }
        let extra = (!outlive.is_empty()).then(|| quote!(#(#outlive),*));
        let where_clause = self.where_clause(extra);
        let call = self.companion_path(&open);
        quote! {
            #[doc(hidden)]
            #[allow(#allow)]
            #vis fn #name #generics(#self_decl __modes: (#(#modes,)*), #(#decls),*)
                -> (#output, ::std::boxed::Box<dyn FnOnce(#ad::Ct<#output>, #(#types),*) + #held>)
            #where_clause
            {
                let (__value, __pullback) = #call #pass(__modes, #(#names),*);
                (__value, ::std::boxed::Box::new(__pullback))
            }
        }
    }
}
