//! Axes that are not there, of every operation along an axis.
use differentiable::prelude::*;

fn reductions(x: Tensor![4, 3]) {
    let _ = x.sum_axis_keepdim::<2>();
    let _ = x.mean_axis::<2>();
    let _ = x.mean_axis_keepdim::<2>();
    let _ = x.max_axis::<2>();
    let _ = x.max_axis_keepdim::<2>();
    let _ = x.min_axis::<-3>();
    let _ = x.min_axis_keepdim::<2>();
    let _ = x.prod_axis::<2>();
    let _ = x.prod_axis_keepdim::<2>();
    let _ = x.var_axis::<2>(1);
    let _ = x.var_axis_keepdim::<2>(1);
    let _ = x.std_axis::<2>(1);
    let _ = x.std_axis_keepdim::<2>(1);
    let _ = x.norm_axis::<2>();
    let _ = x.norm_axis_keepdim::<2>();
    let _ = x.norm_l1_axis::<2>();
    let _ = x.norm_l1_axis_keepdim::<2>();
    let _ = x.norm_p_axis::<2>(3.0);
    let _ = x.norm_p_axis_keepdim::<2>(3.0);
    let _ = x.logsumexp_axis::<2>();
    let _ = x.logsumexp_axis_keepdim::<2>();
    let _ = x.argmax::<2>();
    let _ = x.argmin::<2>();
    let _ = x.softmax::<2>();
    let _ = x.log_softmax::<2>();
}

fn orders(x: Tensor![4, 3]) {
    let _ = x.cumsum::<2>();
    let _ = x.cumprod::<2>();
    let _ = x.sort::<2>();
    let _ = x.sort_descending::<2>();
    let _ = x.argsort::<2>();
    let _ = x.argsort_descending::<2>();
    let _ = x.flip::<2>();
    let _ = x.roll::<2>(1);
    let _ = x.repeat_interleave::<2, 2>();
    let _ = x.pad::<2, 1, 1>(0.0);
    let _ = x.pad_replicate::<2, 1, 1>();
}

fn masks(m: Tensor![bool; 4, 3]) {
    let _ = m.any_axis::<2>();
    let _ = m.all_axis::<2>();
    let _ = m.count_axis::<2>();
}

fn views(x: Tensor![4, 3], i: Tensor![i64; 5]) {
    let _ = x.transpose::<0, 2>();
    let _ = x.unsqueeze::<3>();
    let _ = x.expand::<2, _>(Sz::<5>);
    let _ = x.narrow::<2, _>(0, Sz::<1>);
    let _ = x.chunk::<2, 2>();
    let _ = x.index_select::<2, _, _>(&i);
    let _ = x.gather::<2, _, _>(&Tensor::<shape![4, 3], i64>::zeros());
    let _ = Tensor::stack::<3, 2>([&x, &x]);
    let _ = Tensor::concat_all::<2, 2>([&x, &x]);
}

fn main() {}
