//! What stands beside a function: the driver, which names every step from its signature and body to its companions.

use crate::emit::jvp::Jvp;
use crate::emit::slope;
use crate::emit::vjp::around::Around;
use crate::emit::vjp::{Emitted, Vjp};
use crate::explain::Explain;
use crate::higher::{self, Scalar};
use crate::input::boxing::Boxing;
use crate::input::checkpoint::{self, Marked};
use crate::input::ctxt::Ctxt;
use crate::input::functions::{self, Mode};
use crate::input::options::Options;
use crate::input::plain;
use crate::input::signature::{self, ParamDecl};
use crate::input::well_formed::{bare_trait_object, NEEDS_DYN};
use crate::ir::{Callee, Func, Needs, Resolve};
use crate::items::callees::{called_parameters, with_derivatives, Callees};
use crate::items::checked::{self, Checked, Literals};
use crate::items::{Calls, FunctionKind, Surface, Within};
use crate::lower;
use crate::passes::over_scalar::{keep_all, over_calls};
use crate::passes::{self, Fusion};
use crate::rewrite::siblings::Siblings;
use crate::rewrite::{self, local_items, Source};
use crate::syntax::tokens_mention;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use std::cell::RefCell;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{Block, Generics, Item, Signature, Visibility};

/// What the functions of an `impl` block or a trait have in common.
#[derive(Clone, Copy)]
pub struct Members<'a> {
    pub generics: &'a Generics,
    pub siblings: &'a Siblings,
    pub within: Within,
    /// The type of an `impl` block.
    pub ty: Option<&'a syn::Type>,
    /// The trait of an `impl` of one.
    pub of_trait: Option<&'a syn::Path>,
    /// That of a type whose numbers are fixed, where derivatives of higher order are asked for.
    pub scalar: Option<&'a Scalar>,
}

/// What stands beside a function.
#[derive(Default)]
pub struct Companions {
    pub items: TokenStream,
    /// A statement before the body of the function: a call that runs it with its operations fused, or a scope.
    pub first: Option<TokenStream>,
    /// Of a method what its type has over any scalar, before the scalar is exchanged.
    pub over: TokenStream,
    /// What stands beside the function, or beside the block of a method.
    pub beside: TokenStream,
    /// What stands in the module of the function, by its name.
    pub in_module: TokenStream,
}

/// The companions of a function: of one that cannot have any there are none, of a required one of a trait only names.
pub fn companions(
    written: &mut Signature,
    vis: &Visibility,
    body: Option<&mut Block>,
    kind: FunctionKind,
    members: Option<Members<'_>>,
    options: &Options,
    cx: &Ctxt,
) -> Companions {
    let Some(function) = Function::of(written, vis, body, kind, members, options, cx) else {
        return Companions::default();
    };
    match &function.body {
        Some(marked) => function.expand(&marked.body),
        None => function.required(),
    }
}

/// A function that is differentiated: what its attribute and its signature say.
pub struct Function<'a> {
    pub sig: Signature,
    pub vis: &'a Visibility,
    pub kind: FunctionKind,
    pub members: Option<Members<'a>>,
    pub options: Options,
    pub params: Vec<ParamDecl>,
    /// The parameters as the companions show them.
    pub shown: Vec<ParamDecl>,
    pub checked: Option<Checked>,
    pub body: Option<Marked>,
    /// How many errors there were before.
    pub before: usize,
    pub cx: &'a Ctxt,
}

/// The bodies of the companions.
pub struct Bodies {
    pub jvp: Emitted,
    pub vjp: Emitted,
    /// The function with its operations fused.
    pub value: Option<Emitted>,
    /// The same two over any scalar: the function itself, and its reverse where that is another.
    pub over: Option<Emitted>,
    pub vjp_over: Option<Emitted>,
    /// The companions that they call, and the regions.
    pub imports: TokenStream,
    /// The function that names the regions.
    pub regions: TokenStream,
    pub calls: Calls,
    pub boxing: Boxing,
    pub report: Option<String>,
    pub literals: Literals,
}

