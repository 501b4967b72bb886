//! Emits what is done to fields, which may be constant: their cotangent is `ad::NoGrad` then, which method lookup finds
//! out (`autodiff-core/src/ad/constant.rs`).

use super::Vjp;
use crate::code::{project_one, Side};
use crate::ir::*;
use crate::syntax::names::{derived, field_number, ident};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};

impl Vjp<'_> {
    /// Gives the cotangent of a field to the value that it got. `None` where that carries no derivative.
    pub(super) fn give(&self, o: &Operand, ct: &TokenStream) -> Option<TokenStream> {
        let (w, lens, value) = (self.wit(o), self.active_lens(o)?, o.place()?);
        let made_of = &self.f.vars[value.root].made_of;
        let itself = std::slice::from_ref(value);
        // The field of a struct may be constant, whatever the others are.
        let part = value.projections.first();
        let of_field = part.is_some_and(|p| {
            !matches!(
                p,
                Projection::Index(_) | Projection::Range(_) | Projection::Spot(_)
            )
        });
        let parts = match made_of.is_empty() || of_field {
            true => itself,
            false => made_of,
        };
        let parts = parts.iter().map(|p| {
            if self.is_told_by_witness(p) {
                let w = self.var_witness(p.root);
                return quote!(&#w);
            }
            // The entries of a constant are constant too, and their indices may be gone.
            self.lens(&p.up_to(p.fields().len()))
        });
        let span = value.span;
        Some(quote_spanned!(span=> ad::Given(&#w, #ct)#(.of(&(#parts,)))*.pull(#lens);))
    }

    /// Whether the witness of a local says what its cotangent would: that may not be made yet (`first`).
    fn is_told_by_witness(&self, p: &Place) -> bool {
        let var = &self.f.vars[p.root];
        let local = var.param.is_none() && var.alias.is_none() && !var.late;
        local && p.is_var() && !p.ty.is_copy() && self.needs.witnesses.contains(&p.root)
    }

    /// Whether a variable is a copy of a field, which may be a constant of a type without a derivative.
    pub(super) fn copies_field(&self, v: VarId) -> bool {
        let var = &self.f.vars[v];
        let field = |p: &Place| p.may_be_constant() && !self.is_slice(p);
        let of_field = matches!(var.made_of.as_slice(), [source] if field(source));
        of_field && var.copy && var.ty == Ty::Unknown && var.is_plain() && !var.reassigned
    }

    /// The reverse of a copy of a place.
    pub(super) fn rev_copy(&self, v: VarId, lens: &TokenStream) -> TokenStream {
        let (w, d) = (self.var_witness(v), self.adj(v));
        match self.copies_field(v) {
            true => quote!(#w.give(#d, #lens);),
            false => quote!(ad::acc(&#w, #d, #lens);),
        }
    }

    /// `&mut` to the accumulator of a place that is a field of a field: the first may be constant, and have no parts.
    pub(super) fn nested_lens(&self, p: &Place) -> TokenStream {
        let v = &self.f.vars[p.root];
        let n = &v.name;
        let value = ident("__value".into());
        let (mut adjoint, mut path) = (self.adj(p.root).to_token_stream(), quote!(#value));
        let mut in_field = false;
        for projection in &p.projections {
            adjoint = match (in_field, projection) {
                (true, Projection::Field(_)) => {
                    let whole = ident("__whole".into());
                    let part = project_one(Side::Adjoint, quote!(#whole), projection);
                    let param = v.param.map(|i| &self.f.params[i]);
                    let ty = match param {
                        Some(param) if !param.by_mut && (param.by_ref || param.is_self) => {
                            quote!(ad::part_of_value(#n.__v(), |#value| &#path))
                        }
                        _ => {
                            let w = self.var_witness(p.root);
                            quote!(ad::part_of(&#w, |#value| &#path))
                        }
                    };
                    quote!((*ad::PartOf(#ty, &mut #adjoint).part(|#whole| &mut #part)))
                }
                _ => project_one(Side::Adjoint, adjoint, projection),
            };
            path = project_one(Side::Value, path, projection);
            in_field |= matches!(projection, Projection::Field(_));
        }
        quote!(&mut #adjoint)
    }

    /// The lenses of operands that are lent at once: those of parts of one field are lent as they are, since a field that
    /// may be constant is lent as a whole.
    pub(super) fn lenses_at_once(&self, places: &[Option<&Place>]) -> Vec<Option<TokenStream>> {
        let lens = |(k, p): (usize, &Option<&Place>)| {
            let p = (*p)?;
            let others = places.iter().enumerate().filter(|(j, _)| *j != k);
            let beside = others
                .filter_map(|(_, q)| *q)
                .any(|q| q.root == p.root && q.projections.len() > 1 && same_field(p, q));
            Some(match beside {
                true => self.plain_lens(p),
                false => self.lens(p),
            })
        };
        places.iter().enumerate().map(lens).collect()
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
        if value.place().is_some_and(|q| contend(p, q)) {
            // `a[i] += a[j]` would borrow the accumulator twice.
            return quote!(let mut __other = #wo.zero(); ad::ChangedBy(#kept, &#wp, #lens).#both(&#wo, &mut __other); ad::acc(&#wo, __other, #d););
        }
        let checked = quote_spanned!(span=> ad::Cleared(&#wp, #lens).by(&(#d,)););
        quote!(#checked ad::ChangedBy(#kept, &#wp, #lens).#both(&#wo, #d);)
    }

    /// The field that an argument is, or is a copy of, which the struct may have as a constant.
    pub(super) fn field_arg<'b>(&'b self, a: &'b Arg, receiver: bool) -> Option<&'b Place> {
        // A method that only reads a field is asked for its derivative by it.
        if receiver && a.lend == Lend::Shared || a.code.is_some() || a.parted {
            return None;
        }
        let place = a.operand.place().filter(|p| self.place_active(p))?;
        let source = match self.f.vars[place.root].made_of.as_slice() {
            [source] if place.is_var() && self.f.vars[place.root].copy => source,
            _ => place,
        };
        let root = &self.f.vars[source.root];
        let param = root.param.map(|i| &self.f.params[i]);
        // Of what is owned here another field may have been moved by now.
        let whole = root.hold.is_reference() || param.is_some_and(|p| p.is_self);
        let field = source.may_be_constant() && !self.is_slice(source) && !self.is_slice(place);
        (field && (whole || a.lend != Lend::Shared)).then_some(source)
    }

    /// The names of the accumulators that there are for fields that may be constant, with their arguments.
    pub(super) fn rooms_for_fields<'b>(
        &'b self,
        v: VarId,
        receiver: Option<&'b Arg>,
        args: &'b [Arg],
    ) -> Vec<(Ident, &'b Arg, &'b Place)> {
        let direct = self.lenses(receiver, args).direct;
        let all = receiver.into_iter().chain(args).zip(direct).enumerate();
        let rooms = all.filter_map(|(k, (a, direct))| {
            let is_receiver = receiver.is_some() && k == 0;
            let field = self.field_arg(a, is_receiver).filter(|_| direct)?;
            Some((self.room_for_field(v, k), a, field))
        });
        rooms.collect()
    }

    /// The name of one, by the number of the argument.
    pub(super) fn room_for_field(&self, v: VarId, k: usize) -> Ident {
        derived(&format!("room{k}_"), self.name(v))
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
            let base = self.with_code(|c| c.place(&p.up_to(k)));
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

/// Whether the accumulators of two places cannot be lent at once.
pub(super) fn contend(a: &Place, b: &Place) -> bool {
    let nested = a.projections.len() > 1 && b.projections.len() > 1;
    overlap(a, b) || a.root == b.root && nested && same_field(a, b)
}

/// Whether two places are in one field of a variable.
pub(super) fn same_field(a: &Place, b: &Place) -> bool {
    match (a.projections.first(), b.projections.first()) {
        (Some(Projection::Field(x)), Some(Projection::Field(y))) => x == y,
        _ => true,
    }
}

/// Whether a name of a record is that of an accumulator for a field that may be constant.
pub fn is_room(name: &Ident) -> bool {
    let name = name.to_string();
    let number = name.strip_prefix("room").and_then(|n| n.split_once('_'));
    number.is_some_and(|(n, _)| n.parse::<usize>().is_ok())
}
