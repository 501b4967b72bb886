//! Events as TensorBoard reads them. The numbers of the fields are those of `tensorflow/core/util/event.proto`,
//! `framework/summary.proto` and `framework/tensor.proto`.

use crate::io::proto::{self, Message};
use crate::train::log::Image;

/// What an event shows.
pub(super) enum Value<'a> {
    Scalar { name: &'a str, value: f64 },
    Histogram { name: &'a str, values: &'a [f64] },
    Image { name: &'a str, image: &'a Image },
    Text { name: &'a str, text: &'a str },
}

const WALL_TIME: u64 = 1;
const STEP: u64 = 2;
const FILE_VERSION: u64 = 3;
const GRAPH_DEF: u64 = 4;
const SUMMARY: u64 = 5;

/// The first event of a file.
pub(super) fn of_version(time: f64) -> Vec<u8> {
    let event = Message::default().double(WALL_TIME, time);
    event.bytes(FILE_VERSION, b"brain.Event:2").into_bytes()
}

/// The event of a value.
pub(super) fn of_value(time: f64, step: u64, value: &Value<'_>) -> Vec<u8> {
    const VALUE: u64 = 1;
    let summary = Message::default().message(VALUE, encode(value));
    let event = Message::default().double(WALL_TIME, time);
    event
        .integer(STEP, step)
        .message(SUMMARY, summary)
        .into_bytes()
}

/// The event of a graph.
pub(super) fn of_graph(time: f64, graph_def: &[u8]) -> Vec<u8> {
    let event = Message::default().double(WALL_TIME, time);
    event.bytes(GRAPH_DEF, graph_def).into_bytes()
}

/// The step of an event; `None` if the bytes are none.
pub(super) fn step(event: &[u8]) -> Option<u64> {
    proto::integer(event, STEP)
}

fn encode(value: &Value<'_>) -> Message {
    const TAG: u64 = 1;
    const SIMPLE_VALUE: u64 = 2;
    const IMAGE: u64 = 4;
    const HISTOGRAM: u64 = 5;
    const TENSOR: u64 = 8;
    const METADATA: u64 = 9;
    let named = |name: &str| Message::default().bytes(TAG, name.as_bytes());
    match value {
        Value::Scalar { name, value } => named(name).float(SIMPLE_VALUE, *value as f32),
        Value::Histogram { name, values } => named(name).message(HISTOGRAM, histogram(values)),
        Value::Image { name, image } => {
            let picture = Message::default()
                .integer(1, u64::from(image.height()))
                .integer(2, u64::from(image.width()))
                .integer(3, u64::from(image.channels()))
                .bytes(4, &image.png());
            named(name).message(IMAGE, picture)
        }
        Value::Text { name, text } => {
            let plugin = Message::default().bytes(1, b"text");
            named(name)
                .message(TENSOR, string_tensor(text))
                .message(METADATA, Message::default().message(1, plugin))
        }
    }
}

/// A vector of one string.
fn string_tensor(text: &str) -> Message {
    const DT_STRING: u64 = 7;
    let axis = Message::default().integer(1, 1);
    Message::default()
        .integer(1, DT_STRING)
        .message(2, Message::default().message(2, axis))
        .bytes(8, text.as_bytes())
}

fn histogram(values: &[f64]) -> Message {
    const BUCKETS: usize = 30;
    let finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut limits, mut counts) = (Vec::new(), Vec::new());
    if low < high {
        let width = (high - low) / BUCKETS as f64;
        limits.extend((1..BUCKETS).map(|i| low + width * i as f64));
        limits.push(high);
        counts.resize(BUCKETS, 0.0);
        for value in &finite {
            let bucket = ((value - low) / width) as usize;
            counts[bucket.min(BUCKETS - 1)] += 1.0;
        }
    } else if !finite.is_empty() {
        limits.push(high);
        counts.push(finite.len() as f64);
    }
    let (low, high) = if finite.is_empty() {
        (0.0, 0.0)
    } else {
        (low, high)
    };
    Message::default()
        .double(1, low)
        .double(2, high)
        .double(3, finite.len() as f64)
        .double(4, finite.iter().sum())
        .double(5, finite.iter().map(|v| v * v).sum())
        .doubles(6, &limits)
        .doubles(7, &counts)
}
