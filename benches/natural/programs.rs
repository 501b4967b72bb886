//! The programs, for what is measured of them: `crate::measure`.

mod edit_distance;
mod matrix_chain;
mod minors;
mod particles;
mod runge_kutta;
mod skinning;
mod sparse_product;
mod tree;

/// What a derivative of loops over slices may take, in times of one by hand.
pub const LOOPS: f64 = 1.5;
/// The same, of natural code with `Vec`s and closures.
pub const NATURAL: f64 = 2.0;
/// The same, of recursion.
pub const RECURSION: f64 = 3.0;

/// Measures all.
pub fn run() {
    sparse_product::run();
    runge_kutta::run();
    skinning::run();
    particles::run();
    edit_distance::run();
    matrix_chain::run();
    tree::run();
    minors::run();
}
