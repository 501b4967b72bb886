//! How the pullback of a function is handed out, as its attribute may say.

/// How the pullback of a function is handed out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Boxing {
    /// As it is.
    Open,
    /// In a box, by name: a pullback may contain it that it contains.
    Boxed,
    /// In a box if what it calls is heavy.
    Weighed,
}
