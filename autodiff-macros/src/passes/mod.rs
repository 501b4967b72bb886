//! What is found out and changed in the representation between lowering and emission: [`shared`] and [`for_reverse`]
//! list the passes.

pub mod activity;
pub mod checkpoint;
pub mod fuse;
pub mod hints;
pub mod lengths;
pub mod likes;
pub mod needs;
pub mod operators;
pub mod order;
pub mod over_scalar;
pub mod pairs;
pub mod settle;
pub mod types;

use crate::input::ctxt::Ctxt;
use crate::input::signature::ParamDecl;
use crate::ir::{Func, Needs};

/// What becomes of operations on tensors.
pub struct Fusion<'a> {
    /// There are none: all is numbers.
    pub scalars_only: bool,
    /// What turns regions off.
    pub off: Option<&'a str>,
    /// Whether the report asks which operations are in no region.
    pub explain: bool,
}

/// The passes that both modes share.
pub fn shared(f: &mut Func, params: &[ParamDecl], fusion: &Fusion<'_>, cx: &Ctxt) {
    f.body.each_lambda(&mut |l| of_lambda(&mut l.func));
    types::spread(f); //                what is known of types, so that fewer witnesses are needed
    hints::write(f); //                 types of what starts out empty
    fusion.run(f, params); //           operations on tensors in one pass: regions
    likes::write(f); //                 types of what is read before anything is stored
    activity::analyse(f); //            what depends on an active parameter and affects the result
    operators::refuse_operators(f, cx); // errors: operators whose derivative is not followed
}

/// The same for a closure that is passed on, which has no regions.
fn of_lambda(f: &mut Func) {
    f.body.each_lambda(&mut |l| of_lambda(&mut l.func));
    types::spread(f);
    hints::write(f);
    likes::write(f);
    activity::analyse(f);
}

/// The passes that the reverse asks for, and what it reads of the forward run.
pub fn for_reverse(f: &mut Func) -> Needs {
    for_value(f);
    lengths::fix(f); //          lengths that do not change, read once
    settle::settle(f); //        names for values that change later
    checkpoint::analyse(f); //   the state of loops with `#[checkpoint]`
    let needs = needs::analyse(f); // what is kept, and what is computed again
    settle::drop_unread(f, &needs); // copies of arrays for what is not
    settle::move_overwritten(f); // copies of what is overwritten next
    needs
}

/// The same for a forward run: only a closure that is passed on has a reverse.
pub fn for_value(f: &mut Func) {
    f.body
        .each_lambda(&mut |l| l.needs = for_reverse(&mut l.func));
}

impl Fusion<'_> {
    fn run(&self, f: &mut Func, params: &[ParamDecl]) {
        if self.scalars_only {
            return;
        }
        if self.off.is_none() {
            fuse::fuse(f, params);
        }
        if self.explain {
            fuse::find_apart(f, params, self.off);
        }
    }
}
