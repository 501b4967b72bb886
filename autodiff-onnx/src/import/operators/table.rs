//! The table of the operators: what a node may have, and what runs it.

use super::{
    Call, Results, choice, constant, image, index, math, norm, pool, product, reduce, resize,
    sequence, shape,
};
use core::fmt;

/// The type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    Int,
    Float,
    Text,
    Ints,
    Floats,
    Texts,
    Tensor,
}

impl fmt::Display for AttributeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AttributeKind::Int => "a whole number",
            AttributeKind::Float => "a number",
            AttributeKind::Text => "a text",
            AttributeKind::Ints => "whole numbers",
            AttributeKind::Floats => "numbers",
            AttributeKind::Texts => "texts",
            AttributeKind::Tensor => "a tensor",
        })
    }
}

/// An operator that is supported.
pub struct Operator {
    /// Its name.
    pub name: &'static str,
    /// The fewest and the most operands.
    pub inputs: [usize; 2],
    /// Its attributes.
    pub attributes: &'static [(&'static str, AttributeKind)],
    /// Runs a node.
    pub run: fn(&mut Call<'_>) -> Results,
    /// What is not supported, for the documentation.
    pub without: &'static str,
}

/// The operator of a name.
pub fn find(name: &str) -> Option<&'static Operator> {
    OPERATORS.iter().find(|o| o.name == name)
}

/// As many operands as there are.
const ANY: usize = usize::MAX;

macro_rules! operators {
    ($($name:ident $low:literal..$high:tt $([$($kind:ident $attribute:ident),*])? => $file:ident::$run:ident $(, $without:literal)?;)*) => {
        /// Every operator that is supported, in the order of the alphabet.
        pub const OPERATORS: &[Operator] = &[$(
            Operator {
                name: stringify!($name),
                inputs: [$low, $high],
                attributes: &[$($((stringify!($attribute), AttributeKind::$kind)),*)?],
                run: $file::$run,
                without: concat!("" $(, $without)?),
            },
        )*];
    };
}

