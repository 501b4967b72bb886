//! Reads the signature of an annotated function: what each parameter is to the derivative.

use crate::input::ctxt::Ctxt;
use crate::input::functions::{self, FnSig};
use crate::input::options::Options;
use crate::input::trait_object;
use crate::syntax::ty::Ty;
use crate::syntax::ty_of;
use proc_macro2::{Ident, Span};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, Pat, ReceiverKind, ReturnType, Signature, Type};

/// A parameter as written.
#[derive(Clone)]
pub struct ParamDecl {
    /// `None` for `self`.
    pub ident: Option<Ident>,
    pub ty: Option<Type>,
    pub mutable: bool,
    pub by_ref: bool,
    /// `&mut`
    pub by_mut: bool,
    pub slice_of: Option<Type>,
    pub constant: bool,
    /// Marked `#[constant]`: its type may be any.
    pub marked: bool,
    /// Marked `#[wrt]`: methods of modules have a gradient by it too.
    pub asked: bool,
    pub discrete: bool,
    /// Constant, and not written over the scalar of companions over any scalar.
    pub unlifted: bool,
    pub kind: Ty,
    /// What it takes and returns, if it is a function: then the type is that of its environment.
    pub function: Option<FnSig>,
    pub span: Span,
}

impl ParamDecl {
    /// The name in the source.
    pub fn name(&self) -> String {
        let name = self.ident.as_ref().map(ToString::to_string);
        name.unwrap_or_else(|| "self".to_string())
    }
    pub fn is_self(&self) -> bool {
        self.ident.is_none()
    }
    /// Whether it is a constant of any type, of which no trait is asked.
    pub fn unread(&self) -> bool {
        self.constant && !self.discrete
    }
    /// With the type of its entries as it is written.
    pub fn as_written(&self) -> ParamDecl {
        let mut p = self.clone();
        if let (Some(_), Some(Type::Slice(s))) = (&self.slice_of, self.value_ty()) {
            p.slice_of = Some((*s.elem).clone());
        }
        p
    }
    /// The type behind the reference, if it is one.
    pub fn value_ty(&self) -> Option<&Type> {
        match &self.ty {
            Some(Type::Reference(r)) => Some(&r.elem),
            other => other.as_ref(),
        }
    }
}

const IMPL_TRAIT: &str = "an `impl Trait` parameter of a `#[differentiable]` function can be a function, `impl Fn(f64) -> f64`: use a named generic parameter for data";

