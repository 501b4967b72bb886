//! The companions that a body calls, and how they are imported.

use crate::input::signature::ParamDecl;
use crate::ir::Callee;
use crate::ir::*;
use crate::items::checked::Checked;
use crate::knowledge::operators::instead;
use crate::knowledge::operators::matrix_operator;
use crate::passes::over_scalar::with_generics;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::cell::RefCell;
use std::collections::HashSet;

/// The companions that a body calls.
#[derive(Default)]
pub struct Callees {
    functions: RefCell<Vec<Function>>,
    methods: RefCell<Vec<(String, TokenStream)>>,
    /// Methods of values whose type is a parameter.
    of_parameters: HashSet<String>,
}

/// A called function.
struct Function {
    path: syn::Path,
    /// How many arguments calls of its companion have.
    args: usize,
    /// Whether its gradient is called.
    gradient: bool,
    /// Whether its Hessian or its Jacobian is.
    matrix: bool,
    /// Whether another operator is.
    own: bool,
    /// Whether something but a matrix is: then it is a function, and no module that has functions with these names.
    typed: bool,
}

impl Callees {
    /// Those of a function, of whose parameters the generics are known.
    pub fn of(f: &Func, params: &[ParamDecl], generics: &[&syn::Generics]) -> Self {
        let mut found = Vec::new();
        methods_of(&f.body, &mut found);
        let is_one = |v: VarId| {
            let ty = f.vars[v].param.and_then(|k| params.get(k)?.value_ty());
            ty.is_some_and(|t| generics.iter().any(|g| parameter(t, g).is_some()))
        };
        let of_parameters = found.into_iter().filter(|(_, root, _)| is_one(*root));
        let of_parameters = of_parameters.map(|(_, _, name)| name.to_string()).collect();
        Callees {
            of_parameters,
            ..Callees::default()
        }
    }

