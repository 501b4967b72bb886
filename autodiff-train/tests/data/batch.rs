//! `#[batch]`: rows with named fields.

use differentiable::data::{Collate, Dataset, InMemory, Loader};
use differentiable::nn::*;
use differentiable::prelude::*;
use differentiable::train::Objective;

dim!(Batch, Time, Rows);

#[batch]
#[derive(Clone)]
struct Everything {
    image: Tensor![2, 2],
    precise: Tensor![f64; 3],
    scalar: Tensor![f64;],
    mask: Tensor![bool; 2],
    weight: f32,
    exact: f64,
    class: u8,
    ok: bool,
    #[pad(Time, -1)]
    ids: Vec<i64>,
    #[pad(Time, 0.5)]
    signal: Vec<f32>,
}

fn everything(i: usize) -> Everything {
    Everything {
        image: Tensor::full(i as f32),
        precise: Tensor::full(i as f64),
        scalar: Tensor::full(i as f64),
        mask: Tensor::full(i == 1),
        weight: i as f32,
        exact: i as f64,
        class: i as u8,
        ok: i == 0,
        ids: vec![i as i64; i],
        signal: vec![1.0; 2 - i],
    }
}

#[test]
fn every_kind_of_field_becomes_a_tensor() {
    let batch: EverythingBatch = Collate::collate((0..3).map(everything).collect()).unwrap();
    let image: &Tensor![Batch, 2, 2] = &batch.image;
    assert_eq!(image.index::<0>(2).to_vec(), [2.0; 4]);
    let precise: &Tensor![f64; Batch, 3] = &batch.precise;
    assert_eq!(precise.at([1, 2]), 1.0);
    let scalar: &Tensor![f64; Batch] = &batch.scalar;
    assert_eq!(scalar.to_vec(), [0.0, 1.0, 2.0]);
    let mask: &Tensor![bool; Batch, 2] = &batch.mask;
    assert_eq!(mask.to_vec(), [false, false, true, true, false, false]);
    let (weight, exact): (&Tensor![Batch], &Tensor![f64; Batch]) = (&batch.weight, &batch.exact);
    assert_eq!((weight.at([2]), exact.at([2])), (2.0, 2.0));
    let (class, ok): (&Tensor![i64; Batch], &Tensor![bool; Batch]) = (&batch.class, &batch.ok);
    assert_eq!(class.to_vec(), [0, 1, 2]);
    assert_eq!(ok.to_vec(), [true, false, false]);
    let ids: &Tensor![i64; Batch, Time] = &batch.ids;
    assert_eq!(ids.to_vec(), [-1, -1, 1, -1, 2, 2]);
    assert_eq!(batch.ids_lengths.to_vec(), [0, 1, 2]);
    let signal: &Tensor![Batch, Time] = &batch.signal;
    assert_eq!(signal.to_vec(), [1.0, 1.0, 1.0, 0.5, 0.5, 0.5]);
    assert_eq!(batch.signal_lengths.to_vec(), [2, 1, 0]);
}

/// Sizes, element type and dimension as parameters.
#[batch(Rows)]
struct Scaled<const N: usize, T: Float> {
    x: Tensor![T; { N }],
    n: i32,
}

#[test]
fn rows_with_parameters_and_another_dimension() {
    let row = |n| Scaled::<2, f64> {
        x: Tensor::full(0.5),
        n,
    };
    let batch = Scaled::collate(vec![row(3), row(-4)]).unwrap();
    let (x, n): (Tensor![f64; Rows, 2], Tensor![i64; Rows]) = (batch.x, batch.n);
    assert_eq!((x.to_vec(), n.to_vec()), (vec![0.5; 4], vec![3, -4]));
}

#[batch]
#[derive(Clone)]
struct Point {
    x: Tensor![2],
    y: i64,
}

#[module]
struct Net {
    hidden: Linear<2, 8>,
    out: Linear<8, 2>,
}

#[differentiable]
impl Objective<PointBatch> for Net {
    fn loss(&self, batch: &PointBatch, _ctx: &mut Ctx) -> Tensor![] {
        let h = self.hidden.forward(&batch.x).relu();
        self.out.forward(&h).cross_entropy(&batch.y)
    }
}

#[test]
fn a_batch_is_what_an_objective_takes() {
    let x: Tensor![Rows, 2] = Tensor::randn_with((Rows(60), Sz), 3);
    let y = Tensor::from_fn_with((Rows(60),), |i| i64::from(x.at([i, 0]) > 0.0));
    let data = InMemory::new((x, y))
        .unwrap()
        .map(|(x, y)| Point { x, y: y.item() });
    let loader = Loader::new(data, 16).shuffle(0).workers(2);
    let mut net = Net::new(&mut Seeds::new(1));
    let losses: Vec<f32> = (0..20)
        .map(|epoch| {
            let mut sum = 0.0;
            for batch in loader.epoch(epoch) {
                let (loss, gradient) = net.loss_value_and_grad(&batch, &mut Ctx::eval());
                net.add_scaled(-0.5, &gradient);
                sum += loss.item();
            }
            sum / loader.len() as f32
        })
        .collect();
    assert!(losses[19] < 0.3 * losses[0], "{losses:?}");
}