/// Takes the helper attributes off the parameters and classifies them.
pub fn params(sig: &mut Signature, options: &Options, cx: &Ctxt) -> Vec<ParamDecl> {
    let mut out = Vec::new();
    let generics = sig.generics.clone();
    let mut inner_lifetime = false;
    for (index, arg) in sig.inputs.iter_mut().enumerate() {
        match arg {
            FnArg::Receiver(r) => {
                let constant = take_constant(&mut r.attrs, cx);
                if take_wrt(&mut r.attrs, cx) {
                    cx.error(
                        r.self_token,
                        "a method has a gradient by `self`: remove `#[wrt]`",
                    );
                }
                let by_mut = matches!(&r.kind, ReceiverKind::Reference(_, _, Some(_)));
                let by_ref = match &r.kind {
                    ReceiverKind::Value => false,
                    ReceiverKind::Reference(..) => true,
                    ReceiverKind::Typed(_, ty) => {
                        cx.error(ty, "`self` with a written type is not supported in a `#[differentiable]` function: take `&self` or `self`");
                        true
                    }
                    _ => true,
                };
                out.push(ParamDecl {
                    ident: None,
                    ty: None,
                    mutable: r.mutability.is_some(),
                    by_ref,
                    by_mut,
                    slice_of: None,
                    constant: constant || options.wrt_excludes("self"),
                    marked: constant,
                    asked: false,
                    discrete: false,
                    unlifted: false,
                    kind: Ty::Unknown,
                    function: None,
                    span: r.self_token.span,
                });
            }
            FnArg::Typed(t) => {
                let constant = take_constant(&mut t.attrs, cx);
                let asked = take_wrt(&mut t.attrs, cx);
                let (ident, mutable) = match &*t.pat {
                    Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                        (p.ident.clone(), p.mutability.is_some())
                    }
                    other => {
                        cx.error(other, "a parameter of a `#[differentiable]` function must be a plain name: take the value apart with `let` in the body");
                        continue;
                    }
                };
                if let Some(function) = functions::of_param(&t.ty, &generics, cx) {
                    if constant {
                        cx.error(&t.pat, "a function parameter has a gradient only through what it captures: remove `#[constant]`");
                    }
                    let env = functions::env_type(index);
                    out.push(ParamDecl {
                        constant: false,
                        marked: false,
                        asked: false,
                        span: ident.span(),
                        ident: Some(ident),
                        ty: Some(syn::parse_quote!(&#env)),
                        mutable: false,
                        by_ref: true,
                        by_mut: false,
                        slice_of: None,
                        discrete: false,
                        unlifted: false,
                        kind: Ty::Unknown,
                        function: Some(function),
                    });
                    continue;
                }
                let (mut by_ref, mut by_mut, mut slice_of) = (false, false, None);
                match &*t.ty {
                    Type::Reference(r) => {
                        by_ref = true;
                        by_mut = r.mutability.is_some();
                        match &*r.elem {
                            Type::Slice(s) => slice_of = Some((*s.elem).clone()),
                            Type::TraitObject(o) => cx.error(
                                o,
                                "`dyn` arguments cannot be differentiated: use a generic parameter",
                            ),
                            Type::ImplTrait(i) => cx.error(i, IMPL_TRAIT),
                            elem if !constant => no_trait_object(elem, cx),
                            _ => {}
                        }
                    }
                    Type::ImplTrait(i) => cx.error(i, IMPL_TRAIT),
                    ty if !constant => no_trait_object(ty, cx),
                    _ => {}
                }
                let kind = ty_of(&t.ty);
                // A constant that is lent may hold references, whose lifetimes have names in companions.
                let inside = inner_reference(&t.ty).is_some() || has_elided(&t.ty);
                if inside && by_ref && !by_mut && (constant || kind.is_discrete()) {
                    inner_lifetime |= NamedLifetimes(false).name(&mut t.ty);
                    if let (Some(entry), Type::Reference(r)) = (&mut slice_of, &*t.ty) {
                        if let Type::Slice(s) = &*r.elem {
                            *entry = (*s.elem).clone();
                        }
                    }
                } else if let Some(r) = inner_reference(&t.ty) {
                    cx.error(r, "a reference inside the type of a parameter is not supported in a `#[differentiable]` function: for `Option<&T>` take `&Option<T>`, which `match` and `if let` take apart in the same way");
                }
                if let Some(view) = view_of(&t.ty) {
                    cx.error(view, format!("a view (`{view}`) cannot be a parameter of a `#[differentiable]` function, whose pullback borrows nothing: take a reference to an array that owns its entries (`&Array1<f64>`), and call with `&x.to_owned()` where there is only a view"));
                }
                if asked && (constant || kind.is_discrete()) {
                    let what = match constant {
                        true => "marked `#[constant]`",
                        false => "of a discrete type",
                    };
                    cx.error(
                        &ident,
                        format!("`{ident}` is {what} and has no gradient: remove `#[wrt]`"),
                    );
                }
                // What is discrete has a trivial derivative, and references have none.
                let discrete = kind.is_discrete() && !inside;
                out.push(ParamDecl {
                    constant: constant
                        || kind.is_discrete()
                        || options.wrt_excludes(&ident.to_string()),
                    marked: constant,
                    asked,
                    span: ident.span(),
                    ident: Some(ident),
                    ty: Some((*t.ty).clone()),
                    mutable,
                    by_ref,
                    by_mut,
                    slice_of,
                    discrete,
                    unlifted: false,
                    kind,
                    function: None,
                });
            }
        }
    }
    if inner_lifetime {
        let lifetime = inner();
        sig.generics.params.insert(0, syn::parse_quote!(#lifetime));
    }
    options.check_wrt(&out, cx);
    check_header(sig, cx);
    out
}

/// Whether a type has `'_` in it.
fn has_elided(ty: &Type) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_lifetime(&mut self, l: &'a syn::Lifetime) {
            self.0 |= l.ident == "_";
        }
    }
    let mut v = V(false);
    v.visit_type(ty);
    v.0
}

/// The lifetime of references inside of constants that has no name: one for all, since the bounds of two types that
/// differ in it only would be ambiguous.
fn inner() -> syn::Lifetime {
    syn::Lifetime::new("'__i", Span::mixed_site())
}

/// Whether a lifetime is that of references inside of constants.
pub fn is_inner(l: &syn::Lifetime) -> bool {
    l.ident == inner().ident
}

/// Gives lifetimes that have no name this one; whether there are any.
struct NamedLifetimes(bool);

impl NamedLifetimes {
    /// Those behind the reference that a parameter may be.
    fn name(mut self, ty: &mut Type) -> bool {
        match ty {
            Type::Reference(r) => self.visit_type_mut(&mut r.elem),
            ty => self.visit_type_mut(ty),
        }
        self.0
    }
}

impl VisitMut for NamedLifetimes {
    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        if r.lifetime.is_none() {
            r.lifetime = Some(inner());
            self.0 = true;
        }
        visit_mut::visit_type_reference_mut(self, r);
    }
    fn visit_lifetime_mut(&mut self, l: &mut syn::Lifetime) {
        if l.ident == "_" {
            *l = inner();
            self.0 = true;
        }
    }
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    fn visit_type_trait_object_mut(&mut self, _: &mut syn::TypeTraitObject) {}
}

