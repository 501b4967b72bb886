//! Differential equations and implicit functions against closed forms, central differences, and forward against
//! reverse mode.

mod dynamics {
    mod adaptive;
    mod event;
    mod fixed;
    mod implicit;
    mod standalone;
    mod usage;
}
