//! What is written: graphs, recordings, sessions.

use super::OnnxError;
use crate::proto::TensorProto;
use autodiff_core::device::record::{AnyBuffer, Origin};
use autodiff_core::device::{Backend, DType, Device, DeviceBuf, Elem, Layout, View};
use autodiff_core::prelude::{bf16, f16};
use autodiff_graph::{Graph, Recording, Session};
use std::collections::HashMap;
use std::sync::Arc;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Graph {}
    impl Sealed for super::Recording {}
    impl Sealed for super::Session {}
}

/// What can be written as an ONNX model.
///
/// A [`Recording`] has variables with their first contents, a [`Session`] with those of now: the model holds them, by their
/// names. Of a [`Graph`] alone all variables are inputs.
pub trait Source: sealed::Sealed {
    /// The graph, and the variables by the numbers of their values.
    #[doc(hidden)]
    fn parts(&self) -> Result<(Graph, HashMap<usize, Arc<TensorProto>>), OnnxError>;
}

impl Source for Graph {
    fn parts(&self) -> Result<(Graph, HashMap<usize, Arc<TensorProto>>), OnnxError> {
        Ok((self.clone(), HashMap::new()))
    }
}

impl Source for Recording {
    fn parts(&self) -> Result<(Graph, HashMap<usize, Arc<TensorProto>>), OnnxError> {
        let graph = self.graph();
        let contents = contents(&graph, &Device::cpu(), self.contents())?;
        Ok((graph, contents))
    }
}

impl Source for Session {
    fn parts(&self) -> Result<(Graph, HashMap<usize, Arc<TensorProto>>), OnnxError> {
        let (device, all) = self.contents();
        Ok((self.graph().clone(), contents(self.graph(), device, all)?))
    }
}

/// The elements of buffers.
fn contents(
    graph: &Graph,
    device: &Device,
    buffers: Vec<(usize, AnyBuffer)>,
) -> Result<HashMap<usize, Arc<TensorProto>>, OnnxError> {
    let mut out = HashMap::new();
    for (value, buffer) in buffers {
        let of = &graph.values()[value];
        let name = match of.origin() {
            Origin::Input(name) => name.to_string(),
            _ => format!("value {value}"),
        };
        let layout = Layout::dense(*of.dims());
        macro_rules! read {
            ($($Dtype:ident: $t:ty),*) => {
                match of.dtype() {
                    $(DType::$Dtype => tensor::<$t>(device, &buffer, layout),)*
                    DType::Dual => return Err(OnnxError::Elements { name, dtype: of.dtype().to_string() }),
                }
            };
        }
        let tensor = read!(
            F32: f32, F64: f64, Bf16: bf16, F16: f16, I64: i64, U32: u32, U8: u8, Bool: bool,
            MixedBf16: autodiff_core::ad::Mixed<bf16>, MixedF16: autodiff_core::ad::Mixed<f16>
        );
        match tensor {
            Ok(tensor) => drop(out.insert(value, Arc::new(tensor))),
            Err(what) => return Err(OnnxError::Variable { name, what }),
        }
    }
    Ok(out)
}

fn tensor<T: Elem>(
    device: &Device,
    buffer: &AnyBuffer,
    layout: Layout,
) -> Result<TensorProto, String> {
    let buf = buffer.downcast_ref::<DeviceBuf<T>>();
    let buf = buf.ok_or("its buffer has elements of another type")?;
    let data = device
        .download(View { buf, layout })
        .map_err(|e| e.to_string())?;
    Ok(TensorProto::new("", layout.dims(), &data))
}