/// The signatures of the companions.
pub struct Signatures {
    pub reverse: Signature,
    pub boxed: Signature,
    pub forward: Signature,
}

impl Function<'_> {
    /// Every step, in its order.
    fn expand(&self, body: &Block) -> Companions {
        let scalar = self.scalar(body);
        let (body_alone, items) =
            rewrite::whole(body, &self.params, self.is_free(), &self.inner(), self.cx);
        let source = Source::of(
            &self.params,
            &body_alone,
            &self.sig.output,
            self.siblings(),
            self.cx,
        );
        let rewritten = rewrite::all(&source, &body_alone);
        let mut f = lower::function(
            &self.params,
            &body_alone,
            rewritten,
            self.siblings(),
            self.cx,
        );
        if !self.failed() {
            passes::shared(&mut f, &self.params, &self.fusion(&scalar), self.cx);
        }
        let sigs = self.signatures(&called_parameters(&f, &self.params, &self.sig.generics));
        let inner_names = has_items(&body_alone);
        let bodies = match self.failed() {
            true => Bodies::none(),
            false => {
                let bodies = self.bodies(body, f, &sigs, &scalar, inner_names);
                match self.scope() {
                    Some(name) => bodies.within(&name),
                    None => bodies,
                }
            }
        };
        self.items(
            body,
            bodies,
            &sigs,
            scalar,
            local_items::beside(&items),
            inner_names,
        )
    }

    /// The name under which a graph has what the function records; one without tensors records nothing.
    fn scope(&self) -> Option<String> {
        let tensors = HashSet::from(["Tensor".to_owned()]);
        if !tokens_mention(self.sig.to_token_stream(), &tensors) {
            return None;
        }
        let name = self.sig.ident.unraw().to_string();
        let of = self.members.and_then(|m| match m.ty {
            Some(syn::Type::Path(ty)) => ty.path.segments.last(),
            _ => None,
        });
        Some(match of {
            Some(of) => format!("{}::{name}", of.ident),
            None => name,
        })
    }

    /// A statement that opens that scope.
    pub fn opened(&self) -> Option<TokenStream> {
        let plain = self.sig.asyncness.is_none() && self.sig.constness.is_none();
        let name = self.scope().filter(|_| plain)?;
        Some(quote!(let __scope = ::differentiable::__rt::scope(#name);))
    }

    /// What the attribute and the signature say; none where these are refused.
    fn of<'a>(
        written: &mut Signature,
        vis: &'a Visibility,
        mut body: Option<&mut Block>,
        kind: FunctionKind,
        members: Option<Members<'a>>,
        options: &Options,
        cx: &'a Ctxt,
    ) -> Option<Function<'a>> {
        let before = cx.error_count();
        // The function itself stays as it is written, but for attributes of ours.
        let (mut sig, mut plain_body) = (written.clone(), body.as_deref().cloned());
        let renaming = plain::function(&mut sig, plain_body.as_mut(), cx);
        let options = options.renamed(&renaming);
        if let Some(body) = body.as_deref_mut() {
            strip_ours(body);
        }
        let marked = plain_body
            .as_mut()
            .map(|b| checkpoint::take_from_body(b, cx));
        if let Some(ty) = bare_trait_object(|v| v.visit_signature(&sig)) {
            cx.error(ty, NEEDS_DYN);
            return None;
        }
        signature::strip(written);
        let params = signature::params(&mut sig, &options, cx);
        let of_type = members.is_some_and(|m| m.within == Within::Type);
        if let Some(asked) = params.iter().find(|p| p.asked && !of_type) {
            cx.error_at(asked.span, "only methods of modules need `#[wrt]`: every other function has a gradient by each parameter that is not marked `#[constant]`");
        }
        if cx.error_count() > before {
            // Companions of a signature that is refused would only add errors.
            return None;
        }
        let of = members.map(|m| checked::Of {
            generics: m.generics,
            ty: m.ty,
            of_trait: m.of_trait,
        });
        let alone = kind == FunctionKind::Associated && members.is_none();
        let higher = options.higher_order.is_some();
        let body = body.as_deref();
        let checked = match alone {
            true => None,
            false => Checked::new(&sig, written, body, &params, of, higher, cx),
        };
        let shown = match &checked {
            Some(checked) => checked.params(&params),
            None => params.clone(),
        };
        if params.len() != sig.inputs.len() {
            return None;
        }
        let functions = || params.iter().filter(|p| p.function.is_some());
        if let Some(marked) = &marked {
            marked.check_functions(functions().filter_map(|p| p.ident.as_ref()), cx);
        }
        if let (Some(span), Some(_)) = (options.checkpoint, functions().next()) {
            cx.error_at(span, "a function with `#[checkpoint]` runs again when the functions that it was passed are not there any more: leave out `#[checkpoint]`, or put it on a function that is called here");
        }
        Some(Function {
            sig,
            vis,
            kind,
            members,
            options,
            params,
            shown,
            checked,
            body: marked,
            before,
            cx,
        })
    }

    /// The companions of a required function of a trait.
    fn required(&self) -> Companions {
        if let Some(span) = self.options.checkpoint {
            self.cx.error_at(
                span,
                "`#[checkpoint]` says how a body is run: put it on the function in the `impl`",
            );
        }
        let sigs = self.signatures(&[]);
        let surface = self.surface(&sigs.reverse);
        let (vjp, jvp) = (
            surface.vjp_companion(None, &TokenStream::new(), true),
            self.surface(&sigs.forward)
                .jvp_companion(None, &TokenStream::new()),
        );
        let user = surface.user_functions(true);
        Companions {
            items: quote!(#vjp #jvp #user),
            ..Companions::default()
        }
    }

    /// Whether there are errors: the user sees these, and none that follow from them.
    fn failed(&self) -> bool {
        self.cx.error_count() > self.before
    }

    pub fn is_free(&self) -> bool {
        self.kind == FunctionKind::Free
    }

    pub fn siblings(&self) -> Option<&Siblings> {
        self.members.map(|m| m.siblings)
    }

    /// The scalar that derivatives of higher order exchange.
    fn scalar(&self, body: &Block) -> Option<Scalar> {
        match self.kind {
            FunctionKind::Free => {
                higher::scalar_of(&self.sig, Some(body), self.options.higher_order, self.cx)
            }
            FunctionKind::Associated => self.members.and_then(|m| m.scalar.cloned()),
        }
    }

    /// What becomes of an annotated function inside of the body.
    fn inner(&self) -> impl Fn(TokenStream) -> TokenStream {
        let asked = self.options.higher_order.map(|_| quote!(higher_order));
        move |f| super::expand(asked.clone().unwrap_or_default(), f)
    }

    fn fusion(&self, scalar: &Option<Scalar>) -> Fusion<'static> {
        Fusion {
            scalars_only: scalar.is_some() && self.options.higher_order.is_some(),
            off: match (self.options.unfused, cfg!(feature = "unfused")) {
                (true, _) => Some("`unfused` turns regions off"),
                (_, true) => Some("the feature `unfused` turns regions off"),
                _ => None,
            },
            explain: self.options.explain,
        }
    }

    /// The signatures of the companions; the parameters that `carried` names are types with a derivative.
    fn signatures(&self, carried: &[Ident]) -> Signatures {
        let of = |mode| {
            let sig = functions::companion_signature(&self.sig, &self.params, mode);
            with_derivatives(sig, carried)
        };
        Signatures {
            reverse: of(Mode::Reverse),
            boxed: of(Mode::Boxed),
            forward: of(Mode::Forward),
        }
    }

    pub fn surface<'s>(&'s self, sig: &'s Signature) -> Surface<'s> {
        Surface {
            sig,
            vis: self.vis,
            kind: self.kind,
            params: &self.shown,
            outer: self.members.map(|m| m.generics),
            of_trait: self.members.and_then(|m| m.of_trait),
            within: self.members.map_or(Within::Type, |m| m.within),
            checked: self.checked.as_ref(),
        }
    }

    /// Emits the bodies of the companions.
    fn bodies(
        &self,
        body: &Block,
        mut f: Func,
        sigs: &Signatures,
        scalar: &Option<Scalar>,
        inner_names: bool,
    ) -> Bodies {
        let float = matches!(scalar, Some(Scalar::Float(_)));
        let again = self.options.checkpoint.is_some();
        let own = [&self.sig.generics].into_iter();
        let all: Vec<_> = own.chain(self.members.map(|m| m.generics)).collect();
        let callees = &Callees::of(&f, &self.params, &all);
        let over = || {
            let mut over = f.inactive();
            over_calls(&mut over.body, &f.vars, callees);
            over
        };
        let jvp = Jvp { f: &f, callees }.emit();
        let value = f.plain().map(|f| forward_run(f, &Needs::none(), callees));
        let itself_over = float.then(|| {
            let over = over();
            let all = keep_all(&over);
            forward_run(over, &all, callees)
        });
        let first_run = again.then(|| forward_run(f.inactive(), &Needs::none(), callees));
        let first_over = (again && float).then(|| forward_run(over(), &Needs::none(), callees));
        let literals = checked::literals(&f);
        let needs = passes::for_reverse(&mut f);
        let counted = self.counted(callees, inner_names);
        let around = Around::default();
        let reverse = Vjp {
            f: &f,
            needs: &needs,
            callees: &counted,
            over: false,
            moves: true,
            around: &around,
        };
        let asked = again || checkpoint::marks(body);
        let number = slope::of_one_number(&reverse, &self.params, &self.sig).filter(|_| !asked);
        let vjp = match &number {
            Some(x) => slope::runs(x, &jvp),
            None => whole_run(&reverse, first_run),
        };
        // What is run again calls other functions than the code for floats does.
        let vjp_over = (float && asked).then(|| {
            let over = Vjp {
                callees,
                over: true,
                ..reverse
            };
            whole_run(&over, first_over)
        });
        let calls = counted.calls.take();
        let boxing = self
            .surface(&sigs.reverse)
            .boxing(&calls, self.options.boxing);
        let report = self.options.explain.then(|| {
            let report = Explain {
                vjp: &Vjp { callees, ..reverse },
                sig: &self.sig,
                body,
                params: &self.params,
                options: &self.options,
                kind: self.kind,
                boxing,
                slope: number.is_some(),
            };
            report.report()
        });
        let (imports, regions) = (
            callees.imports(float, self.checked.as_ref()),
            f.region_items(),
        );
        Bodies {
            jvp,
            vjp,
            value,
            over: itself_over,
            vjp_over,
            imports: quote!(#imports #regions),
            regions: f.regions_companion(),
            calls,
            boxing,
            report,
            literals,
        }
    }

    fn counted<'c>(&'c self, callees: &'c Callees, inner_names: bool) -> Counted<'c> {
        Counted {
            callees,
            function: &self.sig.ident,
            kind: self.kind,
            inner_names,
            calls: RefCell::default(),
        }
    }
}

/// The function run forward alone.
fn forward_run(mut f: Func, needs: &Needs, callees: &Callees) -> Emitted {
    passes::for_value(&mut f);
    let run = Vjp {
        f: &f,
        needs,
        callees,
        over: false,
        moves: true,
        around: &Around::default(),
    };
    run.emit_value()
}

/// Both runs, or where `first` runs forward alone, that and both in the pullback.
fn whole_run(runs: &Vjp<'_>, first: Option<Emitted>) -> Emitted {
    match first {
        Some(first) => runs.run_again(runs.emit(), first),
        None => runs.emit(),
    }
}

/// Counts the calls whose pullbacks the function's own pullback contains.
struct Counted<'a> {
    callees: &'a Callees,
    function: &'a Ident,
    kind: FunctionKind,
    /// The companions have no names for what they call.
    inner_names: bool,
    calls: RefCell<Calls>,
}

