//! What is written is read back, and bad bytes are errors that say where.

use super::*;
use autodiff_core::prelude::{bf16, f16};

/// Numbers that look random: SplitMix64 (Steele, Lea, Flood 2014).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn text(&mut self) -> String {
        let letters = ["a", "weight", "/", "é", "x.1", "日本"];
        (0..1 + self.below(4))
            .map(|_| letters[self.below(6)])
            .collect()
    }
    fn many<T>(&mut self, n: usize, mut f: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(n + 1)).map(|_| f(self)).collect()
    }
    fn tensor(&mut self) -> TensorProto {
        let dims = self.many(3, |d| d.below(4));
        let n: usize = dims.iter().product();
        let name = self.text();
        let floats: Vec<f64> = (0..n).map(|_| self.next() as f64 / 1e12).collect();
        let ints: Vec<i64> = (0..n).map(|_| self.next() as i64).collect();
        let bools: Vec<bool> = ints.iter().map(|x| x % 2 == 0).collect();
        let half: Vec<f16> = floats.iter().map(|&x| f16::from_f64(x)).collect();
        let brain: Vec<bf16> = floats.iter().map(|&x| bf16::from_f64(x)).collect();
        let narrow: Vec<f32> = floats.iter().map(|&x| x as f32).collect();
        match self.below(8) {
            0 => TensorProto::new(&name, &dims, &floats),
            1 => TensorProto::new(&name, &dims, &ints),
            2 => TensorProto::new(&name, &dims, &bools),
            3 => TensorProto::new(&name, &dims, &half),
            4 => TensorProto::new(&name, &dims, &brain),
            5 => TensorProto {
                elements: Elements::External(External {
                    location: "weights.bin".into(),
                    offset: 64,
                    length: Some(4 * n as u64),
                }),
                ..TensorProto::new(&name, &dims, &narrow)
            },
            6 => TensorProto {
                element_type: ElementType::String,
                elements: Elements::Texts((0..n).map(|_| self.text().into_bytes()).collect()),
                ..TensorProto::new(&name, &dims, &narrow)
            },
            _ => TensorProto::new(&name, &dims, &narrow),
        }
    }
    fn attribute(&mut self, depth: usize) -> AttributeProto {
        let value = match self.below(if depth > 0 { 13 } else { 11 }) {
            0 => AttributeValue::Float(self.next() as f32),
            1 => AttributeValue::Int(self.next() as i64),
            2 => AttributeValue::String(self.text().into_bytes()),
            3 => AttributeValue::Floats(self.many(4, |d| d.next() as f32)),
            4 => AttributeValue::Ints(self.many(4, |d| d.next() as i64)),
            5 => AttributeValue::Strings(self.many(4, |d| d.text().into_bytes())),
            6 => AttributeValue::Tensors(self.many(2, Draw::tensor)),
            7 => AttributeValue::Reference(self.text(), 2),
            8 => AttributeValue::Type(Box::new(self.value().r#type.unwrap())),
            9 => AttributeValue::Other(11),
            10 => AttributeValue::Tensor(Box::new(self.tensor())),
            11 => AttributeValue::Graph(Box::new(self.graph(depth - 1))),
            _ => AttributeValue::Graphs(self.many(2, |d| d.graph(depth - 1))),
        };
        AttributeProto::new(&self.text(), value)
    }
    fn value(&mut self) -> ValueInfoProto {
        let dim = self.many(3, |d| match d.below(3) {
            0 => Dimension::Value(d.below(9) as i64),
            1 => Dimension::Param(d.text()),
            _ => Dimension::Unknown,
        });
        let r#type = TypeProto::Tensor {
            elem_type: ElementType::from_number(1 + self.below(17) as i64),
            shape: (self.below(4) > 0).then_some(TensorShapeProto { dim }),
        };
        ValueInfoProto {
            name: self.text(),
            r#type: Some(r#type),
        }
    }
    fn node(&mut self, depth: usize) -> NodeProto {
        NodeProto {
            input: self.many(3, Draw::text),
            output: self.many(2, Draw::text),
            name: self.text(),
            op_type: self.text(),
            domain: String::new(),
            attribute: self.many(3, |d| d.attribute(depth)),
        }
    }
    fn graph(&mut self, depth: usize) -> GraphProto {
        GraphProto {
            node: self.many(5, |d| d.node(depth)),
            name: self.text(),
            initializer: self.many(4, Draw::tensor),
            input: self.many(3, Draw::value),
            output: self.many(3, Draw::value),
            value_info: self.many(3, Draw::value),
        }
    }
    fn model(&mut self) -> ModelProto {
        let set = |d: &mut Draw| OperatorSetId {
            domain: d.text(),
            version: 17,
        };
        ModelProto {
            ir_version: 8,
            opset_import: self.many(2, set),
            producer_name: self.text(),
            model_version: self.next() as i64,
            graph: Some(self.graph(2)),
            metadata_props: self.many(2, |d| Property {
                key: d.text(),
                value: d.text(),
            }),
            functions: self.many(1, |d| FunctionProto {
                name: d.text(),
                input: d.many(2, Draw::text),
                node: d.many(2, |d| d.node(0)),
                attribute_proto: d.many(1, |d| d.attribute(0)),
                ..FunctionProto::default()
            }),
            ..ModelProto::default()
        }
    }
}

