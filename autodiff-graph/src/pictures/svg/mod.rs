//! A picture as SVG. The crate `dagre` says where boxes lie and which way arrows take.

mod layout;
mod write;

use super::picture::Picture;

impl Picture<'_> {
    /// As SVG, which browsers and slides show. The colours of boxes are explained below them, frames are scopes, and a box
    /// has the type and the sizes of what it makes.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let drawing = self.drawing();
        let placed = layout::place(&drawing);
        write::svg(&drawing, &placed)
    }
}

impl crate::Graph {
    /// [`picture`](crate::Graph::picture) as SVG.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.picture().to_svg()
    }
}
