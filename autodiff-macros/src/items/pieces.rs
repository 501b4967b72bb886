//! What the functions for users are put together from.

use super::*;

/// The parts, each with one entry for each parameter that has it.
#[derive(Default)]
pub struct Pieces {
    /// The types of the modes, and these as values.
    pub modes: Vec<TokenStream>,
    pub mode_values: Vec<TokenStream>,
    /// Accumulators.
    pub setup: TokenStream,
    /// Prototypes.
    pub protos: TokenStream,
    /// Those of them that a gradient needs where the arguments are still there.
    pub protos_here: TokenStream,
    /// Accumulators of what the call changed, as zeros.
    pub after: TokenStream,
    /// The same, from the cotangents given by the user.
    pub start: TokenStream,
    /// These cotangents: name and type.
    pub cotangents: Vec<(Ident, TokenStream)>,
    pub call: Vec<TokenStream>,
    pub again: Vec<TokenStream>,
    /// Copies of what is taken by reference, for a pullback that borrows nothing.
    pub kept: TokenStream,
    /// The arguments of [`again`](Self::again), from these.
    pub again_kept: Vec<TokenStream>,
    pub accs: Vec<TokenStream>,
    pub gradient: Vec<TokenStream>,
    /// The same, where the arguments are still there.
    pub gradient_here: Vec<TokenStream>,
    /// The modes under which the gradient is not the tuple of these.
    own: Option<TokenStream>,
}