/// What a model holds on the heap, about.
trait Heap {
    fn heap(&self) -> usize;
}
impl Heap for String {
    fn heap(&self) -> usize {
        self.capacity()
    }
}
impl Heap for u8 {
    fn heap(&self) -> usize {
        0
    }
}
macro_rules! flat { ($($t:ty),*) => { $(impl Heap for $t { fn heap(&self) -> usize { 0 } })* } }
flat!(i64, usize, f32, Dimension, OperatorSetId, Property);
impl<T: Heap> Heap for Vec<T> {
    fn heap(&self) -> usize {
        self.capacity() * size_of::<T>() + self.iter().map(Heap::heap).sum::<usize>()
    }
}
impl Heap for TensorProto {
    fn heap(&self) -> usize {
        let elements = match &self.elements {
            Elements::Bytes(bytes) => bytes.heap(),
            Elements::Texts(texts) => texts.heap(),
            Elements::External(at) => at.location.heap(),
        };
        self.name.heap() + self.dims.heap() + elements
    }
}
impl Heap for ValueInfoProto {
    fn heap(&self) -> usize {
        match &self.r#type {
            Some(TypeProto::Tensor { shape: Some(s), .. }) => s.dim.heap() + self.name.heap(),
            _ => self.name.heap(),
        }
    }
}
impl Heap for AttributeProto {
    fn heap(&self) -> usize {
        let value = match &self.value {
            AttributeValue::String(x) => x.heap(),
            AttributeValue::Tensor(x) => size_of::<TensorProto>() + x.heap(),
            AttributeValue::Graph(x) => size_of::<GraphProto>() + x.heap(),
            AttributeValue::Floats(x) => x.heap(),
            AttributeValue::Ints(x) => x.heap(),
            AttributeValue::Strings(x) => x.heap(),
            AttributeValue::Tensors(x) => x.heap(),
            AttributeValue::Graphs(x) => x.heap(),
            _ => 64,
        };
        self.name.heap() + value
    }
}
impl Heap for NodeProto {
    fn heap(&self) -> usize {
        self.input.heap() + self.output.heap() + self.name.heap() + self.attribute.heap()
    }
}
impl Heap for GraphProto {
    fn heap(&self) -> usize {
        let values = self.input.heap() + self.output.heap() + self.value_info.heap();
        self.node.heap() + self.initializer.heap() + values
    }
}
impl Heap for FunctionProto {
    fn heap(&self) -> usize {
        self.input.heap() + self.node.heap() + self.attribute_proto.heap()
    }
}
impl Heap for ModelProto {
    fn heap(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, Heap::heap);
        graph + self.opset_import.heap() + self.metadata_props.heap() + self.functions.heap()
    }
}

/// What the documentation promises.
fn is_bounded(model: &ModelProto, bytes: usize) -> bool {
    model.heap() <= 64 * bytes + 1024
}

#[test]
fn what_is_written_is_read_back() {
    let mut draw = Draw(7);
    for case in 0..300 {
        let model = draw.model();
        let bytes = model.encode().unwrap();
        assert_eq!(
            ModelProto::decode(&bytes).as_ref(),
            Ok(&model),
            "case {case}"
        );
    }
}

