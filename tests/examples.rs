//! The lessons run and end as their readers expect. The example `mlp` has tests of its own.

#[path = "support/programs.rs"]
mod programs;

use std::process::Command;

fn output(example: &str) -> String {
    let output = Command::new(programs::program(example)).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

// One test: several would only wait for one another at the lock of the build directory.
#[test]
fn the_lessons_end_as_expected() {
    for (example, expected) in [
        ("01_scalar_gradient", "best angle 45.00°"),
        ("02_shapes", "a tensor of shape [2, 2] has 4 elements"),
        (
            "03_struct_gradient",
            "found stiffness 2.97 and damping 0.40",
        ),
        ("sessions", "Divide   3.75"),
        ("inverse_kinematics", "after 8 steps"),
        ("pendulum_fit", "damping 1/s       0.350     0.100     0.3"),
        ("chemical_kinetics", "off by at most 0.9 %"),
        ("mass_spring", "mm after it has arrived, before 29"),
    ] {
        let text = output(example);
        assert!(text.contains(expected), "{example}: {text}");
    }
    for (example, bound) in [("04_custom_loop", 0.01), ("two_layer_net", 0.01)] {
        let text = output(example);
        let loss = text.trim_end().rsplit_once("loss ").map(|(_, loss)| loss);
        let loss: f64 = loss.and_then(|l| l.parse().ok()).expect("a last loss");
        assert!((0.0..bound).contains(&loss), "{example}: {text}");
    }
}
