//! What is known of the methods of tensors by their names: which go element by element, and what the others give.
//!
//! Functions of one number are in the table of the crate `autodiff-vocabulary`; this is the only list of the others. Its test holds every operation of `docs/book/src/reference/operations.md` against it, so that a new one is a decision: a
//! chain of operations behind a method that is not here would not be fused, without a word.

use autodiff_vocabulary::function;

/// What a method of a tensor of floats gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A tensor of floats, each element from the element: a module of the core's `kernel::fused::rules`.
    Element,
    /// The same, where the arguments are numbers that are written out.
    ElementWithNumbers,
    /// A tensor of floats.
    Tensor,
    /// Several tensors of floats: a tuple or an array.
    Tensors,
    /// A tensor of one element or a number: what follows is no work over elements.
    One,
    /// A tensor of the kind of its arguments: `mask.select(&a, &b)`.
    Arguments,
    /// A tensor of the elements that are named: `cast::<f32>()`.
    Named,
    /// Something else: integers beside floats, parts of any number.
    Other,
}

const TABLE: &[(Gives, &[&str])] = &[
    (
        Gives::ElementWithNumbers,
        &["leaky_relu", "elu", "powf", "powi", "clamp"],
    ),
    (
        Gives::Tensor,
        &[
            "celu",
            "to",
            "zeros_like",
            "ones_like",
            "full_like",
            "affine",
            "atan2",
            "hypot",
            "maximum",
            "minimum",
            "pow",
            "lerp",
            "attention",
            "attention_masked",
            "attention_biased",
            "attention_padded",
            "attention_grouped",
            "attention_masked_biased",
            "attention_grouped_masked",
            "attention_grouped_biased",
            "attention_grouped_masked_biased",
            "unfold2d",
            "fold2d",
            "conv1d",
            "conv2d",
            "conv3d",
            "conv1d_grouped",
            "conv2d_grouped",
            "conv3d_grouped",
            "max_pool",
            "avg_pool",
            "adaptive_max_pool1d",
            "adaptive_max_pool2d",
            "adaptive_max_pool3d",
            "adaptive_avg_pool1d",
            "adaptive_avg_pool2d",
            "adaptive_avg_pool3d",
            "max_pool1d",
            "max_pool2d",
            "max_pool3d",
            "avg_pool1d",
            "avg_pool2d",
            "avg_pool3d",
            "conv_transpose1d",
            "conv_transpose2d",
            "conv_transpose3d",
            "conv_transpose1d_grouped",
            "conv_transpose2d_grouped",
            "conv_transpose3d_grouped",
            "dropout",
            "index",
            "expand",
            "expand_as",
            "narrow",
            "prod_axis",
            "prod_axis_keepdim",
            "prod_axes",
            "prod_axes_keepdim",
            "var_axis",
            "var_axis_keepdim",
            "var_axes",
            "var_axes_keepdim",
            "std_axis",
            "std_axis_keepdim",
            "std_axes",
            "std_axes_keepdim",
            "norm_axis",
            "norm_axis_keepdim",
            "norm_axes",
            "norm_axes_keepdim",
            "norm_l1_axis",
            "norm_l1_axis_keepdim",
            "norm_l1_axes",
            "norm_l1_axes_keepdim",
            "norm_p_axis",
            "norm_p_axis_keepdim",
            "norm_p_axes",
            "norm_p_axes_keepdim",
            "logsumexp_axis",
            "logsumexp_axis_keepdim",
            "logsumexp_axes",
            "logsumexp_axes_keepdim",
            "irfft",
            "irfft2",
            "sum_axis",
            "mean_axis",
            "max_axis",
            "min_axis",
            "sum_axis_keepdim",
            "mean_axis_keepdim",
            "matmul",
            "embedding",
            "gather",
            "concat",
            "concat_to",
            "stack",
            "cholesky",
            "cholesky_solve",
            "det",
            "logdet",
            "eigvalsh",
            "inv",
            "matrix_exp",
            "lstsq",
            "trace",
            "matrix_power",
            "solve",
            "solve_vec",
            "svdvals",
            "pinv",
            "solve_triangular",
            "cross",
            "masked_fill",
            "layer_norm",
            "group_norm",
            "instance_norm",
            "batch_norm",
            "rms_norm",
            "pad",
            "pad_reflect",
            "pad_replicate",
            "concat_all",
            "clamp_min",
            "clamp_max",
            "outer",
            "quantile_axis",
            "quantile_axis_keepdim",
            "median_axis",
            "median_axis_keepdim",
            "flip",
            "slice_step",
            "repeat",
            "repeat_interleave",
            "roll",
            "tril",
            "triu",
            "diag",
            "diagonal",
            "sum_axes",
            "sum_axes_keepdim",
            "mean_axes",
            "mean_axes_keepdim",
            "max_axis_keepdim",
            "max_axes",
            "max_axes_keepdim",
            "min_axis_keepdim",
            "min_axes",
            "min_axes_keepdim",
            "interpolate_nearest",
            "interpolate_bilinear",
            "interpolate_bilinear_aligned",
            "interpolate_nearest1d",
            "interpolate_linear",
            "interpolate_linear_aligned",
            "upsample_nearest",
            "upsample_bilinear",
            "unfold",
            "batch_norm_inference",
            "cumsum",
            "cumprod",
            "index_add",
            "index_select",
            "scatter",
            "scatter_add",
            "softmax",
            "log_softmax",
            "sort",
            "sort_descending",
            "add_channels",
            "stack_to",
            "repeat_to",
            "repeat_interleave_to",
            "pad_reflect_to",
            "pad_replicate_to",
            "pad_to",
            "tensordot",
            "transpose",
            "reshape",
            "flatten",
            "rename",
            "split_last",
            "merge_last",
            "unsqueeze",
            "squeeze",
            "slice",
            "permute",
            "t",
            "clone",
        ],
    ),
    (
        Gives::Tensors,
        &[
            "fft",
            "ifft",
            "fft_ortho",
            "ifft_ortho",
            "fft2",
            "ifft2",
            "rfft",
            "rfft2",
            "meshgrid",
            "meshgrid3",
            "split_at",
            "chunk",
            "slogdet",
            "eigh",
            "qr",
            "svd",
            "lstm",
            "gru",
            "rnn",
        ],
    ),
    (
        Gives::One,
        &[
            "at",
            "prod",
            "var",
            "std",
            "norm",
            "norm_l1",
            "norm_p",
            "logsumexp",
            "sum",
            "mean",
            "max",
            "min",
            "cross_entropy",
            "cross_entropy_with",
            "nll_loss",
            "nll_loss_with",
            "ctc_loss",
            "mse_loss",
            "l1_loss",
            "huber_loss",
            "smooth_l1_loss",
            "bce_with_logits",
            "bce_loss",
            "kl_div",
            "dot",
        ],
    ),
    (Gives::Arguments, &["select"]),
    (Gives::Named, &["cast"]),
    (Gives::Other, &["split", "topk"]),
];

