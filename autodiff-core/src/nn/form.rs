/// How PyTorch stores a field: what `#[torch(..)]` on a field of a `#[module]` says.
///
/// The attribute holds calls of the methods below, one after the other, so that `#[torch(transposed(1))]` is
/// `TorchForm::new().transposed(1)`. A field without the attribute has the same name and the same axes there. The form
/// of a tensor says where its numbers are; that of a layer or a list says what the names of its tensors become.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::Init;
///
/// #[module]
/// struct Scores {
///     // PyTorch's `nn.Linear` has `[outputs, inputs]`.
///     #[init(Init::FanIn.weight(seeds))]
///     #[torch(named("proj.weight").transposed(1))]
///     weight: Tensor![8, 8],
///     #[init(Tensor::zeros())]
///     #[torch(named("proj.bias"))]
///     bias: Tensor![8],
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TorchForm {
    /// What the field is called.
    pub names: TorchNames,
    /// How the axes are arranged.
    pub layout: TorchLayout,
    /// Which of how many equal parts of the first axis the field is, where one tensor holds several fields.
    pub part: Option<(usize, usize)>,
    /// The name of a tensor that may stand in for [`part`](Self::part) and holds the field alone.
    pub alone: Option<&'static str>,
    /// What becomes of names in the struct: the pattern that they match, and the one that replaces them.
    pub renames: &'static [(&'static str, &'static str)],
    /// An integer that PyTorch stores in the same struct and that the module does not have.
    pub beside: Option<&'static str>,
}

/// The names that a field has in PyTorch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TorchNames {
    /// That of the field.
    Own,
    /// Another one.
    One(&'static str),
    /// None: what is in the field belongs to the struct itself.
    Flat,
    /// Those of two tensors, whose sum the field is.
    Sum(&'static str, &'static str),
}

/// How PyTorch arranges the axes of a tensor `[a, b, c, ..]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TorchLayout {
    /// In the same way.
    Same,
    /// The first axes are one: `[a·b, c, ..]`.
    Merged(usize),
    /// A matrix whose columns are the first axes, and whose rows are the others: `[c·.., a·b]`.
    Transposed(usize),
}

impl TorchForm {
    /// The same name, the same axes.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        TorchForm {
            names: TorchNames::Own,
            layout: TorchLayout::Same,
            part: None,
            alone: None,
            renames: &[],
            beside: None,
        }
    }

    /// The field has another name; that of a layer may have dots.
    pub const fn named(mut self, name: &'static str) -> Self {
        self.names = TorchNames::One(name);
        self
    }

    /// The field has no name of its own: the names of what is in it stand in the struct itself.
    pub const fn flat(mut self) -> Self {
        self.names = TorchNames::Flat;
        self
    }

    /// The field is the sum of two tensors. Export writes it as the first, and zeros as the second.
    pub const fn sum(mut self, first: &'static str, second: &'static str) -> Self {
        self.names = TorchNames::Sum(first, second);
        self
    }

    /// The first `axes` axes are one: with 2, `[4, H, I]` is stored as `[4·H, I]`.
    pub const fn merged(mut self, axes: usize) -> Self {
        assert!(axes > 0, "at least one axis is merged");
        self.layout = TorchLayout::Merged(axes);
        self
    }

    /// The field is stored as a matrix whose columns are the first `axes` axes: with 1, `[I, O]` is stored as
    /// `[O, I]`, and `[D, H, K]` as `[H·K, D]`.
    pub const fn transposed(mut self, axes: usize) -> Self {
        assert!(axes > 0, "at least one axis becomes the columns");
        self.layout = TorchLayout::Transposed(axes);
        self
    }

    /// The tensor holds several fields: this one is the part `index` of `count` equal ones along its first axis, counted from 0.
    pub const fn part(mut self, index: usize, count: usize) -> Self {
        assert!(index < count, "parts are counted from 0");
        self.part = Some((index, count));
        self
    }

    /// A tensor of this name, if the file has it and not the whole of which the field is a [`part`](Self::part), holds
    /// the field alone.
    pub const fn or(mut self, name: &'static str) -> Self {
        self.alone = Some(name);
        self
    }

    /// Pairs of patterns for the names in the struct, which begin with the name of this field as the other methods leave
    /// it: `rename(&[("rest.{i}.{p}_l0", "{p}_l{i+1}")])`. The first pair that fits counts.
    pub const fn rename(mut self, pairs: &'static [(&'static str, &'static str)]) -> Self {
        self.renames = pairs;
        self
    }

    /// PyTorch stores an integer of this name in the same struct. Import leaves it out; export writes 0.
    pub const fn beside(mut self, name: &'static str) -> Self {
        self.beside = Some(name);
        self
    }
}
