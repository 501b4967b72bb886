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

use super::fields::same_field;
use super::{Lenses, Vjp};
use crate::code::{project_all, Side};
use crate::ir::*;
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Expr;

/// The two arguments, and how many projections lead to the array.
pub(super) struct Rows<'a> {
    arguments: [usize; 2],
    places: [&'a Place; 2],
    array: usize,
}

impl Rows<'_> {
    /// The name of the accumulator of an argument, if it is one of the two.
    pub(super) fn name(&self, k: usize) -> Option<Ident> {
        let at = self.arguments.iter().position(|n| *n == k)?;
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
        let place = |k: usize| all[k].operand.place();
        let second = only((0..all.len()).filter(|k| !lenses.direct[*k]))?;
        let b = place(second)?;
        let shares = |k: &usize| *k != second && place(*k).is_some_and(|p| p.root == b.root);
        let first = only((0..all.len()).filter(shares))?;
        let a = place(first)?;
        let array = a.fields().len();
        // Of a field of a field, the first may be constant.
        let of_one = array <= 1 && b.fields().len() == array && same_field(a, b);
        let row = |p: &&Place| {
            let inside = &p.projections[array..];
            let entry = inside.first().and_then(index).is_some();
            entry && inside.iter().all(Projection::is_indexed) && self.is_row(p)
        };
        let lent = |k: &usize| {
            let a = all[*k];
            let by_ref = matches!(a.operand, Operand::Place { by_ref: true, .. });
            by_ref && a.lend == Lend::Shared && a.code.is_none() && !a.parted
        };
        let root = &self.f.vars[b.root];
        // The cotangents of what is lent to the function may be in any mode.
        let own = match root.param {
            Some(k) => self.f.params[k].by_mut,
            None => root.alias.is_none() && !root.late,
        };
        let (arguments, places) = ([first, second], [a, b]);
        let rows = of_one && places.iter().all(row) && arguments.iter().all(lent);
        (own && rows).then_some(Rows {
            arguments,
            places,
            array,
        })
    }

    /// What makes both accumulators; `zero` is that of the second.
    pub(super) fn both_rows(&self, rows: &Rows<'_>, zero: &TokenStream) -> TokenStream {
        let [a, b] = rows.places;
        let d = self.adj(a.root);
        let array = project_all(Side::Adjoint, quote!(#d), &a.projections[..rows.array]);
        let [i, j] = rows.places.map(|p| index(&p.projections[rows.array]));
        let part =
            |row, p: &Place| project_all(Side::Adjoint, row, &p.projections[rows.array + 1..]);
        let (one, two) = (part(quote!((*__one)), a), part(quote!((*__two)), b));
        let (lens, t) = (self.lens(a), ident(format!("t{}", rows.arguments[1])));
        let own = match self.is_slice(b) {
            true => quote!(&mut #t.insert(#zero)[..]),
            false => quote!(#t.insert(#zero)),
        };
        let [row0, row1] = rows.arguments.map(|k| rows.name(k));
        quote! {
            let mut #t = ::core::option::Option::None;
            let (#row0, #row1) = match ad::two_of(&mut #array[..], #i, #j) {
                ::core::option::Option::Some((__one, __two)) => (&mut #one, &mut #two),
                ::core::option::Option::None => (#lens, #own),
            };
        }
    }
}

/// The one item, if there is one alone.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// The index of an entry.
fn index(p: &Projection) -> Option<&Expr> {
    match p {
        Projection::Index(n) => Some(&n.expr),
        _ => None,
    }
}
