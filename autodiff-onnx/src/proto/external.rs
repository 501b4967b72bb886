//! Elements of tensors in files of their own.

use super::model::GraphProto;
use super::tensor::product;
use super::{AttributeValue, Elements, ModelProto, NodeProto, Property, ProtoError, TensorProto};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

/// A part of another file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct External {
    /// The file, relative to that of the model.
    pub location: String,
    /// Where the part begins.
    pub offset: u64,
    /// How many bytes it has; all of the rest without.
    pub length: Option<u64>,
}

impl External {
    pub(super) fn of(properties: &[Property]) -> Result<Self, String> {
        let get = |key| properties.iter().find(|p| p.key == key).map(|p| &p.value);
        let number = |key| match get(key).map(|text| text.parse::<u64>()) {
            None => Ok(None),
            Some(Ok(x)) => Ok(Some(x)),
            Some(Err(_)) => Err(format!("the {key} of its file is no number")),
        };
        let location = get("location").filter(|l| !l.is_empty());
        Ok(External {
            location: location.ok_or("it names no file that it is in")?.clone(),
            offset: number("offset")?.unwrap_or(0),
            length: number("length")?,
        })
    }

    pub(super) fn properties(&self) -> Vec<Property> {
        let of = |key: &str, value: String| Property {
            key: key.into(),
            value,
        };
        let mut all = vec![
            of("location", self.location.clone()),
            of("offset", self.offset.to_string()),
        ];
        all.extend(self.length.map(|n| of("length", n.to_string())));
        all
    }

    /// The file, which is below `folder`: a model cannot name others of the machine.
    fn path(&self, folder: &Path) -> Result<PathBuf, String> {
        let inside = Path::new(&self.location)
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        match inside {
            true => Ok(folder.join(&self.location)),
            false => Err("the path leads out of the folder of the model".into()),
        }
    }

    fn read(&self, path: &Path, bytes: usize) -> Result<Vec<u8>, String> {
        let text = |e: std::io::Error| e.to_string();
        let mut file = File::open(path).map_err(text)?;
        let length = file.metadata().map_err(text)?.len();
        let rest = length.saturating_sub(self.offset);
        let found = self.length.unwrap_or(rest).min(rest);
        if found != bytes as u64 || self.length.is_some_and(|n| n != found) {
            return Err(format!(
                "expected {bytes} bytes from {}, found {found}",
                self.offset
            ));
        }
        file.seek(SeekFrom::Start(self.offset)).map_err(text)?;
        let mut out = vec![0; bytes];
        file.read_exact(&mut out).map_err(text)?;
        Ok(out)
    }
}

impl TensorProto {
    /// Reads its elements, if they are in another file, which is below `folder`.
    ///
    /// # Errors
    /// If there is no such file, the file ends before, or the path leads out of the folder.
    pub fn load_external(&mut self, folder: &Path) -> Result<(), ProtoError> {
        let Elements::External(external) = &self.elements else {
            return Ok(());
        };
        let width = self.element_type.size();
        let bytes = width.and_then(|n| product(&self.dims)?.checked_mul(n));
        let read = || {
            let bytes = bytes.ok_or("elements of its type are not in files")?;
            external.read(&external.path(folder)?, bytes)
        };
        let bytes = read().map_err(|what| ProtoError::External {
            name: self.name.clone(),
            path: folder.join(&external.location),
            what,
        })?;
        self.elements = Elements::Bytes(bytes);
        Ok(())
    }
}

impl ModelProto {
    /// Reads the elements of all tensors that are in other files. These are below `folder`, which is that of the model.
    ///
    /// # Errors
    /// As [`TensorProto::load_external`], for the first tensor that has one.
    pub fn load_external(&mut self, folder: &Path) -> Result<(), ProtoError> {
        let nodes = self.functions.iter_mut().flat_map(|f| &mut f.node);
        nodes
            .into_iter()
            .try_for_each(|node| of_node(node, folder))?;
        self.graph.iter_mut().try_for_each(|g| of_graph(g, folder))
    }
}

fn of_graph(graph: &mut GraphProto, folder: &Path) -> Result<(), ProtoError> {
    let tensors = &mut graph.initializer;
    tensors
        .iter_mut()
        .try_for_each(|t| t.load_external(folder))?;
    graph.node.iter_mut().try_for_each(|n| of_node(n, folder))
}

fn of_node(node: &mut NodeProto, folder: &Path) -> Result<(), ProtoError> {
    for attribute in &mut node.attribute {
        match &mut attribute.value {
            AttributeValue::Tensor(tensor) => tensor.load_external(folder)?,
            AttributeValue::Tensors(all) => {
                all.iter_mut().try_for_each(|t| t.load_external(folder))?;
            }
            AttributeValue::Graph(graph) => of_graph(graph, folder)?,
            AttributeValue::Graphs(all) => all.iter_mut().try_for_each(|g| of_graph(g, folder))?,
            _ => {}
        }
    }
    Ok(())
}
