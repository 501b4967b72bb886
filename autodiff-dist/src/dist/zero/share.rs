//! The part of a module's parameters that a rank has, as a module.

use super::layout::Layout;
use crate::device::Device;
use crate::dist::{CommError, Kind, Number, Numbers};
use crate::nn::{Module, Path, Visitor, VisitorMut, VisitorWithGrad};
use crate::prelude::*;
use crate::tensor::Raw;

dim!(
    /// The numbers of a parameter that a rank has.
    pub(super) Part
);

/// Parts of parameters under the names of the parameters, so that patterns of groups find them. Some are empty.
#[derive(Clone, Default, Differentiable)]
pub(super) struct Share {
    pub(super) singles: Vec<Tensor![Part]>,
    pub(super) doubles: Vec<Tensor![f64; Part]>,
    #[constant]
    names: Vec<(Kind, String)>,
}

impl Share {
    /// This rank's parts, out of its parts of the rows: one for each kind of the layout.
    pub(super) fn new(
        layout: &Layout,
        rows: &[(Kind, Numbers)],
        device: &Device,
    ) -> Result<Self, CommError> {
        let mut share = Share::default();
        for (kind, row) in rows {
            let mut at = 0;
            for entry in layout.of_kind(*kind) {
                let part = row.part(at, entry.len);
                at += entry.len;
                match kind {
                    Kind::F64 => share.doubles.push(tensor(device, part.of()?)),
                    _ => share.singles.push(tensor(device, part.of()?)),
                }
            }
        }
        let names = layout.entries.iter();
        share.names = names.map(|e| (e.kind, e.name.clone())).collect();
        Ok(share)
    }

    /// As a gradient.
    pub(super) fn into_tangent(self) -> ShareTangent {
        let mut zero = self.zero_tangent();
        (zero.singles, zero.doubles) = (self.singles, self.doubles);
        zero
    }

    /// This rank's part of the row of a kind, filled up to `len`.
    pub(super) fn row(&self, kind: Kind, len: usize) -> Result<Numbers, CommError> {
        let device = |e: crate::device::DeviceError| CommError::Device {
            index: 0,
            why: e.to_string(),
        };
        let mut row = Numbers::zeros(kind, 0);
        match kind {
            Kind::F64 => {
                for part in &self.doubles {
                    row.append(&Numbers::F64(part.try_to_vec().map_err(device)?));
                }
            }
            _ => {
                for part in &self.singles {
                    row.append(&Numbers::F32(part.try_to_vec().map_err(device)?));
                }
            }
        }
        row.append(&Numbers::zeros(kind, len - row.len()));
        Ok(row)
    }
}

fn tensor<T: Number + Float>(device: &Device, part: Vec<T>) -> Tensor<(Part,), T> {
    let shape = (Part(part.len()),);
    Tensor::new(shape, Raw::from_slice(device, [part.len()], &part))
}

impl Module for Share {
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
        let (mut singles, mut doubles) = (self.singles.iter(), self.doubles.iter());
        for (kind, name) in &self.names {
            path.enter(name, |path| match kind {
                Kind::F64 => doubles.next().map(|x| visitor.param(path, x.raw())),
                _ => singles.next().map(|x| visitor.param(path, x.raw())),
            });
        }
    }

    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
        let (mut singles, mut doubles) = (self.singles.iter_mut(), self.doubles.iter_mut());
        for (kind, name) in &self.names {
            path.enter(name, |path| match kind {
                Kind::F64 => doubles.next().map(|x| visitor.param(path, x.raw_mut())),
                _ => singles.next().map(|x| visitor.param(path, x.raw_mut())),
            });
        }
    }

    fn visit_with_grad<V: VisitorWithGrad>(
        &mut self,
        grad: &Self::Tangent,
        path: &mut Path,
        visitor: &mut V,
    ) {
        let mut singles = self.singles.iter_mut().zip(&grad.singles);
        let mut doubles = self.doubles.iter_mut().zip(&grad.doubles);
        for (kind, name) in &self.names {
            path.enter(name, |path| match kind {
                Kind::F64 => {
                    let pair = doubles.next();
                    pair.map(|(x, g)| visitor.param(path, x.raw_mut(), g.raw()))
                }
                _ => {
                    let pair = singles.next();
                    pair.map(|(x, g)| visitor.param(path, x.raw_mut(), g.raw()))
                }
            });
        }
    }
}
