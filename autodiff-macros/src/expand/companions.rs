//! The companions put together: what stands beside a function.

use super::function::{Bodies, Companions, Function, Signatures};
use crate::emit::vjp::Emitted;
use crate::explain;
use crate::higher::{self, Higher, Scalar};
use crate::input::boxing::Boxing;
use crate::items::function_trait::Caller;
use crate::items::{FunctionKind, Surface, Within};
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::Block;

/// The companions that are the same for functions and methods, as items.
struct Written {
    weight: TokenStream,
    value: Option<TokenStream>,
    vjp: TokenStream,
    vjp_over: TokenStream,
    jvp: TokenStream,
    /// What users call.
    user: TokenStream,
    /// What names the regions, where these stand around the companions.
    regions: TokenStream,
    /// What companions call: it stands around them, or in each of them.
    outer: TokenStream,
    inner: TokenStream,
}

impl Function<'_> {
    /// The items, of the bodies of the companions; `inside` are those of the function's own body.
    pub fn items(
        &self,
        body: &Block,
        bodies: Bodies,
        sigs: &Signatures,
        scalar: Option<Scalar>,
        inside: TokenStream,
        inner_names: bool,
    ) -> Companions {
        let bodies = match &self.checked {
            Some(checked) => bodies.checked(checked, &self.params),
            None => bodies,
        };
        let surface = self.surface(match bodies.boxing {
            Boxing::Boxed => &sigs.boxed,
            _ => &sigs.reverse,
        });
        let forward = self.surface(&sigs.forward);
        let (written, fused) = self.written(&bodies, &surface, &forward, &scalar, inner_names);
        let beside = self.checked.as_ref().map(|c| c.item(&bodies.literals));
        let first = match fused {
            Some(call) => Some(quote!(if ::differentiable::__rt::FUSED { return #call; })),
            None => self.opened(),
        };
        let companions = Companions {
            first,
            beside: beside.unwrap_or_default(),
            ..Companions::default()
        };
        let over = bodies.over.as_ref();
        match self.kind {
            FunctionKind::Associated => Companions {
                over: written.of_type(over, &surface),
                items: written.of_method(),
                ..companions
            },
            FunctionKind::Free => {
                let (items, like_operator) =
                    self.beside(body, over, written, (&surface, &forward), scalar, inside);
                Companions {
                    items,
                    in_module: like_operator,
                    ..companions
                }
            }
        }
    }

    fn written(
        &self,
        bodies: &Bodies,
        surface: &Surface<'_>,
        forward: &Surface<'_>,
        scalar: &Option<Scalar>,
        inner_names: bool,
    ) -> (Written, Option<TokenStream>) {
        // The companions share the imports, unless names of the body stand in them.
        let imports = bodies.imports.clone();
        let (outer, inner, regions) = match self.is_free() && !inner_names {
            true => (imports, TokenStream::new(), bodies.regions.clone()),
            false => (TokenStream::new(), imports, TokenStream::new()),
        };
        let (boxing, calls) = (bodies.boxing, &bodies.calls);
        // The weight is that of the function itself, whatever its pullback is in.
        let weight = surface.weight(boxing, calls);
        let reverse = |vjp: &Emitted| {
            let mut items = surface.vjp_companion(Some(vjp), &inner, boxing == Boxing::Open);
            if boxing != Boxing::Open {
                items.extend(surface.closed_companion(boxing, calls, &inner));
            }
            items
        };
        let vjp_over = bodies.vjp_over.as_ref().map(reverse);
        let vjp = reverse(&bodies.vjp);
        let jvp = forward.jvp_companion(Some(&bodies.jvp), &inner);
        let value = bodies.value.as_ref();
        let (value, fused) = value
            .and_then(|e| surface.value_companion(e, &inner))
            .unzip();
        let asked = self.options.higher_order;
        let mut user = match surface.within {
            // The trait has them for all types.
            Within::TraitImpl => TokenStream::new(),
            _ => surface.user_functions(asked.is_none() || scalar.is_none() || !self.is_free()),
        };
        if self.options.explain {
            let owner = self.siblings().and_then(|s| s.ty.as_ref());
            let code = quote!(#outer #vjp #jvp);
            let report = bodies.report.clone();
            user.extend(explain::deliver(report, owner, surface, &code, self.cx));
        }
        if let (FunctionKind::Associated, Some(span)) = (self.kind, asked) {
            user.extend(surface.method_of_higher_order(scalar.as_ref(), span, self.cx));
        }
        let written = Written {
            weight,
            value,
            vjp_over: vjp_over.unwrap_or_else(|| vjp.clone()),
            vjp,
            jvp,
            user,
            regions,
            outer,
            inner,
        };
        (written, fused)
    }

    /// What stands beside a free function, and what stands in its module.
    fn beside(
        &self,
        body: &Block,
        over: Option<&Emitted>,
        written: Written,
        (surface, forward): (&Surface<'_>, &Surface<'_>),
        scalar: Option<Scalar>,
        inside: TokenStream,
    ) -> (TokenStream, TokenStream) {
        let Written {
            weight,
            value,
            vjp,
            vjp_over,
            jvp,
            user,
            regions,
            outer,
            inner,
        } = written;
        let name = &self.sig.ident;
        let function = surface.function_trait(Caller::Helpers);
        let item = surface.item_companions(forward);
        let over = match over {
            Some(over) => surface.over_companion(over, &inner),
            None => surface.over_itself(),
        };
        let emitted = higher::Emitted {
            companions: &quote!(#vjp_over #jvp #item),
            over: &over,
        };
        let higher = scalar.as_ref().map(|scalar| Higher {
            surface,
            scalar,
            body,
            marked: &self.options.marked,
            cx: self.cx,
            tensors: [surface.sig.to_token_stream(), over.clone()]
                .iter()
                .any(|code| higher::of_tensors(code, &self.options.marked)),
        });
        let like_operator = higher::like_operator(surface, higher.as_ref());
        let asked = self.options.higher_order.is_some();
        let higher = higher.map(|h| h.items(&emitted, asked));
        let items = quote! {
            #inside
            #outer
            impl #name { #weight #value #vjp #jvp #user #item #regions }
            #function
            #higher
        };
        (items, like_operator)
    }
}

impl Written {
    fn of_method(self) -> TokenStream {
        let Written {
            value,
            vjp,
            jvp,
            user,
            ..
        } = self;
        quote!(#value #vjp #jvp #user)
    }

    /// What the type of a method has over any scalar.
    fn of_type(&self, over: Option<&Emitted>, surface: &Surface<'_>) -> TokenStream {
        let Some(over) = over else {
            return TokenStream::new();
        };
        let (vjp_over, jvp) = (&self.vjp_over, &self.jvp);
        let itself = surface.over_method(over, &self.inner);
        quote!(#itself #vjp_over #jvp)
    }
}