impl Pieces {
    /// The gradient by an argument that the call does not change, from its cotangent.
    fn finished(
        &mut self,
        param: &ParamDecl,
        ty: &TokenStream,
        proto: &Ident,
        value: &TokenStream,
        ct: &TokenStream,
    ) {
        let ad = quote!(::differentiable::__rt);
        let noted = quote!(let #proto = <#ty as #ad::Differentiable>::proto(#value););
        let gradient = quote!(<#ty as #ad::Differentiable>::finish(&#proto, #ct));
        self.protos.extend(noted.clone());
        self.gradient.push(gradient.clone());
        // An argument that is passed by value is gone.
        if param.by_ref {
            let here = quote!(<#ty as #ad::Differentiable>::finish_here(#value, #ct));
            self.gradient_here.push(here);
        } else {
            self.protos_here.extend(noted);
            self.gradient_here.push(gradient);
        }
    }
}

impl Surface<'_> {
    /// Accumulators, prototypes, the pullback's arguments and the gradient of the user functions.
    pub fn pieces(&self) -> Pieces {
        self.pieces_of(None)
    }

    /// The same, where the other arguments of a method have the mode `others`.
    pub fn pieces_of(&self, others: Option<&TokenStream>) -> Pieces {
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
            let t = self.value_ty(param);
            let is_other = |_: &&TokenStream| !param.is_self() && !param.asked;
            if param.by_mut && !param.constant {
                // Its cotangent is one of the state after the call.
                p.modes.push(quote!(#ad::On));
                let proto = quote!(let #q = <#t as #ad::Differentiable>::proto(#r););
                p.protos.extend(proto.clone());
                p.protos_here.extend(proto);
                p.after.extend(
                    quote!(let mut #d = <#t as #ad::Differentiable>::zero_adj(#r, #ad::On);),
                );
                let ct = derived("ct_", &self.adj_base(param));
                p.start
                    .extend(quote!(let mut #d = <#t as #ad::Differentiable>::start(#ct);));
                p.cotangents
                    .push((ct, quote!(<#t as #ad::Differentiable>::Tangent)));
                let gradient = quote!(<#t as #ad::Differentiable>::finish(&#q, #d));
                p.gradient.push(gradient.clone());
                p.gradient_here.push(gradient);
            } else if param.constant {
                p.modes.push(quote!(#ad::Off));
                p.setup.extend(match param.unread() {
                    true => quote!(let mut #d = #ad::NoGrad;),
                    false => quote!(let mut #d = #ad::no_adj(#r);),
                });
            } else if let Some(mode) = others.filter(is_other) {
                p.modes.push(mode.clone());
                p.setup.extend(quote! {
                    let mut #d = <#t as #ad::Differentiable>::zero_adj(#r, <#mode as ::core::default::Default>::default());
                });
                let ct = quote!(<#mode as #ad::Mode>::into_same::<#t>(#d).expect("a cotangent"));
                p.finished(param, &t, &q, &r, &ct);
            } else {
                p.modes.push(quote!(#ad::On));
                p.setup.extend(
                    quote!(let mut #d = <#t as #ad::Differentiable>::zero_adj(#r, #ad::On);),
                );
                p.finished(param, &t, &q, &r, &quote!(#d));
            }
            if !param.is_self() {
                p.call.push(match param.by_mut {
                    true => quote!(&mut *#n),
                    false => n.clone(),
                });
            }
            if param.by_ref || param.is_self() {
                let again = match (param.by_mut, param.by_ref) {
                    (true, _) => quote!(#ad::Gone),
                    (_, true) => n.clone(),
                    _ => quote!(&#n),
                };
                p.again_kept.push(match self.is_owned(param) {
                    true => {
                        let kept = derived("kept_", &self.adj_base(param));
                        let own = self.own(param);
                        p.kept.extend(quote!(let #kept = #own(#n);));
                        quote!(&*#kept)
                    }
                    false => again.clone(),
                });
                p.again.push(again);
            }
            p.accs.push(quote!(&mut #d));
        }
        p.mode_values = match others {
            Some(_) => p
                .modes
                .iter()
                .map(|m| quote!(<#m as ::core::default::Default>::default()))
                .collect(),
            None => p.modes.clone(),
        };
        p.own = others.cloned();
        p
    }

    /// The mode of the other arguments of a method: its type says it, and a trait for modules, `trait Loss: Module`.
    pub fn others(&self) -> Option<TokenStream> {
        let active = || self.active().map(|(_, p)| p);
        let asked = active().any(ParamDecl::is_self) && active().any(|p| !p.is_self() && !p.asked);
        match (self.kind, self.within, self.outer) {
            (FunctionKind::Associated, Within::Type, Some(_)) if asked => Some(quote!(
                <Self as ::differentiable::__rt::Differentiable>::Others
            )),
            (FunctionKind::Associated, Within::Trait, Some(outer))
                if asked && is_for_modules(outer) =>
            {
                Some(quote!(::differentiable::__rt::Off))
            }
            _ => None,
        }
    }

    /// The gradient by `self` and what is marked `#[wrt]`, or by every argument: the mode says which. Given are the parts
    /// by every argument.
    pub fn gradient_of(&self, mode: &TokenStream, parts: &[TokenStream]) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let is_own: Vec<bool> = self.active().map(|(_, p)| p.is_self() || p.asked).collect();
        let own = parts.iter().zip(&is_own).filter(|(_, own)| **own);
        let own: Vec<_> = own.map(|(g, _)| g.clone()).collect();
        let names: Vec<_> = (0..own.len()).map(|i| format_ident!("__own{i}")).collect();
        let (pattern, mut names) = (one_or_tuple(names.iter().map(|n| quote!(#n))), names.iter());
        let all = one_or_tuple(parts.iter().zip(&is_own).map(|(g, own)| match own {
            true => names.next().map_or_else(TokenStream::new, |n| quote!(#n)),
            false => g.clone(),
        }));
        let own = one_or_tuple(own);
        quote!(<#mode as #ad::Mode>::gradient(#own, |#pattern| #all))
    }

    /// The type of this gradient.
    pub fn gradient_ty_of(&self, mode: &TokenStream) -> TokenStream {
        self.by_own_or_all(
            mode,
            |t| quote!(<#t as ::differentiable::__rt::Differentiable>::Tangent),
        )
    }

    /// A type for `self` and what is marked `#[wrt]`, or for every argument: the mode says which.
    pub fn by_own_or_all(
        &self,
        mode: &TokenStream,
        of: impl Fn(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let own = self.active().filter(|(_, p)| p.is_self() || p.asked);
        let own = one_or_tuple(own.map(|(_, p)| of(self.value_ty(p))));
        let all = one_or_tuple(self.active().map(|(_, p)| of(self.value_ty(p))));
        quote!(<#mode as ::differentiable::__rt::Mode>::Gradient<#own, #all>)
    }

    /// Whether the pullback for users has a copy of an argument: not of one whose type is a parameter that need not be
    /// `Clone`, which it borrows.
    pub fn is_owned(&self, p: &ParamDecl) -> bool {
        let mut names = Vec::new();
        match p.value_ty() {
            Some(t) => crate::syntax::identifiers(t.to_token_stream(), &mut names),
            None => names.push("Self".into()),
        }
        let all = || std::iter::once(&self.sig.generics).chain(self.outer);
        let parameters = all().flat_map(Generics::type_params);
        let mut parameters = parameters.map(|t| t.ident.to_string()).collect::<Vec<_>>();
        if self.within == Within::Trait {
            parameters.push("Self".into());
        }
        let asked = parameters.iter().filter(|t| names.contains(t));
        let cloned = |t: &String| all().any(|g| is_cloned(g, t));
        p.by_ref && !p.by_mut && asked.into_iter().all(cloned)
    }

    /// The function that copies an argument for a pullback.
    pub fn own(&self, p: &ParamDecl) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        match &p.slice_of {
            Some(_) => quote!(#ad::own_all),
            None if is_text(p) => quote!(#ad::own_text),
            None => quote!(#ad::own),
        }
    }

    /// The bounds under which the arguments can be copied, which are asked for at the call.
    pub fn copied<'p>(
        &self,
        params: impl Iterator<Item = &'p ParamDecl>,
        z: &Lifetime,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let kept = params.filter(|p| self.is_owned(p));
        let bounds = kept.filter(|p| !is_text(p)).map(|p| {
            let t = match (&p.slice_of, p.value_ty()) {
                (Some(t), _) => quote!(#t),
                (None, Some(t)) => quote!(#t),
                (None, None) => quote!(Self),
            };
            quote!(#t: #ad::Copied<#z>,)
        });
        quote!(#(#bounds)*)
    }

    pub fn gradient(&self, p: &Pieces) -> TokenStream {
        self.gradient_by(p, &p.gradient)
    }

    /// The gradient, where the arguments are still there.
    pub fn gradient_here(&self, p: &Pieces) -> TokenStream {
        self.gradient_by(p, &p.gradient_here)
    }

    fn gradient_by(&self, p: &Pieces, parts: &[TokenStream]) -> TokenStream {
        match &p.own {
            Some(mode) => self.gradient_of(mode, parts),
            None => one_or_tuple(parts),
        }
    }
}

/// Whether `Self: Module` is among the bounds of a trait.
fn is_for_modules(of_trait: &Generics) -> bool {
    let is_module = |b: &TypeParamBound| match b {
        TypeParamBound::Trait(t) => t.path.segments.last().is_some_and(|s| s.ident == "Module"),
        _ => false,
    };
    let mut predicates = of_trait.where_clause.iter().flat_map(|w| &w.predicates);
    predicates.any(|p| match p {
        syn::WherePredicate::Type(t) => {
            matches!(&t.bounded_ty, Type::Path(p) if p.path.is_ident("Self"))
                && t.bounds.iter().any(is_module)
        }
        _ => false,
    })
}

/// Whether a parameter is a text.
fn is_text(p: &ParamDecl) -> bool {
    matches!(p.value_ty(), Some(Type::Path(p)) if p.path.is_ident("str"))
}

/// Traits whose types are `Clone`.
const CLONED: &[&str] = &[
    "Clone",
    "Copy",
    "Backend",
    "Dim",
    "Elem",
    "Float",
    "FloatElem",
    "Number",
    "Scalar",
    "Shape",
    "StaticDim",
];

/// Whether the bounds of a type parameter, or of `Self`, say that it is `Clone`.
fn is_cloned(g: &Generics, parameter: &str) -> bool {
    let says = |b: &TypeParamBound| match b {
        TypeParamBound::Trait(t) => {
            let last = t.path.segments.last();
            last.is_some_and(|s| CLONED.iter().any(|n| s.ident == n))
        }
        _ => false,
    };
    let inline = g.type_params().filter(|t| t.ident == parameter);
    let clauses = g.where_clause.iter().flat_map(|w| &w.predicates);
    let written = clauses.filter_map(|c| match c {
        syn::WherePredicate::Type(t) => {
            (t.bounded_ty.to_token_stream().to_string() == parameter).then_some(&t.bounds)
        }
        _ => None,
    });
    inline.map(|t| &t.bounds).chain(written).flatten().any(says)
}
