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
    /// Copies of what is taken by reference, for a pullback that borrows nothing.
    pub kept: TokenStream,
    /// The arguments of [`again`](Self::again), from these.
    pub again_kept: Vec<TokenStream>,
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
            let t = self.value_ty(param);
            if param.by_mut && !param.constant {
                // Its cotangent is one of the state after the call.
                p.modes.push(quote!(#ad::On));
                p.setup
                    .extend(quote!(let #q = <#t as #ad::Differentiable>::proto(#r);));
                p.after.extend(
                    quote!(let mut #d = <#t as #ad::Differentiable>::zero_adj(#r, #ad::On);),
                );
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
                    let mut #d = <#t as #ad::Differentiable>::zero_adj(#r, #ad::On);
                    let #q = <#t as #ad::Differentiable>::proto(#r);
                });
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
        p
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
        one_or_tuple(&p.gradient)
    }
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
