//! The trips of a straight loop in blocks, with a sum for each trip of a block.

use super::straight::{mentions, targets};
use super::windows::Window;
use super::{float_witness, Vjp};
use crate::ir::*;
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

/// What the lanes of a loop add to.
pub(super) struct Lanes<'a> {
    /// The numbers.
    pub sums: &'a [VarId],
    pub windows: &'a [Window],
    /// The windows to whose entries a block adds when all its trips are run.
    pub added: &'a [VarId],
}

impl Vjp<'_> {
    /// The windows to whose cotangents the trips add, if that is all that they add to but for sums,
    /// and an entry gets one share: two would be added up in another order.
    pub(super) fn added(
        &self,
        body: &Block,
        windows: &[Window],
        sums: &[VarId],
    ) -> Option<Vec<VarId>> {
        let mut all = targets(self.f, body);
        all.retain(|v| !sums.contains(v));
        let stmts = self.rev_stmts(body);
        let once = |v: &VarId| {
            let window = windows.iter().find(|w| w.var == *v);
            window.is_some_and(|w| entry_witness(self.f, w).is_some())
                && occurrences(&stmts, &self.adj(*v)) == 1
        };
        all.iter().all(once).then_some(all)
    }

    /// The trips in blocks, with a sum for each trip of a block.
    pub(super) fn in_lanes(
        &self,
        mut g: Func,
        body: &Block,
        var: VarId,
        record: &[Ident],
        of: &Lanes<'_>,
    ) -> TokenStream {
        let Sums {
            zeros,
            first: rest,
            lanes,
            total,
        } = self.sums(&mut g, of.sums, &quote!(ad::LANES));
        let g = self.within(&g);
        let trip = g.trip(body, var, record);
        let mut blocks = TokenStream::new();
        let mut additions = TokenStream::new();
        for (k, w) in of.windows.iter().enumerate() {
            let (x, d) = (g.name(w.var), g.adj(w.var));
            if mentions(&trip, x) {
                blocks.extend(quote!(let #x = ad::block(#x, __block);));
            }
            if !mentions(&trip, &d) {
                continue;
            }
            let zero = entry_witness(g.f, w).filter(|_| of.added.contains(&w.var));
            let Some(wit) = zero else {
                blocks.extend(quote!(let #d = ad::block_mut(#d, __block);));
                continue;
            };
            // All is read before anything is written, so that whether the two overlap is no
            // question for the compiler.
            let into = ident(format!("into{k}"));
            blocks.extend(quote! {
                let #into = ad::block_mut(#d, __block);
                let mut #d = [#wit.zero(); ad::LANES];
            });
            additions.extend(quote! {
                for __t in 0..ad::LANES { ad::acc(&#wit, #d[__t], &mut #into[__t]); }
            });
        }
        if !record.is_empty() {
            blocks.extend(quote!(let __kept = ad::block(__kept, __block);));
        }
        let name = g.name(var);
        let shift = mentions(&trip, name).then(|| quote!(let __first = ad::LANES * __block;));
        let in_block = match shift {
            // The number of the trip in its block indexes the block, the whole number the range.
            Some(_) => {
                let trip = g.trip_in_block(body, var, record);
                quote!(#trip)
            }
            None => trip.clone(),
        };
        let in_blocks = quote! {
            #blocks
            #shift
            for __t in 0..ad::LANES { #lanes #in_block }
            #additions
        };
        let rest = quote! {
            for __t in __n - __n % ad::LANES..__n { #rest #trip }
        };
        // A tape is read from its end, as a whole: memory that is read in one direction is at hand
        // earlier, and its end is what was written last.
        if !record.is_empty() {
            return quote! {
                #zeros
                #rest
                for __block in (0..__n / ad::LANES).rev() { #in_blocks }
                #total
            };
        }
        quote! {
            #zeros
            for __block in 0..__n / ad::LANES { #in_blocks }
            #rest
            #total
        }
    }

    /// A sum for each trip of a block of this size.
    pub(super) fn sums(&self, g: &mut Func, sums: &[VarId], size: &TokenStream) -> Sums {
        let mut out = Sums::default();
        for (k, v) in sums.iter().enumerate() {
            let (all, d, w) = (
                ident(format!("sums{k}")),
                self.adj(*v),
                self.var_witness(*v),
            );
            let lens = self.lens(&self.f.whole(*v));
            out.zeros.extend(quote!(let mut #all = [#w.zero(); #size];));
            out.lanes.extend(quote!(let #d = &mut #all[__t];));
            out.first.extend(quote!(let #d = &mut #all[0];));
            out.total.extend(quote!(ad::add_sums(&#w, #all, #lens);));
            // A lane is reached as the accumulator of a parameter is: through a reference.
            g.vars[*v].param = Some(g.params.len());
            g.params.push(Param {
                var: *v,
                by_ref: false,
                by_mut: true,
                slice_of: None,
                constant: false,
                is_self: false,
                lent: false,
                copied: false,
            });
        }
        out
    }

    pub(super) fn trip_in_block(&self, body: &Block, var: VarId, record: &[Ident]) -> TokenStream {
        let (prologue, stmts) = (self.prologue(body), self.rev_stmts(body));
        let kept = (!record.is_empty()).then(|| quote!(let (#(#record,)*) = __kept[__t];));
        let name = self.name(var);
        quote!(let #name = ad::nth(&__trips, __first + __t); #kept #prologue #stmts)
    }
}

/// The code of the sums of a loop.
#[derive(Default)]
pub(super) struct Sums {
    pub zeros: TokenStream,
    /// The sum of a trip outside the blocks, and of one in a block.
    pub first: TokenStream,
    pub lanes: TokenStream,
    pub total: TokenStream,
}

/// The witness of the entries of a window, where their type is written.
pub(super) fn entry_witness(f: &Func, w: &Window) -> Option<TokenStream> {
    match &f.vars[w.var].ty {
        Ty::Seq(e) => match **e {
            Ty::Float(float) => Some(float_witness(float)),
            _ => None,
        },
        _ => None,
    }
}

/// How often code names an identifier.
fn occurrences(code: &TokenStream, name: &Ident) -> usize {
    let of = |t: TokenTree| match t {
        TokenTree::Ident(i) => usize::from(i == *name),
        TokenTree::Group(g) => occurrences(&g.stream(), name),
        _ => 0,
    };
    code.clone().into_iter().map(of).sum()
}
