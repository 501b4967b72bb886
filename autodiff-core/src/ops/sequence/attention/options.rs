//! What attention can be told besides its operands.

use crate::device::AttentionShape;

/// Options of [`attention`](crate::tensor::Tensor::attention).
///
/// ```
/// use differentiable::prelude::*;
/// let x: Tensor![2, 4, 16, 8] = Tensor::zeros();
/// let plain = x.attention(&x, &x, Attention::new());
/// let gpt = x.attention(&x, &x, Attention::new().causal().dropout(0.1, 7));
/// # let _ = (plain, gpt);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attention {
    causal: bool,
    scale: Option<f64>,
    dropout: Option<(f64, u64)>,
}

impl Attention {
    /// All keys are seen, the scale is `1/√D` for heads of size `D`, no dropout.
    pub const fn new() -> Self {
        Attention {
            causal: false,
            scale: None,
            dropout: None,
        }
    }

    /// Each query sees the keys up to its own only. With `Tq` queries and `Tk` keys they are aligned at their ends:
    /// query `i` sees the keys up to `i + Tk − Tq`, so that the last query sees all of them, as when new tokens
    /// attend to a cache. With more queries than keys the first `Tq − Tk` see none and give zeros.
    pub const fn causal(mut self) -> Self {
        self.causal = true;
        self
    }

    /// The products of queries and keys are multiplied by `scale`.
    pub const fn scale(mut self, scale: f64) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Each weight becomes 0 with probability `p`, and is multiplied by `1/(1 − p)` otherwise, as by
    /// [`dropout`](crate::tensor::Tensor::dropout) with this seed on the weights `[.., Tq, Tk]`. The mask is drawn again in the
    /// derivative and takes no memory.
    ///
    /// # Panics
    /// If `p` is not in `[0, 1)`.
    pub const fn dropout(mut self, p: f64, seed: u64) -> Self {
        assert!(
            0.0 <= p && p < 1.0,
            "attention: the rate of dropout is not in [0, 1)"
        );
        self.dropout = if p == 0.0 { None } else { Some((p, seed)) };
        self
    }

    /// With the sizes left out, for heads of size `width`.
    #[track_caller]
    pub(super) fn sizeless(self, width: usize) -> AttentionShape {
        assert!(width > 0, "attention: heads have at least one entry");
        AttentionShape {
            heads: 0,
            group: 1,
            queries: 0,
            keys: 0,
            width,
            value_width: 0,
            biases: 0,
            scale: self.scale.unwrap_or(1.0 / (width as f64).sqrt()),
            causal: self.causal,
            dropout: self
                .dropout
                .map(|(p, seed)| (p, crate::device::draws::seed(seed))),
        }
    }
}

crate::__setting!(Attention);