    /// Resolves a called path; remembers what must be imported.
    fn resolve(&self, path: &syn::Path, args: usize) -> Callee {
        let mut path = path.clone();
        let mut generics = None;
        if let Some(last) = path.segments.last_mut() {
            if let syn::PathArguments::AngleBracketed(a) = std::mem::take(&mut last.arguments) {
                generics = Some(a.args.to_token_stream());
            }
        }
        let n = path.segments.len();
        let name = path.segments[n - 1].ident.clone();
        let owner = (n >= 2).then(|| path.segments[n - 2].ident.to_string());
        if owner.is_some_and(|o| o.starts_with(char::is_uppercase)) {
            let with = |suffix: &str| {
                let mut path = path.clone();
                path.segments[n - 1].ident =
                    format_ident!("__{}_{suffix}", name, span = name.span());
                path.to_token_stream()
            };
            return Callee {
                vjp: with("vjp"),
                jvp: with("jvp"),
                generics,
                weight: None,
                owner: None,
                over: None,
            };
        }
        let of_gradients = match name.to_string().as_str() {
            "grad" => Some("grad"),
            "value_and_grad" => Some("value_and_grad"),
            "__along" => Some("along"),
            "__hvp" => Some("hvp"),
            "__pulled" => Some("pulled"),
            name => matrix_operator(name),
        };
        if let Some(of) = of_gradients.filter(|_| n >= 2) {
            return self.gradient(path, &Ident::new(of, name.span()), generics, args);
        }
        let alias = self.import_of(path, name.span(), args, true);
        Callee {
            vjp: quote_spanned!(name.span()=> #alias::__vjp),
            jvp: quote_spanned!(name.span()=> #alias::__jvp),
            over: Some(with_generics(
                quote_spanned!(name.span()=> #alias::__over),
                generics.as_ref(),
            )),
            generics,
            weight: Some(quote_spanned!(name.span()=> #alias::__WEIGHT)),
            owner: Some(quote!(#alias)),
        }
    }

    /// The companions of `g::grad`, `g::jvp`, `g::hessian` and the like: they belong to the function `g`.
    fn gradient(
        &self,
        mut path: syn::Path,
        name: &Ident,
        generics: Option<TokenStream>,
        args: usize,
    ) -> Callee {
        let owners = path.segments.len() - 1;
        path.segments = path.segments.into_iter().take(owners).collect();
        let key = path.clone();
        let matrix = matrix_operator(&name.to_string()).is_some();
        let mut alias = self.import_of(path, name.span(), args, !matrix);
        if let Some(f) = self
            .functions
            .borrow_mut()
            .iter_mut()
            .find(|f| f.path == key)
        {
            f.gradient = true;
            f.matrix |= matrix;
            f.own |= !matrix;
        }
        if !matrix {
            alias = own_alias(&alias);
        }
        let with = |suffix: &str| {
            let companion = format_ident!("__{name}_{suffix}", span = name.span());
            quote_spanned!(name.span()=> #alias::#companion)
        };
        let over = format_ident!("__{name}", span = name.span());
        let over = quote_spanned!(name.span()=> #alias::#over);
        Callee {
            vjp: with("vjp"),
            jvp: with("jvp"),
            over: Some(with_generics(over, generics.as_ref())),
            generics,
            // Its pullback holds arguments only.
            weight: Some(quote!(1usize)),
            owner: None,
        }
    }

    /// The name under which a called function is imported; what is called there may be over one scalar, or find its own.
    fn import_of(&self, path: syn::Path, span: Span, args: usize, typed: bool) -> Ident {
        let mut list = self.functions.borrow_mut();
        let index = list.iter().position(|f| f.path == path);
        let index = index.unwrap_or_else(|| {
            list.push(Function {
                path,
                args,
                gradient: false,
                own: false,
                matrix: false,
                typed: false,
            });
            list.len() - 1
        });
        list[index].args = list[index].args.max(args);
        list[index].typed |= typed;
        alias(index, span)
    }

    /// Remembers a called method.
    fn note_method(&self, name: &Ident, args: usize) {
        let key = format!(".{name}/{args}");
        let mut list = self.methods.borrow_mut();
        if list.iter().any(|(k, _)| *k == key) {
            return;
        }
        let module = format_ident!("__fallback_method{}", list.len());
        let (vjp, jvp) = {
            let companion = |mode| format_ident!("__{}_{mode}", name, span = Span::call_site());
            (companion("vjp"), companion("jvp"))
        };
        let generic = |letter: &str| {
            (0..args)
                .map(|i| format_ident!("{letter}{i}"))
                .collect::<Vec<_>>()
        };
        let (a, t) = (generic("A"), generic("T"));
        let message = missing(name);
        // Of a type that is a parameter nothing says that it is no `Box`.
        let any = self.of_parameters.contains(&name.to_string());
        let any = any.then(|| quote!([]));
        list.push((
            key,
            quote!(
                ::differentiable::__companion_method! { #message #module #name #vjp #jvp [#(#a)*] [#(#t)*] #any }
            ),
        ));
    }

    /// The imports; also of companions over any scalar, if there are such of the caller (`over`).
    pub fn imports(&self, over: bool, checked: Option<&Checked>) -> TokenStream {
        let functions = self.functions.borrow();
        let functions = functions
            .iter()
            .enumerate()
            .map(|(k, f)| f.import(k, over, checked));
        let methods = self.methods.borrow();
        functions
            .chain(methods.iter().map(|(_, t)| t.clone()))
            .collect()
    }
}

impl Function {
    fn import(&self, k: usize, over: bool, checked: Option<&Checked>) -> TokenStream {
        let path = &self.path;
        let Some(name) = path.segments.last().map(|s| &s.ident) else {
            return TokenStream::new();
        };
        let (mut alias, module) = (alias(k, name.span()), format_ident!("__fallback{k}"));
        let imported = alias.clone();
        // Calls go by a type that is an error where the caller has one, unless it may be a module.
        let silent = checked.filter(|_| self.typed).map(|checked| {
            let called =
                std::mem::replace(&mut alias, Ident::new(&format!("__path{k}"), name.span()));
            let ty = checked.wrapped(&syn::parse_quote!(#alias));
            quote! {
                #[allow(non_camel_case_types, dead_code)]
                type #called = #ty;
            }
        });
        let generic = |letter: &str| {
            (0..self.args)
                .map(|i| format_ident!("{letter}{i}"))
                .collect::<Vec<_>>()
        };
        let (a, t) = (generic("A"), generic("T"));
        let mut message = missing(name);
        if let Some(instead) = instead(&name.to_string()).filter(|_| path.segments.len() > 1) {
            message += &format!(". The operator `{name}` has one in another form: {instead}");
        }
        let over = (over && self.typed).then(|| {
            let message = format!("`{name}` has a first derivative only: annotate it with `#[differentiable(higher_order)]`, make it generic over `T: ad::Scalar`, or wrap the call in `no_grad!`");
            let (over, module) = (
                Ident::new(&format!("__over{k}"), name.span()),
                format_ident!("__fallback_over{k}"),
            );
            quote!(::differentiable::__companion_over! { #message #alias #over #module #name [#(#a)*] [#(#t)*] })
        });
        let own = self.own.then(|| {
            let own = own_alias(&imported);
            quote! {
                #[allow(non_camel_case_types)]
                type #own = <::differentiable::__rt::Choice<{
                    use ::differentiable::__rt::methods::*;
                    #imported::__OWN
                }> as ::differentiable::__rt::Owned<#imported>>::Item;
            }
        });
        let gradient = self.gradient.then(|| {
            let by = match self.matrix {
                true => "; Hessians and Jacobians have one by numbers, arrays, `Vec`s and tuples: by others take `hvp` and `jvp` along unit vectors",
                false => "",
            };
            let message = format!("derivatives of `{name}` have no derivative here: annotate `{name}` with `#[differentiable(higher_order)]`, or wrap the call in `no_grad!`{by}");
            let module = format_ident!("__fallback_gradient{k}");
            quote!(::differentiable::__companion_gradient! { #message #module #name [#(#a)*] [#(#t)*] })
        });
        quote!(
            ::differentiable::__companion! { #message #alias #module #name [#(#a)*] [#(#t)*] #path }
            #silent
            #over
            #own
            #gradient
        )
    }
}

/// The type parameters of constants of which methods with a derivative are called.
pub fn called_parameters(f: &Func, params: &[ParamDecl], generics: &syn::Generics) -> Vec<Ident> {
    let mut found = Vec::new();
    methods_of(&f.body, &mut found);
    let mut all: Vec<Ident> = Vec::new();
    for (value, root, _) in found {
        let param = f.vars[root].param.and_then(|k| params.get(k));
        let param = param.filter(|p| p.constant && f.vars[value].active);
        let ty = param.and_then(ParamDecl::value_ty);
        if let Some(p) = ty.and_then(|t| parameter(t, generics)) {
            if !all.contains(p) {
                all.push(p.clone());
            }
        }
    }
    all
}

/// The signature with the bound that these parameters have a derivative.
pub fn with_derivatives(mut sig: syn::Signature, parameters: &[Ident]) -> syn::Signature {
    for p in parameters {
        let bound = syn::parse_quote!(#p: ::differentiable::__rt::Differentiable);
        sig.generics.make_where_clause().predicates.push(bound);
    }
    sig
}

/// The methods that are called on variables: their values, the variables and the names.
fn methods_of<'f>(b: &'f Block, found: &mut Vec<(VarId, VarId, &'f Ident)>) {
    for s in b.deep() {
        if let StmtKind::Def(value, Rhs::Method { receiver, name, .. }) = &s.kind {
            let root = match &receiver.operand {
                Operand::Place { place, .. } => Some(place.root).filter(|_| place.is_var()),
                Operand::Native(n) if matches!(n.expr, syn::Expr::Path(_)) => {
                    n.uses.first().copied()
                }
                _ => None,
            };
            found.extend(root.map(|root| (*value, root, name)));
        }
    }
}

/// The type parameter that a type is, unless it is dereferenced.
fn parameter<'g>(t: &syn::Type, generics: &'g syn::Generics) -> Option<&'g Ident> {
    let syn::Type::Path(p) = t else { return None };
    let derefs = crate::syntax::bounded(
        generics,
        |b| matches!(b, syn::TypeParamBound::Trait(t) if t.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with("Deref"))),
    );
    let mut all = generics.type_params().map(|t| &t.ident);
    all.find(|i| p.path.is_ident(*i) && !derefs.contains(i))
}

fn missing(name: &Ident) -> String {
    if name == "at" {
        // Written by the user, or by us for an index that is an array.
        return "`at` has no derivative here: an index like `[[i, j]]` has one on tensors of `f32` or `f64`; annotate a method of your own with `#[differentiable]`".into();
    }
    format!("`{name}` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = {name})]`, or wrap the call in `no_grad!`")
}

fn alias(k: usize, span: Span) -> Ident {
    Ident::new(&format!("__callee{k}"), span)
}

/// What the companions of derivatives of a callee are called: `__callee_own0` of `__callee0`.
fn own_alias(callee: &Ident) -> Ident {
    let name = callee.to_string().replace("__callee", "__callee_own");
    Ident::new(&name, callee.span())
}

impl Resolve for Callees {
    fn callee(&self, path: &syn::Path, args: usize) -> Callee {
        self.resolve(path, args)
    }

    fn method(&self, name: &Ident, args: usize) {
        self.note_method(name, args);
    }
}
