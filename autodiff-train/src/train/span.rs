//! Spans of the crate `tracing`, or nothing without the feature of this name.

/// Opens a span until the end of the scope: `span!("epoch", epoch = 3)`.
macro_rules! span {
    ($name:literal $(, $field:ident = $value:expr)*) => {
        #[cfg(feature = "tracing")]
        let _span = tracing::info_span!($name $(, $field = $value)*).entered();
    };
}

pub(super) use span;
