use differentiable::prelude::*;

dim!(Time, Other);

fn main() {
    let q: Tensor![2, 4, 16, 8] = Tensor::zeros();
    let k: Tensor![2, 4, 9, 8] = Tensor::zeros();
    let narrow: Tensor![2, 4, 9, 6] = Tensor::zeros();
    let long: Tensor![2, 4, 10, 8] = Tensor::zeros();
    let few: Tensor![2, 3, 9, 8] = Tensor::zeros();
    let _ = q.attention(&narrow, &k, Attention::new());
    let _ = q.attention(&k, &long, Attention::new());
    let _ = q.attention(&few, &few, Attention::new());
    let _ = q.attention(&Tensor::<shape![4, 9, 8]>::zeros(), &k, Attention::new());
    let _ = q.attention_grouped(&few, &few, Attention::new());
    let mask: Tensor![bool; 16, 10] = Tensor::full(true);
    let _ = q.attention_masked(&k, &k, &mask, Attention::new());
    let keys: Tensor![Time, 8] = Tensor::zeros_with((Time(3), Sz));
    let values: Tensor![Other, 8] = Tensor::zeros_with((Other(3), Sz));
    let _ = keys.attention(&keys, &values, Attention::new());
}
