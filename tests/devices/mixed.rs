//! Operands on two devices: one error at the user's line, with both operands and the cure.

use differentiable::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static SEEN: RefCell<Option<(String, String, u32)>> = const { RefCell::new(None) };
}

/// Message, file and line of the panic of `f`.
fn failure(f: impl FnOnce()) -> (String, String, u32) {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !WATCHED.get() {
                return usual(info);
            }
            let place = info.location().expect("a location");
            let text = info.payload();
            let text = text
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| text.downcast_ref::<&str>().map(|s| s.to_string()));
            let seen = (
                text.unwrap_or_default(),
                place.file().to_string(),
                place.line(),
            );
            SEEN.with(|s| *s.borrow_mut() = Some(seen));
        }));
    });
    WATCHED.set(true);
    let failed = panic::catch_unwind(panic::AssertUnwindSafe(f));
    WATCHED.set(false);
    failed.expect_err("a panic");
    SEEN.with(|s| s.borrow_mut().take()).expect("the hook ran")
}

#[track_caller]
fn here(failure: (String, String, u32), names: [&str; 2]) {
    let (text, file, line) = failure;
    let caller = panic::Location::caller();
    assert_eq!(
        (file.as_str(), line),
        (caller.file(), caller.line()),
        "{text}"
    );
    assert!(text.contains("on two devices"), "{text}");
    assert!(text.contains(".to(&device)"), "{text}");
    assert!(
        text.contains("the cpu") && text.contains("the far device"),
        "{text}"
    );
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "{text}");
    }
}

#[rustfmt::skip] // a call and its error are on one line
#[test]
fn operations_name_the_line_and_both_operands() {
    let far = Device::far();
    let a: Tensor![2, 2] = Tensor::ones_on(&Device::cpu());
    let b: Tensor![2, 2] = Tensor::ones_on(&far);
    here(failure(|| { let _ = a.matmul(&b); }), ["a", "b"]);
    here(failure(|| { let _ = b.matmul(&a); }), ["a", "b"]);
    here(failure(|| { let _ = &a + &b; }), ["a", "b"]);
    here(failure(|| { let _ = a.clone() * b.clone(); }), ["a", "b"]);
    here(failure(|| { let _ = a.maximum(&b); }), ["a", "b"]);
    here(failure(|| { let _ = a.concat::<0, _>(&b); }), ["x", "out"]);
    here(failure(|| { let _ = a.gt(&b); }), ["a", "b"]);
    let mask: Tensor![bool; 2, 2] = Tensor::ones_on(&far);
    here(failure(|| { let _ = mask.select(&a, &a); }), ["mask", "a"]);
    let ids: Tensor![i64; 3] = Tensor::zeros_on(&far);
    here(failure(|| { let _ = a.embedding(&ids); }), ["x", "index"]);
    here(failure(|| { let _ = a.cross_entropy(&Tensor::<(Sz<2>,), i64>::zeros_on(&far)); }), ["x", "targets"]);
    let (scale, shift): (Tensor![2], Tensor![2]) = (Tensor::ones_on(&far), Tensor::ones_on(&far));
    here(failure(|| { let _ = a.layer_norm(&scale, &shift, 1e-5); }), ["x", "scale"]);
    let image: Tensor![1, 1, 4, 4] = Tensor::ones_on(&far);
    let window: Tensor![1, 1, 2, 2] = Tensor::ones_on(&Device::cpu());
    here(failure(|| { let _ = image.conv2d(&window, Win::new()); }), ["x", "w"]);
}

#[differentiable]
fn fused(a: &Tensor![2, 2], b: &Tensor![2, 2]) -> Tensor![] {
    (a * b).gelu().sum()
}

#[differentiable]
fn product(a: &Tensor![2, 2], b: &Tensor![2, 2]) -> Tensor![] {
    a.matmul(b).square().sum()
}

#[rustfmt::skip]
#[test]
fn in_annotated_functions_too() {
    let a: Tensor![2, 2] = Tensor::ones_on(&Device::cpu());
    let b: Tensor![2, 2] = Tensor::ones_on(&Device::far());
    for f in [
        &(|| drop(fused(&a, &b))) as &dyn Fn(),
        &|| drop(fused::grad(&a, &b)),
        &|| drop(product(&a, &b)),
        &|| drop(product::grad(&a, &b)),
        &|| drop(product::jvp((&a, &a), (&b, &b))),
    ] {
        let (text, file, _) = failure(f);
        assert!(text.contains("on two devices"), "{text}");
        assert!(file.ends_with("mixed.rs"), "{file}: {text}");
    }
}

#[test]
fn two_far_devices_are_two() {
    let (a, b) = (Device::far(), Device::far());
    assert_ne!(a, b);
    let x: Tensor![2] = Tensor::ones_on(&a);
    let y: Tensor![2] = Tensor::ones_on(&b);
    assert!(failure(|| drop(&x + &y)).0.contains("on two devices"));
    assert_eq!((&x + &y.to(&a)).to_vec(), [2.0; 2]);
}

#[rustfmt::skip]
#[test]
fn transfers_can_be_forbidden() {
    let device = Device::far();
    let Device::Far(far) = &device else {
        unreachable!()
    };
    let x: Tensor![2] = Tensor::ones_on(&device);
    let (text, file, line) = failure(|| far.without_transfers(|| { let _ = x.sum().item(); }));
    let expected = line!() - 1;
    assert!(file.ends_with("mixed.rs") && line == expected, "{file}:{line}");
    assert_eq!(text, "a copy to the host where transfers are forbidden");
    let (text, ..) = failure(|| far.without_transfers(|| drop(tensor([1.0_f32]).to(&device))));
    assert_eq!(text, "a copy from the host where transfers are forbidden");
    // Allowed again afterwards.
    assert_eq!(x.sum().item(), 2.0);
}
