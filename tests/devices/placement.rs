//! Tensors, modules and optimisers on a device, and new tensors there.

use differentiable::device::{DeviceError, IndexError};
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;

#[test]
fn a_tensor_goes_there_and_back() {
    let far = Device::far();
    let x: Tensor![2, 3] = Tensor::iota();
    let y = x.to(&far);
    assert_eq!((y.device(), x.device()), (&far, &Device::Cpu));
    assert_eq!(y.to_vec(), x.to_vec());
    assert_eq!(y.to(&Device::cpu()), x);
    // A view too, and what is there already is shared.
    let turned = x.transpose::<0, 1>().to(&far);
    assert_eq!(turned.to_vec(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    assert_eq!(y.to(&far).device(), &far);
    assert!(y.raw().as_slice().is_none() && x.raw().as_slice().is_some());
}

#[test]
fn new_tensors_are_where_the_scope_says() {
    let far = Device::far();
    let there = far.scope(|| {
        assert_eq!(Device::current(), far);
        let inner = Device::cpu().scope(Tensor::<(Sz<2>,)>::zeros);
        assert_eq!(inner.device(), &Device::Cpu);
        (
            Tensor::<(Sz<2>,)>::zeros(),
            Tensor::<(Sz<2>,)>::randn(1),
            tensor([1.0_f32, 2.0]),
            Tensor::<(Sz<2>, Sz<2>)>::eye(),
            Linear::<2, 3>::new(&mut Seeds::new(1)),
        )
    });
    for device in [
        there.0.device(),
        there.1.device(),
        there.2.device(),
        there.3.device(),
        there.4.weight.device(),
    ] {
        assert_eq!(device, &far);
    }
    assert_eq!(Tensor::<(Sz<2>,)>::zeros().device(), &Device::current());
    // A panic ends the scope as well.
    let before = Device::current();
    let _ = std::panic::catch_unwind(|| Device::far().scope(|| panic!("in the scope")));
    assert_eq!(Device::current(), before);
    // Each thread has its own.
    far.scope(|| {
        let other = std::thread::spawn(Device::current)
            .join()
            .expect("a device");
        assert_ne!(other, far);
    });
}

#[test]
fn constructors_take_a_device() {
    let far = Device::far();
    type V = Tensor<(Sz<3>,)>;
    let x = V::from_slice_on(&far, &[1.0, 2.0, 3.0]).expect("three");
    for (y, expected) in [
        (V::zeros_on(&far), [0.0; 3]),
        (V::ones_on(&far), [1.0; 3]),
        (V::full_on(&far, 2.5), [2.5; 3]),
        (x.zeros_like(), [0.0; 3]),
        (x.ones_like(), [1.0; 3]),
        (x.full_like(7.0), [7.0; 3]),
    ] {
        assert_eq!((y.device(), y.to_vec()), (&far, expected.to_vec()));
    }
    assert!(V::from_slice_on(&far, &[1.0]).is_err());
    // The same numbers as on the processor.
    assert_eq!(
        V::randn_on(&far, 5).to_vec(),
        V::randn_on(&Device::cpu(), 5).to_vec()
    );
}

#[derive(Clone, Debug, PartialEq)]
struct Options {
    name: &'static str,
}

#[derive(Clone, Differentiable)]
enum Layer<L> {
    Plain(L),
    Masked {
        layer: L,
        #[constant]
        mask: Tensor<(Sz<3>,), bool>,
        #[constant]
        options: Options,
    },
    Nothing,
}

#[derive(Clone, Differentiable)]
struct Tree<T> {
    value: T,
    children: Vec<Tree<T>>,
}

#[derive(Clone, Differentiable)]
struct Model {
    layers: Vec<Layer<Linear<3, 3>>>,
    tree: Tree<Tensor![3]>,
    pair: (f64, Option<Tensor![3]>),
    boxed: Box<Tensor![3]>,
    count: usize,
}

#[test]
fn a_struct_goes_with_all_its_tensors() {
    let mut seeds = Seeds::new(1);
    let mut linear = || Linear::new(&mut seeds);
    let v = || Tensor::<(Sz<3>,)>::randn(2);
    let leaf = |x| Tree {
        value: x,
        children: vec![],
    };
    let model = Model {
        layers: vec![
            Layer::Plain(linear()),
            Layer::Masked {
                layer: linear(),
                mask: tensor([true, false, true]),
                options: Options { name: "masked" },
            },
            Layer::Nothing,
        ],
        tree: Tree {
            value: v(),
            children: vec![leaf(v())],
        },
        pair: (1.0, Some(v())),
        boxed: Box::new(v()),
        count: 3,
    };
    let far = Device::far();
    let there = model.to(&far);
    let Layer::Plain(l0) = &there.layers[0] else {
        panic!("the first")
    };
    let Layer::Masked {
        layer,
        mask,
        options,
    } = &there.layers[1]
    else {
        panic!("the second")
    };
    assert_eq!(options.name, "masked");
    assert_eq!(mask.device(), &far);
    assert_eq!((there.pair.0, there.count), (1.0, 3));
    for device in [
        l0.weight.device(),
        layer.bias.device(),
        there.tree.value.device(),
        there.tree.children[0].value.device(),
        there.pair.1.as_ref().expect("some").device(),
        there.boxed.device(),
    ] {
        assert_eq!(device, &far);
    }
    assert_eq!(model.boxed.device(), &Device::Cpu, "the original stays");
}

#[differentiable]
fn moved(x: &Tensor![3], #[constant] device: &Device) -> Tensor![] {
    let y = x.to(device) * 2.0;
    let z = y.ones_like() + y.zeros_like();
    (y.square() * z).sum()
}

#[test]
fn the_cotangent_comes_back_to_where_the_tensor_is() {
    let far = Device::far();
    let x: Tensor![3] = tensor([1.0, 2.0, 3.0]);
    let (value, grad) = moved::value_and_grad(&x, &far);
    assert_eq!((value.device(), value.item()), (&far, 56.0));
    assert_eq!(
        (grad.device(), grad.to_vec()),
        (&Device::Cpu, vec![8.0, 16.0, 24.0])
    );
    let (_, tangent) = moved::jvp((&x, &tensor([1.0, 0.0, 0.0])), &far);
    assert_eq!(tangent.item(), 8.0);
}

#[test]
fn an_optimiser_follows_its_model() {
    let far = Device::far();
    let mut steps = Vec::new();
    // Moved together, the optimiser left behind, and neither.
    for way in 0..3 {
        let mut w: Tensor![3] = tensor([1.0, -2.0, 3.0]);
        let mut adam = Adam::new(0.1);
        let grad: Tensor![3] = tensor([0.5, 0.25, -1.0]);
        adam.step(&mut w, &grad);
        let device = if way == 2 { Device::cpu() } else { far.clone() };
        w = w.to(&device);
        if way == 0 {
            adam = adam.to(&device);
        }
        adam.step(&mut w, &grad.to(&device));
        assert_eq!(w.device(), &device);
        steps.push(w.to_vec());
    }
    assert_eq!(steps[0], steps[2]);
    assert_eq!(steps[1], steps[2]);
}

#[test]
fn a_wrong_index_comes_out_at_the_next_reading() {
    let far = Device::far();
    let table: Tensor![4, 2] = Tensor::ones_on(&far);
    let ids: Tensor![i64; 3] = Tensor::from_slice_on(&far, &[0, 9, 1]).expect("three");
    let picked = table.embedding(&ids);
    let after = (&picked * 2.0).sum();
    let error = DeviceError::Index {
        operation: "gather",
        device: "the far device".into(),
        error: IndexError {
            position: 1,
            found: 9,
            len: 4,
        },
    };
    assert_eq!(after.try_item(), Err(error.clone()));
    assert_eq!(
        error.to_string(),
        "`gather` on the far device: index 9 at position 1 is out of range: there are 4 entries, 0 to 3"
    );
    // It is told once.
    assert_eq!(table.try_to_vec(), Ok(vec![1.0; 8]));
    // The first of several.
    let wrong: Tensor![i64; 2] = Tensor::from_slice_on(&far, &[-1, 0]).expect("two");
    let _ = (table.embedding(&wrong), table.embedding(&ids));
    let message = std::panic::catch_unwind(|| table.to_vec()).expect_err("a panic");
    let message = message.downcast_ref::<String>().expect("a message");
    assert!(message.contains("index -1 at position 0"), "{message}");
    // Whoever reads nothing asks the device.
    let _ = table.embedding(&ids);
    assert!(differentiable::device::Backend::synchronise(&far).is_err());
}

#[test]
fn the_host_reads_and_edits_elements() {
    let device = Device::far();
    let Device::Far(far) = &device else {
        unreachable!()
    };
    let mut x: Tensor![2, 2] = Tensor::ones_on(&device);
    // One copy serves all elements until the tensor changes.
    let before = far.counts().downloads;
    assert_eq!(x[[0, 1]] + x[[1, 1]] + x.transpose::<0, 1>()[[1, 0]], 3.0);
    assert_eq!(far.counts().downloads, before + 1);
    x += &x.clone();
    assert_eq!((x[[0, 0]], x.get([1, 1])), (2.0, Some(2.0)));
    x.raw_mut().edit(|x| x[3] = 7.0);
    assert_eq!(
        (x.device(), x.to_vec()),
        (&device, vec![2.0, 2.0, 2.0, 7.0])
    );
    let slice = std::panic::AssertUnwindSafe(|| x.raw_mut().as_mut_slice().len());
    let failure = std::panic::catch_unwind(slice).expect_err("a panic");
    let text = failure.downcast_ref::<&str>().expect("a message");
    assert!(
        text.contains("bring them there with `.to(&Device::cpu())`"),
        "{text}"
    );
}

#[differentiable(higher_order)]
fn curved(x: &Tensor![f64; 3]) -> Tensor![f64;] {
    (x.square() * x).sum()
}

#[test]
fn second_derivatives_are_taken_in_a_scope() {
    let far = Device::far();
    let x: Tensor![f64; 3] = tensor([1.0, 2.0, 3.0]);
    let v: Tensor![f64; 3] = tensor([1.0, 0.0, 2.0]);
    let near = curved::hvp((&x, &v));
    let there = far.scope(|| curved::hvp((&x.to(&far), &v.to(&far))));
    assert_eq!(near.to_vec(), [6.0, 0.0, 36.0]);
    assert_eq!((there.device(), there.to_vec()), (&far, near.to_vec()));
}
