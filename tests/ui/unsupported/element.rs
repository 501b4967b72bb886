use differentiable::prelude::*;

#[derive(Differentiable)]
struct Grid([f64; 4]);

impl std::ops::Index<[usize; 2]> for Grid {
    type Output = f64;
    fn index(&self, [i, j]: [usize; 2]) -> &f64 {
        &self.0[2 * i + j]
    }
}

#[differentiable]
fn of_another_type(grid: &Grid) -> f64 {
    grid[[0, 1]] * 2.0
}

fn main() {}