impl Resolve for Counted<'_> {
    fn callee(&self, path: &syn::Path, args: usize) -> Callee {
        // A pullback that holds one of its own kind has no size: it is handed out in a box. A method of the same name
        // may be another type's; then the box is not needed, and cheap.
        let own = path
            .segments
            .last()
            .is_some_and(|s| s.ident == *self.function);
        let in_scope = self.kind == FunctionKind::Associated || path.segments.len() == 1;
        let callee = self.callees.callee(path, args);
        let mut calls = self.calls.borrow_mut();
        match &callee.weight {
            _ if own && in_scope => calls.recursive = true,
            Some(weight) if !self.inner_names => calls.known.push(weight.clone()),
            _ => calls.unknown += 1,
        }
        callee
    }

    fn method(&self, name: &Ident, args: usize) {
        let mut calls = self.calls.borrow_mut();
        calls.recursive |= self.kind == FunctionKind::Associated && *name == *self.function;
        // What a parameter holds that is a function, its caller counts.
        calls.unknown += usize::from(!functions::is_own(name));
        self.callees.method(name, args);
    }
}

impl Bodies {
    /// Those of a function with errors.
    fn none() -> Self {
        let unreachable = || quote!(::core::unreachable!());
        let body = |reverse| Emitted {
            forward: TokenStream::new(),
            value: unreachable(),
            held: TokenStream::new(),
            reverse,
        };
        Bodies {
            jvp: body(unreachable()),
            vjp: body(TokenStream::new()),
            value: None,
            over: None,
            vjp_over: None,
            imports: TokenStream::new(),
            regions: TokenStream::new(),
            calls: Calls::default(),
            boxing: Boxing::Open,
            report: None,
            literals: Literals::default(),
        }
    }

