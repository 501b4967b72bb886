//! Products of matrices.
pub use inner::*;
mod inner {
    /// Element
    pub enum Element {}
    /// Matrix
    pub struct Matrix;
    /// Product
    pub struct Product;
    #[derive(Default)]
    pub(crate) struct Products;
}