/// What a method gives; `None` if it is none of tensors.
pub fn gives(name: &str) -> Option<Gives> {
    if let Some(f) = function(name).filter(|f| f.is_of_tensors()) {
        return Some(match f.is_fused() {
            true => Gives::Element,
            false => Gives::Tensor,
        });
    }
    let row = TABLE.iter().find(|(_, names)| names.contains(&name));
    row.map(|(gives, _)| *gives)
}

/// The module of the core's rules of a method without arguments.
pub fn rule(name: &str) -> Option<&'static str> {
    function(name).filter(|f| f.is_fused()).map(|f| f.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// What the signatures of an operation say it gives, of floats.
    fn by_signature(signature: &str) -> Gives {
        let (_, result) = signature.rsplit_once("->").expect("a result");
        let result = result.trim();
        let float = |t: &str| {
            t == "Self"
                || t.starts_with("Tensor<") && t.ends_with(", T, D>")
                || t.ends_with(", T, Dev>")
                || t.ends_with(", T, E>")
        };
        match result {
            "T" => Gives::One,
            t if t.starts_with("Tensor<(), T") => Gives::One,
            t if t.starts_with('(') || t.starts_with('[') => match t.contains("i64") {
                true => Gives::Other,
                false => Gives::Tensors,
            },
            t if float(t) => Gives::Tensor,
            t if t.starts_with("Tensor<S, U") => Gives::Named,
            _ => Gives::Other,
        }
    }

    #[test]
    fn every_operation_is_known() {
        let page = include_str!("../../../docs/book/src/reference/operations.md");
        let mut found: BTreeMap<&str, Vec<Gives>> = BTreeMap::new();
        let mut all = Vec::new();
        for line in page.lines().filter(|l| l.starts_with("| **")) {
            let name = line["| **".len()..].split("**").next().expect("a name");
            all.push(name);
            let columns: Vec<&str> = line.split(" | ").collect();
            if line.contains("| vjp, jvp") {
                let signature = columns
                    .iter()
                    .find(|c| c.starts_with('`'))
                    .expect("a signature");
                let of = found.entry(name).or_default();
                of.push(by_signature(signature.trim_matches('`')));
            }
        }
        assert!(found.len() > 250, "{} operations on the page", found.len());
        for (name, of) in &found {
            let Some(gives) = gives(name) else {
                panic!("`{name}` of docs/book/src/reference/operations.md is in no list of fuse/operations.rs: a chain behind it would not be fused");
            };
            let fits = match gives {
                Gives::Element | Gives::ElementWithNumbers => of.contains(&Gives::Tensor),
                // Those of half precision and of integers are other methods of the name.
                gives => of.contains(&gives),
            };
            assert!(
                fits,
                "`{name}` gives {of:?} by its signature, {gives:?} by the list"
            );
        }
        for (_, names) in TABLE {
            for name in *names {
                assert!(
                    *name == "clone" || function(name).is_none() && all.contains(name),
                    "`{name}` is no operation"
                );
                let lists = TABLE.iter().filter(|(_, n)| n.contains(name)).count();
                assert_eq!(lists, 1, "`{name}` is in {lists} lists");
            }
        }
    }
}
