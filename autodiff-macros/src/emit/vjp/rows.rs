//! Two rows of one array, lent to one call: `dot(&l[i][..j], &l[j][..j])`.
//!
//! Rust lends the cotangents of both at once if they are two. If they are one, the second goes through an accumulator of its own:
//!
//! ```text
//! let mut t1 = None;
//! let (row0, row1) = match ad::two_of(&mut d_l[..], i, j) {
//!     Some((a, b)) => (&mut a[..j], &mut b[..j]),
//!     None => (&mut d_l[i][..j], &mut t1.insert(l[j][..j].zero_adj(ad::On))[..]),
//! };
//! p_v0(d_v0, &l[i][..j], &l[j][..j], row0, row1);
//! if let Some(t1) = t1 { ad::acc_slice(&l[j][..j].__wit(), t1, &mut d_l[j][..j]); }
//! ```

use super::aside::is_indexed;
use super::{Lenses, Vjp};
use crate::code::{project_one, Side};
use crate::ir::*;
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The two arguments, and how many projections lead to the array.
pub(super) struct Rows<'a> {
    pub(super) all: [usize; 2],
    places: [&'a Place; 2],
    array: usize,
}

impl Rows<'_> {
    /// The name of the accumulator of an argument, if it is one of the two.
    pub(super) fn name(&self, k: usize) -> Option<Ident> {
        let at = self.all.iter().position(|n| *n == k)?;
        Some(ident(format!("row{at}")))
    }
}

impl Vjp<'_> {
    /// The two rows among the arguments of a call.
    pub(super) fn rows<'a>(
        &self,
        receiver: Option<&'a Arg>,
        args: &'a [Arg],
        lenses: &Lenses,
    ) -> Option<Rows<'a>> {
        let all: Vec<&Arg> = receiver.into_iter().chain(args).collect();
        let (second, mut others) = {
            let mut not = (0..all.len()).filter(|k| !lenses.direct[*k]);
            (not.next()?, not)
        };
        if others.next().is_some() {
            return None;
        }
        let place = |k: usize| all[k].operand.place();
        let root = place(second)?.root;
        let same = |k: &usize| *k != second && place(*k).is_some_and(|p| p.root == root);
        let mut first = (0..all.len()).filter(same);
        let (first, None) = (first.next()?, first.next()) else {
            return None;
        };
        let (a, b) = (place(first)?, place(second)?);
        let var = &self.f.vars[root];
        // The cotangents of what is lent here may be in any mode.
        let own = match var.param {
            Some(k) => self.f.params[k].by_mut,
            None => var.alias.is_none() && !var.late,
        };
        let part = |p: &Projection| matches!(p, Projection::Field(_));
        let array = a.projections.iter().take_while(|p| part(p)).count();
        let rest = |p: &Place| {
            p.projections.len() > array && p.projections[array..].iter().all(is_indexed)
        };
        let entry = |p: &Place| matches!(p.projections.get(array), Some(Projection::Index(_)));
        let field = |p: &Place| match p.projections.first() {
            Some(Projection::Field(m)) => Some(m.clone()),
            _ => None,
        };
        let starts = field(a) == field(b);
        let lent = [first, second].iter().all(|k| {
            let a = all[*k];
            let by_ref = matches!(a.operand, Operand::Place { by_ref: true, .. });
            by_ref && a.lend == Lend::Shared && a.code.is_none() && !a.parted
        });
        let rows = [a, b]
            .into_iter()
            .all(|p| rest(p) && entry(p) && self.is_row(p));
        (own && array <= 1 && starts && lent && rows).then_some(Rows {
            all: [first, second],
            places: [a, b],
            array,
        })
    }

    /// What makes both accumulators; `zero` is that of the second.
    pub(super) fn both_rows(&self, rows: &Rows<'_>, zero: &TokenStream) -> TokenStream {
        let [a, b] = rows.places;
        let part = |p: &Place, of: TokenStream, from: usize| {
            let inside = p.projections[from..].iter();
            inside.fold(of, |of, i| project_one(Side::Adjoint, of, i))
        };
        let d = self.adj(a.root);
        let array = a.projections[..rows.array].iter();
        let array = array.fold(quote!(#d), |of, i| project_one(Side::Adjoint, of, i));
        let index = |p: &Place| match &p.projections[rows.array] {
            Projection::Index(n) => n.expr.clone(),
            _ => unreachable!("`rows` takes indices"),
        };
        let (i, j) = (index(a), index(b));
        let (one, two) = (
            part(a, quote!((*__one)), rows.array + 1),
            part(b, quote!((*__two)), rows.array + 1),
        );
        let (lens, t) = (self.lens(a), ident(format!("t{}", rows.all[1])));
        let own = match self.is_slice(b) {
            true => quote!(&mut #t.insert(#zero)[..]),
            false => quote!(#t.insert(#zero)),
        };
        let names = rows.all.map(|k| rows.name(k));
        let [row0, row1] = names;
        quote! {
            let mut #t = ::core::option::Option::None;
            let (#row0, #row1) = match ad::two_of(&mut #array[..], #i, #j) {
                ::core::option::Option::Some((__one, __two)) => (&mut #one, &mut #two),
                ::core::option::Option::None => (#lens, #own),
            };
        }
    }
}