/// The name of the type, if it is that of views of ndarray.
fn view_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Reference(r) => view_of(&r.elem),
        Type::Path(p) => {
            let name = &p.path.segments.last()?.ident;
            name.to_string().starts_with("ArrayView").then_some(name)
        }
        _ => None,
    }
}

/// A reference to data inside a type, such as `Option<&T>`: it has no cotangent of its own.
pub fn inner_reference(ty: &Type) -> Option<&syn::TypeReference> {
    struct V<'a>(Option<&'a syn::TypeReference>);
    impl<'a> Visit<'a> for V<'a> {
        fn visit_type_reference(&mut self, r: &'a syn::TypeReference) {
            self.0.get_or_insert(r);
        }
        // What is called has signatures of its own.
        fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
        fn visit_type_trait_object(&mut self, _: &'a syn::TypeTraitObject) {}
        fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {}
    }
    let mut v = V(None);
    match ty {
        Type::Reference(r) => v.visit_type(&r.elem),
        ty => v.visit_type(ty),
    }
    v.0
}

fn no_trait_object(ty: &Type, cx: &Ctxt) {
    if let Some(object) = trait_object::inside(ty) {
        cx.error(object, trait_object::message(object));
    }
}

/// The rules that concern the function as a whole.
fn check_header(sig: &Signature, cx: &Ctxt) {
    if let Some(c) = &sig.constness {
        cx.error(
            c,
            "a `const fn` cannot be `#[differentiable]`: remove `const`",
        );
    }
    if let Some(a) = &sig.asyncness {
        cx.error(
            a,
            "an `async fn` cannot be `#[differentiable]`: differentiate the computation it awaits",
        );
    }
    if let syn::Safety::Unsafe(u) = &sig.safety {
        cx.error(
            u,
            "an `unsafe fn` cannot be `#[differentiable]`: wrap it and give the wrapper a rule",
        );
    }
    if let Some(a) = &sig.abi {
        cx.error(
            a,
            "a function with a foreign ABI cannot be `#[differentiable]`",
        );
    }
    if let Some(v) = &sig.variadic {
        cx.error(v, "a variadic function cannot be `#[differentiable]`");
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        match &**ty {
            Type::Reference(r) => cx.error(
                r,
                "a `#[differentiable]` function cannot return a reference: return an owned value",
            ),
            Type::ImplTrait(i) => cx.error(
                i,
                "a `#[differentiable]` function cannot return `impl Trait`: name the type",
            ),
            _ => {}
        }
    }
}

/// Takes the helper attributes off the parameters.
pub fn strip(sig: &mut Signature) {
    let unheard = Ctxt::new();
    for arg in &mut sig.inputs {
        let attrs = match arg {
            FnArg::Receiver(r) => &mut r.attrs,
            FnArg::Typed(t) => &mut t.attrs,
        };
        take_constant(attrs, &unheard);
        take_wrt(attrs, &unheard);
    }
    let _ = unheard.check();
}

/// Whether a method lends text or other data without numbers: `fn name(&self) -> &'static str`. There is nothing
/// to differentiate in what it gives.
pub fn lends_no_number(sig: &Signature) -> bool {
    let ReturnType::Type(_, ty) = &sig.output else {
        return false;
    };
    let Type::Reference(r) = &**ty else {
        return false;
    };
    let forever = r.lifetime.as_ref().is_some_and(|l| l.ident == "static");
    let text =
        matches!(&*r.elem, Type::Path(p) if p.path.is_ident("str") || p.path.is_ident("String"));
    r.mutability.is_none() && (forever || text || ty_of(&r.elem).is_discrete())
}

/// Removes `#[constant]` and its alias `#[no_grad]`.
fn take_constant(attrs: &mut Vec<syn::Attribute>, cx: &Ctxt) -> bool {
    take(attrs, &["constant", "no_grad"], "constant", cx)
}

/// Removes `#[wrt]`.
fn take_wrt(attrs: &mut Vec<syn::Attribute>, cx: &Ctxt) -> bool {
    take(attrs, &["wrt"], "wrt", cx)
}

fn take(attrs: &mut Vec<syn::Attribute>, names: &[&str], shown: &str, cx: &Ctxt) -> bool {
    let before = attrs.len();
    attrs.retain(|a| {
        let ours = names.iter().any(|n| a.path().is_ident(n));
        if ours && !matches!(a.meta, syn::Meta::Path(_)) {
            cx.error(a, format!("`#[{shown}]` takes no arguments"));
        }
        !ours
    });
    attrs.len() != before
}
