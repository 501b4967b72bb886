//! The functions that users call: `grad`, `value_and_grad`, `vjp`, `jvp`, `jacobian`.

use super::*;

/// How `jacobian_matrix` gets its columns.
pub enum ByColumns {
    /// One after the other, by the pushforward, where there are fewer than rows.
    One,
    /// By an expression, unless the first one says that rows are shorter; without it `jacobian` chooses.
    OrRows(Option<(TokenStream, TokenStream)>),
}

impl Surface<'_> {
    /// All of them, `jacobian` unless it stands elsewhere.
    pub fn user_functions(&self, with_jacobian: bool) -> TokenStream {
        if self.takes_functions() {
            return self.no_user_functions();
        }
        let ad = quote!(::differentiable::__rt);
        let (vis, output) = (self.vis(), self.output());
        let others = self.others();
        let gradient_ty = match &others {
            Some(mode) => self.gradient_ty_of(mode),
            None => self.gradient_ty(),
        };
        let (grad, value_and_grad) = (self.method("grad"), self.method("value_and_grad"));
        let (vjp, jvp) = (self.method("vjp"), self.method("jvp"));
        let name = bare(&self.sig.ident);
        let owner = match self.kind {
            FunctionKind::Free => self.sig.ident.to_token_stream(),
            FunctionKind::Associated => quote!(#ad::this_method),
        };
        let z = Lifetime::new("'__z", Span::mixed_site());
        let decls = self.param_decls();
        let pieces = self.pieces_of(others.as_ref());
        let Pieces {
            modes,
            mode_values,
            setup,
            protos,
            protos_here,
            call,
            again,
            accs,
            after,
            start,
            cotangents,
            kept,
            again_kept,
            ..
        } = &pieces;
        let (gradient, gradient_here) = (self.gradient(&pieces), self.gradient_here(&pieces));
        let hidden = self.companion_path(&self.hidden("vjp"));
        let pass = self.pass_generics(Some(modes));
        let run = quote!(#hidden #pass((#(#mode_values,)*), #(#call),*));
        let generics = self.generics(std::slice::from_ref(&z), &[]);
        // The smaller the code, the sooner it is compiled.
        let (both, own) = (
            self.companion_path(&value_and_grad),
            self.pass_generics(None),
        );
        let names = self.params.iter().filter(|p| !p.is_self());
        let names: Vec<_> = names.map(|p| self.name_of(p)).collect();
        // A caller that is generic over its scalar knows no more of it than its bound.
        let (scalar, one) = match self.returns_scalar_parameter() {
            true => (
                self.where_clause(None),
                quote!(#ad::unit::<#output, #output>()),
            ),
            false => (
                self.where_clause(Some(
                    quote!(#output: #ad::ScalarOutput<#z, #owner, #ad::Ct<#output>>),
                )),
                quote!(#ad::ScalarOutput::<#owner, #ad::Ct<#output>>::one(&__value)),
            ),
        };
        let allow = allowed();
        // `(loss, others)`
        let loss = match &self.sig.output {
            ReturnType::Type(_, t) if matches!(&**t, Type::Tuple(t) if t.elems.len() > 1) => {
                ": of the first part of the value, the others are auxiliary"
            }
            _ => "",
        };
        let docs = [
            format!("The gradient of `{name}` with respect to every differentiable argument{loss}."),
            format!("The value of `{name}` and its gradient with respect to every differentiable argument{loss}."),
            format!("The value of `{name}` and its pullback, which takes a cotangent of the value to the gradient, and borrows nothing."),
            format!("The value of `{name}` and its tangent: each differentiable argument is given as `(value, tangent)`."),
        ];
        let [doc_grad, doc_vg, doc_vjp, doc_jvp] = &docs;

        let borrowed = self.borrowed_lifetimes();
        let captures = self.captured_lifetimes(&borrowed);
        let unnamed = borrowed
            .iter()
            .filter(|l| l.ident.to_string().starts_with("__p"));
        let vjp_lifetimes: Vec<Lifetime> = unnamed.chain([&z]).cloned().collect();
        let vjp_generics = self.generics(&vjp_lifetimes, &[]);
        let vjp_decls = self.borrowed_decls();
        let copied_where = self.where_clause(Some(self.copied(self.params.iter(), &z)));
        let plain_where = self.where_clause(None);
        // The edition of this token decides what the pullback captures: types, no lifetimes.
        let opaque = quote_spanned!(Span::mixed_site()=> impl);

        let (mut pairs, mut jvp_args, mut checks) = (Vec::new(), Vec::new(), Vec::new());
        for (p, d) in self.params.iter().zip(&decls) {
            let t = derived("t_", &self.adj_base(p));
            let n = self.name_of(p);
            let (ty, tangent) = (p.ty.as_ref(), self.tangent_ty(p));
            if p.is_self() {
                pairs.push(d.clone());
                let m = p.by_mut.then(|| quote!(mut));
                if p.constant {
                    jvp_args.push(quote!(()));
                } else {
                    pairs.push(quote!(#t: &#m #tangent));
                    jvp_args.push(quote!(#t));
                }
                continue;
            }
            jvp_args.push(n.clone());
            if matches!(p.kind, crate::ir::Ty::Seq(_)) && !p.constant {
                let what = format!("the tangent of `{n}` has another length than `{n}`");
                checks.push(quote!(::core::assert_eq!(#n.len(), #t.len(), #what);));
            }
            if p.unread() {
                pairs.push(quote!(#n: #ty));
                jvp_args.push(quote!(()));
            } else if p.constant {
                pairs.push(quote!(#n: #ty));
                let r = if p.by_mut {
                    quote!(&mut #t)
                } else if p.by_ref {
                    quote!(&#ad::zero_tangent(#n))
                } else {
                    quote!(#ad::zero_tangent(&#n))
                };
                // Evaluated before the value is moved.
                let value = jvp_args.pop();
                jvp_args.push(quote!(#value));
                jvp_args.push(if p.by_ref { r } else { quote!({ #t }) });
            } else {
                pairs.push(quote!((#n, #t): (#ty, #tangent)));
                jvp_args.push(quote!(#t));
            }
        }
        let jvp_setup: TokenStream = self
            .params
            .iter()
            .filter(|p| p.discrete && (p.by_mut || !p.by_ref) && !p.is_self())
            .map(|p| {
                let (t, n) = (derived("t_", &self.adj_base(p)), self.name_of(p));
                let r = if p.by_mut { quote!(&*#n) } else { quote!(&#n) };
                quote!(let mut #t = #ad::zero_tangent(#r);)
            })
            .collect();
        // The cotangents that the pullback takes: of the value, and of what the call changed.
        let value = (
            format_ident!("__ct"),
            quote!(<#output as #ad::Differentiable>::Tangent),
        );
        let no_value = self.is_unit() && !cotangents.is_empty();
        let all = (!no_value).then_some(value);
        let (ct_names, ct_types): (Vec<_>, Vec<_>) =
            all.into_iter().chain(cotangents.iter().cloned()).unzip();
        let no_value = no_value.then(|| quote!(let __ct = ();));
        // What the call changed would have rows too, and no place for them; that of a scalar is `grad`,
        // and most functions are scalar (3 % of the time of `cargo check`).
        let scalar_output = matches!(output.to_string().as_str(), "f64" | "f32");
        let rows = with_jacobian && cotangents.is_empty() && !self.is_unit() && !scalar_output;
        let jacobian = rows.then(|| {
            // By every argument, whatever the type says.
            let pieces = self.pieces();
            let Pieces {
                modes,
                setup,
                protos,
                call,
                again,
                accs,
                start,
                ..
            } = &pieces;
            let gradient = self.gradient(&pieces);
            let pass = self.pass_generics(Some(modes));
            let run = quote!(#hidden #pass((#(#modes,)*), #(#call),*));
            let of = self.rows_of_output(&owner, &z);
            let clause = self.where_clause(Some(quote!(#output: #of)));
            let pullback = quote!(move |#(#ct_names: #ct_types),*| {
                #start
                __pullback(<#output as #ad::Differentiable>::start(__ct), #(#again,)* #(#accs),*);
                #gradient
            });
            let body = quote! {
                #setup
                #protos
                let (__value, __pullback) = #run;
                #ad::jacobian::<#owner, #output, _>(&__value, #pullback)
            };
            let rows = self.jacobian(&owner, &z, &clause, &body);
            let matrix = self.jacobian_matrix(&owner, &z, &clause, ByColumns::One);
            quote!(#rows #matrix)
        });
        let jvp_hidden = self.companion_path(&self.hidden("jvp"));
        let jvp_pass = self.pass_generics(None);
        let jvp_generics = self.generics(&[], &[]);
        quote! {
            #[doc = #doc_vg]
            #[inline]
            #[allow(#allow)]
            #vis fn #value_and_grad #generics(#(#decls),*) -> (#output, #gradient_ty) #scalar {
                #setup
                #protos_here
                let (__value, __pullback) = #run;
                #after
                __pullback(#one, #(#again,)* #(#accs),*);
                (__value, #gradient_here)
            }
            #[doc = #doc_grad]
            #[inline]
            #[allow(#allow)]
            #vis fn #grad #generics(#(#decls),*) -> #gradient_ty #scalar {
                #both #own(#(#names),*).1
            }
            #[doc = #doc_vjp]
            #[inline]
            #[allow(#allow)]
            #vis fn #vjp #vjp_generics(#(#vjp_decls),*)
                -> (#output, #opaque FnOnce(#(#ct_types),*) -> #gradient_ty + ::core::clone::Clone #captures)
            #copied_where
            {
                #setup
                #protos
                let (__value, __pullback) = #run;
                #kept
                (__value, move |#(#ct_names: #ct_types),*| {
                    #no_value
                    #start
                    __pullback(<#output as #ad::Differentiable>::start(__ct), #(#again_kept,)* #(#accs),*);
                    #gradient
                })
            }
            #[doc = #doc_jvp]
            #[inline]
            #[allow(#allow)]
            #vis fn #jvp #jvp_generics(#(#pairs),*) -> (#output, <#output as #ad::Differentiable>::Tangent)
            #plain_where
            {
                #jvp_setup
                #(#checks)*
                #jvp_hidden #jvp_pass(#(#jvp_args),*)
            }
            #jacobian
        }
    }

    /// The lifetimes that a pullback for users captures: not that of an argument of which it has a copy, but those in the
    /// types of arguments, and what it borrows. In a trait it says so itself.
    pub fn captured_lifetimes(&self, borrowed: &[Lifetime]) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let types = self.params.iter().filter_map(ParamDecl::value_ty);
        let types: TokenStream = types.map(ToTokens::to_token_stream).collect();
        let mut names = Vec::new();
        crate::syntax::identifiers(types, &mut names);
        let of_self = self.params.iter().any(|p| p.is_self()) || names.iter().any(|n| n == "Self");
        let outer = self.outer.into_iter().flat_map(|g| g.lifetimes());
        let outer = outer.filter(|_| of_self).chain(
            self.sig
                .generics
                .lifetimes()
                .filter(|l| names.iter().any(|n| l.lifetime.ident == n)),
        );
        let mut held: Vec<_> = outer.map(|l| &l.lifetime).collect();
        for l in borrowed {
            if !held.contains(&l) {
                held.push(l);
            }
        }
        match self.within {
            Within::Trait => self.precise_captures(&held, &[]).unwrap_or_default(),
            _ if held.is_empty() => TokenStream::new(),
            _ => quote!(+ #ad::Captures<(#(&#held (),)*)>),
        }
    }

    /// Whether the value is of a type parameter with the bound `Scalar`.
    fn returns_scalar_parameter(&self) -> bool {
        let output = self.output().to_string();
        let generics = self.outer.into_iter().chain([&self.sig.generics]);
        generics
            .flat_map(crate::syntax::scalar_parameters)
            .any(|p| *p == output)
    }

    /// The trait by which the output has rows.
    pub fn rows_of_output(&self, owner: &TokenStream, z: &Lifetime) -> TokenStream {
        let (ad, output) = (quote!(::differentiable::__rt), self.output());
        quote!(#ad::JacobianOutput<#z, #owner, <#output as #ad::Differentiable>::Tangent>)
    }

    /// `jacobian_matrix`: the numbers of `jacobian`, whose where clause it has.
    pub fn jacobian_matrix(
        &self,
        owner: &TokenStream,
        z: &Lifetime,
        clause: &TokenStream,
        by_columns: ByColumns,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (vis, output, gradient_ty) = (self.vis(), self.output(), self.gradient_ty());
        let name = self.method("jacobian_matrix");
        let doc = format!(
            "The Jacobian of `{}` as a matrix: a row for each scalar of the value, a column for each of the arguments.",
            bare(&self.sig.ident)
        );
        let generics = self.generics(std::slice::from_ref(z), &[]);
        let decls = self.param_decls();
        let of = self.rows_of_output(owner, z);
        let jacobian = match &by_columns {
            ByColumns::OrRows(Some(_)) => "jacobian_rev",
            _ => "jacobian",
        };
        let (jacobian, own) = (
            self.companion_path(&self.method(jacobian)),
            self.pass_generics(None),
        );
        let columns_run = self
            .columns()
            .filter(|_| matches!(by_columns, ByColumns::One));
        let names = self.params.iter().filter(|p| !p.is_self());
        let names = names.map(
            |p| match (self.name_of(p), columns_run.is_some() && !p.by_ref) {
                (n, true) => quote!(::core::clone::Clone::clone(&#n)),
                (n, false) => n,
            },
        );
        let columns = self.active().map(|(_, p)| {
            let name = self.name_of(p);
            match p.by_ref {
                true => quote!(#ad::columns_of(#name)),
                false => quote!(#ad::columns_of(&#name)),
            }
        });
        let allow = allowed();
        let by_rows = quote! {
            let __columns = 0 #(+ #columns)*;
            #ad::jacobian_matrix::<#owner, #output, #gradient_ty>(__columns, &#jacobian #own(#(#names),*))
        };
        let body = match (columns_run.clone(), by_columns) {
            (None, ByColumns::OrRows(Some((shorter, by_columns)))) => {
                quote!(if #shorter { #by_rows } else { #by_columns })
            }
            (None, _) => by_rows,
            (Some((zero, forward)), _) => quote! {
                let __zero: #gradient_ty = #zero;
                #ad::jacobian_matrix_either_way::<#owner, #output, _>(&__zero, #forward, || { #by_rows })
            },
        };
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#decls),*) -> #ad::Matrix<<#output as #of>::Number> #clause {
                #body
            }
        }
    }

    /// The zero gradient, and the forward run along a gradient; `None` where arguments may not be copied.
    fn columns(&self) -> Option<(TokenStream, TokenStream)> {
        let ad = quote!(::differentiable::__rt);
        let again = |p: &ParamDecl| {
            !p.by_mut && (p.by_ref || !p.is_self() && p.kind != crate::ir::Ty::Unknown)
        };
        if !self.params.iter().all(again) {
            return None;
        }
        let count = self.active().count();
        let (mut zeros, mut args) = (Vec::new(), Vec::new());
        for p in self.params {
            let n = self.name_of(p);
            if !p.is_self() {
                args.push(match p.by_ref {
                    true => n.clone(),
                    false => quote!(::core::clone::Clone::clone(&#n)),
                });
            }
            let lent = if p.by_ref { n } else { quote!(&#n) };
            if p.constant {
                let zero = match p.unread() {
                    true => quote!(()),
                    false => quote!(#ad::zero_tangent(#lent)),
                };
                args.push(match p.by_ref && !p.unread() {
                    true => quote!(&#zero),
                    false => zero,
                });
                continue;
            }
            let part = match count {
                1 => quote!(__along),
                _ => {
                    let k = syn::Index::from(zeros.len());
                    quote!(__along.#k)
                }
            };
            zeros.push(quote!(#ad::zero_tangent(#lent)));
            args.push(match p.by_ref || p.is_self() {
                true => quote!(&#part),
                false => part,
            });
        }
        let (zero, jvp) = (
            one_or_tuple(&zeros),
            self.companion_path(&self.hidden("jvp")),
        );
        let own = self.pass_generics(None);
        Some((zero, quote!(|__along| #jvp #own(#(#args),*))))
    }

    /// `jacobian`, by the pullback, which may borrow here.
    fn jacobian(
        &self,
        owner: &TokenStream,
        z: &Lifetime,
        clause: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let (vis, output, gradient_ty) = (self.vis(), self.output(), self.gradient_ty());
        let name = self.method("jacobian");
        let doc = format!(
            "The Jacobian of `{}`: its value, with a gradient in the place of each scalar. The function runs once.",
            bare(&self.sig.ident)
        );
        let generics = self.generics(std::slice::from_ref(z), &[]);
        let decls = self.param_decls();
        let of = self.rows_of_output(owner, z);
        let allow = allowed();
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#decls),*) -> <#output as #of>::Rows<#gradient_ty> #clause {
                #body
            }
        }
    }

    /// A function that takes functions is differentiated where it is called: a closure that is not in
    /// an annotated function has no derivative.
    fn no_user_functions(&self) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let vis = self.vis();
        let receiver = self
            .params
            .iter()
            .any(|p| p.is_self())
            .then(|| quote!(&self,));
        let types: Vec<_> = (0..self.params.len() - usize::from(receiver.is_some()))
            .map(|i| format_ident!("__A{i}"))
            .collect();
        let functions = [
            "grad",
            "value_and_grad",
            "vjp",
            "jvp",
            "jacobian",
            "jacobian_matrix",
        ]
        .map(|suffix| {
            let name = self.method(suffix);
            quote! {
                #[doc(hidden)]
                #[allow(unused, clippy::all)]
                #vis fn #name<'__z, #(#types),*>(#receiver #(_: #types),*)
                where
                    #ad::FunctionOfFunctions: #ad::HasGradient<'__z>,
                {
                    ::core::unreachable!()
                }
            }
        });
        quote!(#(#functions)*)
    }
}
