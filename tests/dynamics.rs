//! Differential equations and implicit functions against closed forms, central differences, and forward against
//! reverse mode.

mod dynamics {
    mod adaptive;
    mod event;
    mod fixed;
    mod implicit;
    mod standalone;
    mod starts;
    mod usage;

    use differentiable::ad::CheckOptions;
    use differentiable::ode::Options;

    /// A solution as accurate as `f64` allows, nearly.
    fn tight() -> Options {
        Options {
            rtol: 1e-12,
            atol: 1e-12,
            ..Options::default()
        }
    }

    /// Differences see the sizes of the steps change: the tolerance of the solution bounds what they tell.
    fn with_step(step: f64) -> CheckOptions {
        CheckOptions {
            step: Some(step),
            tolerance: Some(1e-6),
            ..CheckOptions::default()
        }
    }
}