operators! {
    Abs 1..1 => math::abs;
    Acos 1..1 => math::acos;
    Acosh 1..1 => math::acosh;
    Add 2..2 => math::add;
    And 2..2 => choice::and;
    ArgMax 1..1 [Int axis, Int keepdims, Int select_last_index] => index::arg_max, "`select_last_index`";
    ArgMin 1..1 [Int axis, Int keepdims, Int select_last_index] => index::arg_min, "`select_last_index`";
    Asin 1..1 => math::asin;
    Asinh 1..1 => math::asinh;
    Atan 1..1 => math::atan;
    Atanh 1..1 => math::atanh;
    AveragePool 1..1 [Text auto_pad, Int ceil_mode, Int count_include_pad, Ints dilations, Ints kernel_shape, Ints pads, Ints strides] => pool::average;
    BatchNormalization 5..5 [Float epsilon, Float momentum, Int training_mode] => norm::batch, "training mode";
    Cast 1..1 [Int to, Int saturate] => constant::cast, "texts, complex numbers, floats of 4 or 8 bits; to unsigned or narrow whole numbers, if it depends on an input";
    CastLike 2..2 [Int saturate] => constant::cast_like;
    Ceil 1..1 => math::ceil;
    Celu 1..1 [Float alpha] => math::celu;
    Clip 1..3 => math::clip;
    Concat 1..ANY [Int axis] => shape::concat;
    Constant 0..0 [Tensor value, Int value_int, Ints value_ints, Float value_float, Floats value_floats] => constant::constant, "texts, sparse tensors";
    ConstantOfShape 1..1 [Tensor value] => constant::of_shape;
    Conv 2..3 [Text auto_pad, Ints dilations, Int group, Ints kernel_shape, Ints pads, Ints strides] => image::convolution;
    ConvTranspose 2..3 [Text auto_pad, Ints dilations, Int group, Ints kernel_shape, Ints output_padding, Ints output_shape, Ints pads, Ints strides] => image::transposed;
    Cos 1..1 => math::cos;
    Cosh 1..1 => math::cosh;
    CumSum 2..2 [Int exclusive, Int reverse] => reduce::cum_sum;
    DepthToSpace 1..1 [Int blocksize, Text mode] => shape::depth_to_space;
    Div 2..2 => math::div;
    Dropout 1..3 [Float ratio, Int seed] => shape::dropout, "training mode";
    Einsum 1..ANY [Text equation] => product::einsum;
    Elu 1..1 [Float alpha] => math::elu;
    Equal 2..2 => choice::equal;
    Erf 1..1 => math::erf;
    Exp 1..1 => math::exp;
    Expand 2..2 => shape::expand;
    EyeLike 1..1 [Int dtype, Int k] => constant::eye_like;
    Flatten 1..1 [Int axis] => shape::flatten;
    Floor 1..1 => math::floor;
    GRU 3..6 [Floats activation_alpha, Floats activation_beta, Texts activations, Float clip, Text direction, Int hidden_size, Int layout, Int linear_before_reset] => sequence::gru, "`linear_before_reset = 0`, other activations, `layout`, several lengths";
    Gather 2..2 [Int axis] => index::gather_axis;
    GatherElements 2..2 [Int axis] => index::gather_elements;
    GatherND 2..2 [Int batch_dims] => index::gather_nd, "`batch_dims`";
    Gelu 1..1 [Text approximate] => math::gelu;
    Gemm 2..3 [Float alpha, Float beta, Int transA, Int transB] => product::gemm;
    GlobalAveragePool 1..1 => pool::global_average;
    GlobalMaxPool 1..1 => pool::global_max;
    Greater 2..2 => choice::greater;
    GreaterOrEqual 2..2 => choice::greater_or_equal;
    GroupNormalization 3..3 [Float epsilon, Int num_groups, Int stash_type] => norm::group;
    HardSigmoid 1..1 [Float alpha, Float beta] => math::hard_sigmoid;
    HardSwish 1..1 => math::hard_swish;
    Identity 1..1 => shape::identity;
    InstanceNormalization 3..3 [Float epsilon] => norm::instance;
    IsInf 1..1 [Int detect_negative, Int detect_positive] => choice::is_inf;
    IsNaN 1..1 => choice::is_nan;
    LSTM 3..8 [Floats activation_alpha, Floats activation_beta, Texts activations, Float clip, Text direction, Int hidden_size, Int input_forget, Int layout] => sequence::lstm, "peepholes, other activations, `layout`, several lengths";
    LayerNormalization 2..3 [Int axis, Float epsilon, Int stash_type] => norm::layer, "the mean and the deviation as results";
    LeakyRelu 1..1 [Float alpha] => math::leaky_relu;
    Less 2..2 => choice::less;
    LessOrEqual 2..2 => choice::less_or_equal;
    Log 1..1 => math::log;
    LogSoftmax 1..1 [Int axis] => reduce::log_soft_max;
    LpNormalization 1..1 [Int axis, Int p] => reduce::lp_norm;
    MatMul 2..2 => product::mat_mul;
    Max 1..ANY => math::max;
    MaxPool 1..1 [Text auto_pad, Int ceil_mode, Ints dilations, Ints kernel_shape, Ints pads, Int storage_order, Ints strides] => pool::max, "the positions as a result";
    Mean 1..ANY => math::mean;
    Min 1..ANY => math::min;
    Mish 1..1 => math::mish;
    Mod 2..2 [Int fmod] => math::modulo;
    Mul 2..2 => math::mul;
    Neg 1..1 => math::neg;
    NonZero 1..1 => shape::non_zero, "recordings, if it depends on an input";
    Not 1..1 => choice::not;
    OneHot 3..3 [Int axis] => index::one_hot;
    Or 2..2 => choice::or;
    PRelu 2..2 => math::prelu;
    Pad 2..4 [Text mode] => shape::pad;
    Pow 2..2 => math::pow, "whole numbers with several exponents";
    RMSNormalization 2..2 [Int axis, Float epsilon, Int stash_type] => norm::rms;
    RNN 3..6 [Floats activation_alpha, Floats activation_beta, Texts activations, Float clip, Text direction, Int hidden_size, Int layout] => sequence::rnn, "other activations than `Tanh`, `layout`, several lengths";
    Range 3..3 => constant::range, "recordings, if it depends on an input";
    Reciprocal 1..1 => math::reciprocal;
    ReduceL1 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::l1, "whole numbers";
    ReduceL2 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::l2, "whole numbers";
    ReduceLogSum 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::log_sum;
    ReduceLogSumExp 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::log_sum_exp;
    ReduceMax 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::max;
    ReduceMean 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::mean, "whole numbers";
    ReduceMin 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::min;
    ReduceProd 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::product, "whole numbers that depend on an input";
    ReduceSum 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::sum;
    ReduceSumSquare 1..2 [Ints axes, Int keepdims, Int noop_with_empty_axes] => reduce::sum_square, "whole numbers";
    Relu 1..1 => math::relu;
    Reshape 2..2 [Int allowzero] => shape::reshape;
    Resize 1..4 [Int antialias, Ints axes, Text coordinate_transformation_mode, Float cubic_coeff_a, Int exclude_outside, Float extrapolation_value, Text keep_aspect_ratio_policy, Text mode, Text nearest_mode] => resize::resize, "`cubic`, `antialias`, `exclude_outside`, `keep_aspect_ratio_policy`, `tf_crop_and_resize`";
    Round 1..1 => math::round;
    ScatterElements 3..3 [Int axis, Text reduction] => index::scatter_elements, "`mul`, `max`, `min`; an index that is smaller beside the axis";
    ScatterND 3..3 [Text reduction] => index::scatter_nd, "`mul`, `max`, `min`";
    Selu 1..1 [Float alpha, Float gamma] => math::selu;
    Shape 1..1 [Int end, Int start] => shape::shape;
    Sigmoid 1..1 => math::sigmoid;
    Sign 1..1 => math::sign;
    Sin 1..1 => math::sin;
    Sinh 1..1 => math::sinh;
    Size 1..1 => shape::count;
    Slice 3..5 => shape::slice;
    Softmax 1..1 [Int axis] => reduce::soft_max;
    Softplus 1..1 => math::softplus;
    Softsign 1..1 => math::softsign;
    SpaceToDepth 1..1 [Int blocksize] => shape::space_to_depth;
    Split 1..2 [Int axis, Int num_outputs, Ints split] => shape::split;
    Sqrt 1..1 => math::sqrt;
    Squeeze 1..2 [Ints axes] => shape::squeeze;
    Sub 2..2 => math::sub;
    Sum 1..ANY => math::sum;
    Swish 1..1 [Float alpha] => math::swish;
    Tan 1..1 => math::tan;
    Tanh 1..1 => math::tanh;
    ThresholdedRelu 1..1 [Float alpha] => math::thresholded_relu;
    Tile 2..2 => shape::tile;
    TopK 2..2 [Int axis, Int largest, Int sorted] => index::top_k;
    Transpose 1..1 [Ints perm] => shape::transpose;
    Trilu 1..2 [Int upper] => shape::trilu;
    Unsqueeze 1..2 [Ints axes] => shape::unsqueeze;
    Where 3..3 => choice::choice;
    Xor 2..2 => choice::xor;
}