#[test]
fn bad_bytes_are_errors_and_bounded() {
    let mut draw = Draw(1);
    let mut errors = 0;
    for case in 0..1000 {
        let mut bytes = draw.model().encode().unwrap();
        for _ in 0..1 + draw.below(4) {
            let at = draw.below(bytes.len().max(1));
            match draw.below(5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, draw.next() as u8),
                2 => drop(bytes.splice(at..at, [0xff; 9])),
                3 => bytes = [&bytes[..at], &bytes[at / 2..]].concat(),
                _ if bytes.is_empty() => {}
                _ => bytes[at] = draw.next() as u8,
            }
        }
        match ModelProto::decode(&bytes) {
            Ok(model) => assert!(is_bounded(&model, bytes.len()), "case {case}"),
            Err(error) => {
                errors += 1;
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
    assert!(errors > 300, "{errors} of 1000 mutated files are errors");
}

#[test]
fn files_made_to_be_large_are_bounded() {
    // A field of a graph, its smallest contents, again and again.
    for (field, contents) in [
        (1, &[0x22, 1, b'a'][..]),
        (5, &[0x08, 0, 0x10, 1]),
        (11, &[0x0a, 1, b'a']),
    ] {
        let mut graph = Vec::new();
        for _ in 0..10_000 {
            graph.extend([field << 3 | 2, contents.len() as u8]);
            graph.extend(contents);
        }
        let mut out = wire::Writer::default();
        out.bytes(7, &graph);
        let model = ModelProto::decode(&out.out).unwrap();
        let heap = model.heap();
        assert!(
            is_bounded(&model, out.out.len()),
            "{heap} of {}",
            out.out.len()
        );
    }
}

#[test]
fn errors_say_where() {
    let error = |bytes: &[u8]| ModelProto::decode(bytes).unwrap_err().to_string();
    assert_eq!(
        error(&[0x3a, 200, 1, 0]),
        "truncated at byte 3: expected 200 more, found 1"
    );
    assert_eq!(
        error(&[0x3a, 3, 0x0a, 9, 0, 0x08, 1]),
        "the field at byte 4 has 9 bytes, its message has 1 left"
    );
    assert_eq!(
        error(&[0x0a, 0]),
        "field 1 of ModelProto at byte 1 has the wire type 2, expected 0 (a varint)"
    );
    assert_eq!(
        error(&[0x08, 0xff]),
        "truncated at byte 2: expected 1 more, found 0"
    );
    assert_eq!(
        error(&[0xff; 20]),
        "the number at byte 0 has more than 64 bits"
    );
    assert_eq!(
        error(&[0x12, 1, 0xff]),
        "field 2 of ModelProto at byte 2 is no UTF-8 text"
    );
    assert_eq!(
        error(&[0x3a, 2, 0x0a, 0]),
        "the NodeProto before byte 4 has no op_type"
    );
    let of_tensor = |tensor: &[u8]| {
        let (n, m) = (tensor.len() as u8, tensor.len() as u8 + 2);
        error(&[&[0x3a, m, 0x2a, n][..], tensor].concat())
    };
    assert_eq!(
        of_tensor(&[0x08, 100, 0x08, 100, 0x10, 1, 0x42, 1, b'w', 0x4a, 2, 0, 0]),
        "the tensor `w`: it has 2 bytes, 10000 elements of type f32 have 40000"
    );
    let huge = [0x08, 255, 255, 255, 255, 255, 255, 255, 127];
    assert!(
        of_tensor(&[&huge[..], &huge, &[0x10, 1]].concat()).starts_with("the tensor ``: its sizes")
    );
    assert_eq!(
        of_tensor(&[0x10, 7, 0x25, 0, 0, 128, 63]),
        "the tensor ``: its elements are in a list that is not for i64"
    );
}

#[test]
fn nesting_is_limited() {
    // A graph in an attribute of a node of a graph, and so on.
    let mut bytes = Vec::new();
    for _ in 0..200 {
        for (field, before) in [(6, &[0x0a, 1, b'g'][..]), (5, &[0x22, 1, b'n']), (1, &[])] {
            let mut out = wire::Writer::default();
            out.out.extend_from_slice(before);
            out.bytes(field, &bytes);
            bytes = out.out;
        }
    }
    let mut out = wire::Writer::default();
    out.bytes(7, &bytes);
    let error = ModelProto::decode(&out.out).unwrap_err();
    assert!(
        matches!(error, ProtoError::Depth { limit: 64, .. }),
        "{error}"
    );
}

#[test]
fn elements_in_lists_are_those_in_bytes() {
    fn read(bytes: &[u8]) -> TensorProto {
        field::Message::read(wire::Reader::new(bytes)).unwrap()
    }
    // One by one, packed, and as bytes: 1 and −2 as `f32`.
    let alone = [0x08, 2, 0x10, 1, 0x25, 0, 0, 128, 63, 0x25, 0, 0, 0, 192];
    let packed = [0x0a, 1, 2, 0x10, 1, 0x22, 8, 0, 0, 128, 63, 0, 0, 0, 192];
    let raw = [0x08, 2, 0x10, 1, 0x4a, 8, 0, 0, 128, 63, 0, 0, 0, 192];
    for bytes in [&alone[..], &packed, &raw] {
        assert_eq!(read(bytes), TensorProto::new("", &[2], &[1f32, -2.0]));
    }
    // In the list of `i32`: −1 as `i8` (ten bytes), 1.0 as `f16`, truth.
    let minus = [
        0x08, 1, 0x10, 3, 0x28, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1,
    ];
    assert_eq!(read(&minus).to_vec::<f32>().unwrap(), [-1.0]);
    assert_eq!(
        read(&[0x08, 1, 0x10, 10, 0x28, 128, 120])
            .to_vec::<f32>()
            .unwrap(),
        [1.0]
    );
    assert_eq!(
        read(&[0x08, 1, 0x10, 9, 0x28, 1]).to_vec::<bool>().unwrap(),
        [true]
    );
    assert_eq!(
        read(&[0x08, 1, 0x10, 7, 0x38, 5]).to_vec::<i64>().unwrap(),
        [5]
    );
    assert_eq!(
        read(&[0x08, 1, 0x10, 13, 0x58, 5]).to_vec::<i64>().unwrap(),
        [5]
    );
    let most = [
        0x08, 1, 0x10, 13, 0x58, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1,
    ];
    let error = read(&most).to_vec::<f64>().unwrap_err().to_string();
    assert!(error.contains("beyond those of i64"), "{error}");
    let double = [&[0x08, 1, 0x10, 11, 0x51][..], &2.5f64.to_le_bytes()].concat();
    assert_eq!(read(&double).to_vec::<f64>().unwrap(), [2.5]);
}

#[test]
fn elements_are_those_that_were_given() {
    let numbers = [-2.5, 0.0, 3.0];
    let half = numbers.map(f16::from_f64);
    let brain = numbers.map(bf16::from_f64);
    assert_eq!(
        TensorProto::new("", &[3], &half).to_vec::<f64>().unwrap(),
        numbers
    );
    assert_eq!(
        TensorProto::new("", &[3], &brain).to_vec::<f64>().unwrap(),
        numbers
    );
    assert_eq!(
        TensorProto::new("", &[3], &numbers)
            .to_vec::<f64>()
            .unwrap(),
        numbers
    );
    let large = [i64::MAX, i64::MIN, 1 << 60 | 1];
    assert_eq!(
        TensorProto::new("", &[3], &large).to_vec::<i64>().unwrap(),
        large
    );
    assert_eq!(
        TensorProto::new("", &[1], &[u32::MAX])
            .to_vec::<i64>()
            .unwrap(),
        [4294967295]
    );
}

#[test]
fn other_files_are_read_below_the_folder_only() {
    let folder = std::env::temp_dir().join(format!("onnx-external-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let numbers: Vec<u8> = [0f32, 1.0, 2.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    std::fs::write(folder.join("w.bin"), numbers).unwrap();
    let load = |location: &str, offset, length| {
        let external = External {
            location: location.into(),
            offset,
            length,
        };
        let mut tensor = TensorProto {
            elements: Elements::External(external),
            ..TensorProto::new("w", &[2], &[0f32; 2])
        };
        let error = tensor.to_vec::<f32>().unwrap_err().to_string();
        assert!(error.contains("which was not loaded"), "{error}");
        let graph = GraphProto {
            initializer: vec![tensor],
            ..GraphProto::default()
        };
        let mut model = ModelProto {
            graph: Some(graph),
            ..ModelProto::default()
        };
        let loaded = model.load_external(&folder);
        tensor = model.graph.unwrap().initializer.remove(0);
        loaded.map(|()| tensor.to_vec::<f32>().unwrap())
    };
    assert_eq!(load("w.bin", 4, Some(8)).unwrap(), [1.0, 2.0]);
    assert_eq!(load("w.bin", 4, None).unwrap(), [1.0, 2.0]);
    for (location, offset, length, what) in [
        ("w.bin", 8, None, "expected 8 bytes from 8, found 4"),
        ("w.bin", u64::MAX, Some(8), "found 0"),
        ("../w.bin", 0, Some(8), "out of the folder"),
        ("/etc/passwd", 0, Some(8), "out of the folder"),
        ("none.bin", 0, Some(8), "the tensor `w`"),
    ] {
        let error = load(location, offset, length).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
