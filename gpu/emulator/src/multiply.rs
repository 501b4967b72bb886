//! Products of matrices by three loops.

use half::{bf16, f16};

/// Element types, by the numbers that CUDA gives them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    F32,
    F64,
    F16,
    Bf16,
}

impl Element {
    pub fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::F32),
            1 => Some(Self::F64),
            2 => Some(Self::F16),
            14 => Some(Self::Bf16),
            _ => None,
        }
    }
    fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
            Self::F16 | Self::Bf16 => 2,
        }
    }
    unsafe fn load(self, base: usize, at: usize) -> f64 {
        let address = base + at * self.bytes();
        // SAFETY: the caller's matrices; those of a device end at a page that stops what goes beyond.
        unsafe {
            match self {
                Self::F32 => f64::from(*(address as *const f32)),
                Self::F64 => *(address as *const f64),
                Self::F16 => (*(address as *const f16)).to_f64(),
                Self::Bf16 => (*(address as *const bf16)).to_f64(),
            }
        }
    }
    unsafe fn store(self, base: usize, at: usize, value: f64) {
        let address = base + at * self.bytes();
        // SAFETY: as in `load`.
        unsafe {
            match self {
                Self::F32 => *(address as *mut f32) = value as f32,
                Self::F64 => *(address as *mut f64) = value,
                Self::F16 => *(address as *mut f16) = f16::from_f64(value),
                Self::Bf16 => *(address as *mut bf16) = bf16::from_f64(value),
            }
        }
    }
}

/// A matrix of a batch, column by column.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub element: Element,
    pub address: usize,
    pub transposed: bool,
    pub leading: usize,
    /// Elements from one matrix of the batch to the next.
    pub stride: i64,
}

/// C ← αAB + βC, where C has m rows and n columns; a bias has a number for each row, of C's type.
#[derive(Clone, Copy, Debug)]
pub struct Multiply {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    pub bias: Option<usize>,
    pub alpha: f64,
    pub beta: f64,
    pub tf32: bool,
}

/// A number with the ten bits of a TF32 mantissa.
fn tf32(value: f64) -> f64 {
    let bits = (value as f32).to_bits();
    f64::from(f32::from_bits(
        bits.wrapping_add(0x0fff + (bits >> 13 & 1)) & !0x1fff,
    ))
}

impl Operand {
    /// The matrix of a batch as rows of columns, dense.
    unsafe fn gather(&self, batch: usize, rows: usize, columns: usize, round: bool) -> Vec<f64> {
        let base = (self.address as i64 + self.stride * batch as i64 * self.element.bytes() as i64)
            as usize;
        let at = |row: usize, column: usize| {
            if self.transposed {
                column + row * self.leading
            } else {
                row + column * self.leading
            }
        };
        let mut out = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                // SAFETY: the caller's promise.
                let value = unsafe { self.element.load(base, at(row, column)) };
                out.push(if round { tf32(value) } else { value });
            }
        }
        out
    }
}

impl Multiply {
    /// Computes it, with sums in f64 for f64 and in f32 for all others.
    ///
    /// # Safety
    /// The addresses and sizes are those of matrices.
    pub unsafe fn run(&self) {
        for batch in 0..self.batch {
            // SAFETY: the caller's promise, here and below.
            let (a, b) = unsafe {
                (
                    self.a.gather(batch, self.m, self.k, self.tf32),
                    self.b.gather(batch, self.k, self.n, self.tf32),
                )
            };
            let base = (self.c.address as i64
                + self.c.stride * batch as i64 * self.c.element.bytes() as i64)
                as usize;
            let mut row_out = vec![0f64; self.n];
            let mut row_single = vec![0f32; self.n];
            let double = self.a.element == Element::F64;
            for row in 0..self.m {
                row_out.fill(0.0);
                row_single.fill(0.0);
                for inner in 0..self.k {
                    let (x, line) = (a[row * self.k + inner], &b[inner * self.n..][..self.n]);
                    if double {
                        row_out
                            .iter_mut()
                            .zip(line)
                            .for_each(|(sum, y)| *sum += x * y);
                    } else {
                        row_single
                            .iter_mut()
                            .zip(line)
                            .for_each(|(sum, y)| *sum += x as f32 * *y as f32);
                    }
                }
                for column in 0..self.n {
                    let sum = if double {
                        row_out[column]
                    } else {
                        f64::from(row_single[column])
                    };
                    let at = row + column * self.c.leading;
                    // SAFETY: see above.
                    unsafe {
                        let before = if self.beta == 0.0 {
                            0.0
                        } else {
                            self.beta * self.c.element.load(base, at)
                        };
                        let bias = self.bias.map_or(0.0, |bias| self.c.element.load(bias, row));
                        let value = self.alpha * sum + before + bias;
                        self.c.element.store(base, at, value);
                    }
                }
            }
        }
    }
}
