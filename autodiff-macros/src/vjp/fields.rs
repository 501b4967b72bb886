//! Emits what is done to fields, which may be constant: their cotangent is `ad::NoGrad` then, which method lookup finds
//! out (`autodiff-core/src/ad/constant.rs`).

use super::Vjp;
use crate::code::{field_number, project, Side};
use crate::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};

impl Vjp<'_> {
    /// Gives the cotangent of a field to the value that it got. `None` where that carries no derivative.
    pub(super) fn give(&self, o: &Operand, ct: &TokenStream) -> Option<TokenStream> {
        let (w, lens, value) = (self.wit(o), self.active_lens(o)?, o.place()?);
        let span = value.span;
        let made_of = &self.f.vars[value.root].made_of;
        if !value.is_var() || made_of.is_empty() {
            return Some(quote_spanned!(span=> ad::Given(&#w, #ct).pull(#lens);));
        }
        let parts = made_of.iter().map(|p| {
            // The parts of a constant are constant too.
            let field = |p: &&Projection| matches!(p, Projection::Field(_));
            let projections = p.projections.iter().take_while(field).cloned().collect();
            let whole = Place {
                projections,
                ..p.clone()
            };
            let d = self.adj(p.root).to_token_stream();
            project(Side::Adjoint, d, &whole)
        });
        Some(quote_spanned!(span=> ad::Given(&#w, #ct).pull_copy(#lens, &(#(&#parts,)*));))
    }

    /// The reverse of `place = value`, where the place is in a field, with the witness of what it held.
    pub(super) fn rev_field(
        &self,
        value: &Operand,
        before: &TokenStream,
        lens: &TokenStream,
    ) -> TokenStream {
        let cleared = quote!(ad::Cleared(&#before, #lens));
        match self.give(value, &quote!(#cleared.take())) {
            Some(given) => given,
            None => quote!(#cleared.clear();),
        }
    }

    /// The reverse of `place += value`, where the place is in a field.
    pub(super) fn rev_accum_field(
        &self,
        name: &str,
        kept: &Ident,
        p: &Place,
        value: &Operand,
    ) -> TokenStream {
        let lens = self.lens(p);
        let Some(d) = self.active_lens(value) else {
            let left = format_ident!("{name}_l");
            return quote!(ad::Changed(#kept, #lens).#left(););
        };
        let both = format_ident!("{name}");
        let (wp, wo) = (self.wit_for_accum(p, value), self.wit(value));
        let span = value.place().map_or(p.span, |q| q.span);
        if value.place().is_some_and(|q| overlap(p, q)) {
            // `a[i] += a[j]` would borrow the accumulator twice.
            return quote!(let mut __other = #wo.zero(); ad::ChangedBy(#kept, &#wp, #lens).#both(&#wo, &mut __other); ad::acc(&#wo, __other, #d););
        }
        quote_spanned!(span=> ad::ChangedBy(#kept, &#wp, #lens).#both(&#wo, #d);)
    }

    /// The field that an argument is, or is a copy of, which the struct may have as a constant.
    pub(super) fn field_arg<'b>(&'b self, a: &'b Arg, receiver: bool) -> Option<&'b Place> {
        // A method that only reads a field is asked for its derivative by it.
        if receiver && a.lend == Lend::Shared || a.code.is_some() {
            return None;
        }
        let place = a.operand.place().filter(|p| self.place_active(p))?;
        let source = match self.f.vars[place.root].made_of.as_slice() {
            [source] if place.is_var() && self.f.vars[place.root].copy => source,
            _ => place,
        };
        let field = source.may_be_constant() && !self.is_slice(source) && !self.is_slice(place);
        field.then_some(source)
    }

    /// The mode of such an argument: `mode`, unless one of its fields is constant.
    pub(super) fn field_mode(&self, a: &Arg, p: &Place, mode: TokenStream) -> TokenStream {
        let choose = match a.lend {
            Lend::Shared => quote!(mode),
            Lend::Mut | Lend::Maybe => quote!(lent_mode),
        };
        let mut mode = mode;
        for (k, projection) in p.projections.iter().enumerate() {
            let Projection::Field(member) = projection else {
                continue;
            };
            let base = Place {
                projections: p.projections[..k].to_vec(),
                ..p.clone()
            };
            let base = self.with_code(|c| c.place(&base));
            let base = match k {
                0 => quote!(#base.__v()),
                _ => quote!(&#base),
            };
            let number = field_number(member);
            mode = quote!(ad::FieldOf::<_, #number>(#base).#choose(#mode));
        }
        mode
    }
}
