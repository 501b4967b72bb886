//! Operations and functions against values that other programs computed: JAX, PyTorch, and mpmath with 60 digits.
//!
//! `generate.py` beside this file made them; `CONTRIBUTING.md` says how.

mod cases;
#[macro_use]
mod functions;
#[macro_use]
mod ranks;
mod values;

mod attention;
mod conv;
mod forms;
#[cfg(all(feature = "linalg", feature = "fft"))]
mod linalg;
mod more;
mod recurrent;
mod scalar;
mod tensor;
