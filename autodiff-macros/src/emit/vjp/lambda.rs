//! Emits functions that are passed on: the environment, then the code.
//!
//! ```text
//! integrate::__vjp(modes, &env, |env, (t,)| {
//!     …
//!     (value, move |ct, env, (t,), d_env, (d_t,)| { … })
//! }, …)
//! ```

use super::around::Around;
use super::{mode_name, Emitted, Vjp};
use crate::ir::*;
use crate::syntax::names::derived;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// How many arguments are functions: each has one more in the companion.
pub fn functions(args: &[Arg]) -> usize {
    args.iter().filter(|a| a.is_function()).count()
}

impl Vjp<'_> {
    pub(super) fn fwd_function(&self, passed: &Passed, env: &Operand) -> TokenStream {
        let tokens = self.with_code(|c| c.operand(env));
        match passed {
            Passed::Parameter => quote!((#tokens).env(), (#tokens).code()),
            Passed::Item(path) => {
                let code = self.callee(path, 0).item("__code", path.span());
                quote!(#tokens, #code)
            }
            Passed::Closure(l) => {
                let code = self.lambda(l);
                quote!(#tokens, #code)
            }
        }
    }

    fn lambda(&self, l: &Lambda) -> TokenStream {
        let f = &l.func;
        let emitted = Vjp {
            f,
            needs: &l.needs,
            callees: self.callees,
            over: self.over,
            moves: self.moves,
            around: &Around::default(),
        }
        .emit();
        let names: Vec<_> = f.params.iter().map(|p| &f.vars[p.var].name).collect();
        let adjs: Vec<_> = names.iter().map(|n| derived("d_", n)).collect();
        let (env, args) = names.split_first().expect("an environment");
        let (d_env, d_args) = adjs.split_first().expect("an environment");
        let modes = (0..names.len()).map(mode_name);
        let on = names.iter().map(|_| quote!(ad::On));
        let sliced = f.params.iter().zip(&names).zip(&adjs);
        let trims = sliced
            .filter(|((p, _), _)| p.slice_of.is_some() && !p.constant)
            .map(|((_, n), d)| quote!(let #d = &mut #d[..#n.len()];));
        let (ct, result) = (format_ident!("__ct"), format_ident!("__value"));
        let Emitted {
            forward,
            value,
            held,
            reverse,
        } = emitted;
        quote! {
            |#env, (#(#args,)*)| {
                let (#(#modes,)*) = (#(#on,)*);
                #forward
                let #result = #value;
                #held
                (#result, move |#ct, #env, (#(#args,)*), #d_env, (#(#d_args,)*)| { #(#trims)* #reverse })
            }
        }
    }
}
