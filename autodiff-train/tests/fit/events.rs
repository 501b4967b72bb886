//! TensorBoard's files, read by a parser of this test's own and by the package `tensorboard`.

use crate::support::{Clouds, Folder, net};
use differentiable::optim::Adam;
use differentiable::train::log::Image;
use differentiable::train::{Logger, TensorBoard, accuracy, every, fit};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Writes five epochs in two parts; the second begins at the fourth.
fn write(folder: &Folder) {
    let train = Clouds::new(30, 10, 1);
    for epochs in [3, 5] {
        let (mut net, mut adam) = (net(), Adam::new(1e-2));
        fit(&mut net, &mut adam, &train)
            .epochs(epochs)
            .validate(&train, accuracy)
            .measure("epoch", |_, _| 0.25)
            .log(TensorBoard::at(folder.file("events")))
            .log_histograms()
            .checkpoint(folder.file("run.safetensors"), every(1))
            .resume()
            .observe(|_, epoch, log| {
                let image = Image::rgb(2, 1, vec![255, 0, 0, 0, 0, 255]).unwrap();
                log.image("picture", epoch.steps, &image)?;
                log.text("sample", epoch.steps, &format!("**epoch** {}", epoch.epoch))
            })
            .run()
            .unwrap();
        if epochs == 3 {
            // Written by a program that was killed after the checkpoint.
            let mut log = TensorBoard::at(folder.file("events"));
            let resumed = differentiable::train::log::Resumed {
                steps: 9,
                epochs: &[],
            };
            log.begin(Some(&resumed)).unwrap();
            log.scalar("epoch", 12, 99.0).unwrap();
            log.flush().unwrap();
        }
    }
}

/// A field of a message: its number and its value.
enum Field<'a> {
    Integer(u64),
    Eight([u8; 8]),
    Four([u8; 4]),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let end = bytes.iter().position(|b| b & 0x80 == 0).unwrap() + 1;
    let (number, rest) = bytes.split_at(end);
    *bytes = rest;
    number
        .iter()
        .rev()
        .fold(0, |n, b| n << 7 | u64::from(b & 0x7f))
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let mut take = |n: usize| {
            let (taken, rest) = bytes.split_at(n);
            bytes = rest;
            taken
        };
        let field = match key % 8 {
            0 => Field::Integer(varint(&mut bytes)),
            1 => Field::Eight(take(8).try_into().unwrap()),
            5 => Field::Four(take(4).try_into().unwrap()),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (taken, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(taken)
            }
            other => panic!("wire type {other}"),
        };
        found.push((key / 8, field));
    }
    found
}

fn bytes_of<'a>(message: &[(u64, Field<'a>)], number: u64) -> Option<&'a [u8]> {
    message.iter().find_map(|(n, f)| match f {
        Field::Bytes(b) if *n == number => Some(*b),
        _ => None,
    })
}

/// Bit by bit, without a table.
fn masked_crc(data: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0x82f6_3b78
            } else {
                crc >> 1
            };
        }
    }
    let crc = !crc;
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Step, tag and value of each event, in the order of the files.
fn events(folder: &Path) -> Vec<(u64, String, Option<f32>)> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).unwrap();
        let mut rest = &bytes[..];
        let mut first = true;
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
            let data = &rest[12..12 + length];
            assert_eq!(number(8), masked_crc(&rest[..8]));
            assert_eq!(number(12 + length), masked_crc(data));
            rest = &rest[16 + length..];
            let event = fields(data);
            let time = event.iter().find_map(|(n, f)| match f {
                Field::Eight(b) if *n == 1 => Some(f64::from_le_bytes(*b)),
                _ => None,
            });
            assert!(time.unwrap() > 1.7e9);
            if std::mem::take(&mut first) {
                assert_eq!(bytes_of(&event, 3), Some(&b"brain.Event:2"[..]));
                continue;
            }
            let step = event.iter().find_map(|(n, f)| match f {
                Field::Integer(i) if *n == 2 => Some(*i),
                _ => None,
            });
            let summary = fields(bytes_of(&event, 5).unwrap());
            let value = fields(bytes_of(&summary, 1).unwrap());
            let tag = String::from_utf8(bytes_of(&value, 1).unwrap().to_vec()).unwrap();
            let number = value.iter().find_map(|(n, f)| match f {
                Field::Four(b) if *n == 2 => Some(f32::from_le_bytes(*b)),
                _ => None,
            });
            found.push((step.unwrap(), tag, number));
        }
    }
    found
}

#[test]
fn files_have_each_value_once() {
    let folder = Folder::new("events");
    write(&folder);
    let events = events(&folder.file("events"));
    let of = |tag: &str| -> Vec<(u64, Option<f32>)> {
        let found = events.iter().filter(|(_, t, _)| t == tag);
        found.map(|(step, _, value)| (*step, *value)).collect()
    };
    let steps = [3, 6, 9, 12, 15];
    assert_eq!(of("epoch"), steps.map(|s| (s, Some(0.25))));
    assert_eq!(of("picture"), steps.map(|s| (s, None)));
    assert_eq!(of("sample"), steps.map(|s| (s, None)));
    assert_eq!(of("weights/hidden.weight"), steps.map(|s| (s, None)));
    assert_eq!(of("loss").len(), 5);

    // A run that is not resumed begins a new log.
    TensorBoard::at(folder.file("events")).begin(None).unwrap();
    assert_eq!(std::fs::read_dir(folder.file("events")).unwrap().count(), 0);
}

/// `pip install tensorboard`; `DIFFERENTIABLE_PYTHON` names the interpreter, if it is not `python3`.
#[test]
fn tensorboard_reads_what_was_written() {
    let folder = Folder::new("tensorboard");
    write(&folder);
    let python = std::env::var_os("DIFFERENTIABLE_PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/read_events.py");
    let output = Command::new(&python)
        .arg(script)
        .arg(folder.file("events"))
        .output();
    let output = match output {
        Ok(output) if output.status.code() != Some(77) => output,
        _ => {
            eprintln!(
                "skipped: {} has no package `tensorboard`; install it with pip, or name an interpreter \
                 that has it in DIFFERENTIABLE_PYTHON",
                python.display()
            );
            return;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let steps = [3, 6, 9, 12, 15];
    for (at, step) in steps.into_iter().enumerate() {
        assert_eq!(
            read["scalars"]["epoch"][at],
            serde_json::json!([step, 0.25])
        );
        let picture = serde_json::json!([step, 2, 1, "89504e47"]);
        assert_eq!(read["images"]["picture"][at], picture);
        let text = format!("**epoch** {}", at + 1);
        assert_eq!(read["texts"]["sample"][at], serde_json::json!([step, text]));
        let histogram = &read["histograms"]["weights/hidden.weight"][at];
        assert_eq!(
            (histogram["step"].as_u64(), histogram["num"].as_f64()),
            (Some(step), Some(32.0))
        );
        let buckets = histogram["bucket"].as_array().unwrap();
        let counted: f64 = buckets.iter().map(|b| b.as_f64().unwrap()).sum();
        assert_eq!((buckets.len(), counted), (30, 32.0));
        assert!(histogram["min"].as_f64() < histogram["max"].as_f64());
    }
    assert_eq!(read["scalars"]["loss"].as_array().unwrap().len(), 5);
}