    /// The same, each in a scope of a graph.
    fn within(self, name: &str) -> Self {
        let open = |name: String| quote!(let __scope = ad::scope(#name););
        let (primal, jvp) = (open(name.to_owned()), open(format!("{name}.jvp")));
        let pullback = open(format!("{name}.pullback"));
        let run_in = |scope: &TokenStream, e: Emitted| Emitted {
            forward: [scope.clone(), e.forward].into_iter().collect(),
            ..e
        };
        let run = |e| run_in(&primal, e);
        let both = |e: Emitted| {
            let reverse = [pullback.clone(), e.reverse.clone()];
            Emitted {
                reverse: reverse.into_iter().collect(),
                ..run(e)
            }
        };
        Bodies {
            jvp: run_in(&jvp, self.jvp),
            vjp: both(self.vjp),
            value: self.value.map(run),
            over: self.over.map(run),
            vjp_over: self.vjp_over.map(both),
            ..self
        }
    }

    /// The same with the errors that the function has.
    pub fn checked(self, checked: &Checked, params: &[ParamDecl]) -> Self {
        Bodies {
            vjp: checked.reverse(&self.vjp, params),
            vjp_over: self.vjp_over.map(|e| checked.reverse(&e, params)),
            jvp: checked.forward(&self.jvp, params),
            value: self.value.map(|e| checked.value(&e, params)),
            ..self
        }
    }
}

/// Takes attributes of ours from a body that the compiler gets.
pub fn strip_ours(body: &mut syn::Block) {
    plain::attributes::strip_ours(body);
    checkpoint::strip(body);
}

/// Whether the body declares or imports names.
fn has_items(body: &syn::Block) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_item(&mut self, _: &'a Item) {
            self.0 = true;
        }
    }
    let mut v = V(false);
    v.visit_block(body);
    v.0
}
