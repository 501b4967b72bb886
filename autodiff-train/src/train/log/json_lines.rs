use super::rows::{Lines, Row};
use super::{LogError, Logger, Resumed};
use serde_json::{Value, json};
use std::path::PathBuf;

/// An object on each line: `{"step":12,"loss":0.25,"accuracy":0.9}`.
///
/// The values of a step stand together. A text has a line of its own, `{"step":12,"name":"sample","text":".."}`, and so
/// has a histogram, as its summary. What is not finite is `null`, since JSON has no such number.
#[derive(Debug)]
pub struct JsonLines {
    lines: Lines,
    row: Row,
}

impl JsonLines {
    /// Objects in this file, which [`begin`](Logger::begin) makes.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        JsonLines {
            lines: Lines::at(path.into()),
            row: Row::default(),
        }
    }

    fn write(&mut self, row: Row) -> Result<(), LogError> {
        // A map of `serde_json` would sort the names.
        let mut line = format!("{{\"step\":{}", row.step);
        for (name, value) in row.values {
            line += &format!(",{}:{}", json!(name), json!(value));
        }
        self.lines.append(format!("{line}}}\n").as_bytes())
    }

    fn append(&mut self, object: &Value) -> Result<(), LogError> {
        self.lines.append(format!("{object}\n").as_bytes())
    }

    fn foreign(&self, line: usize, found: &str) -> LogError {
        LogError::Foreign {
            path: self.lines.path().into(),
            line,
            expected: "an object with a `step`",
            found: found.chars().take(60).collect(),
        }
    }
}

impl Logger for JsonLines {
    fn begin(&mut self, resumed: Option<&Resumed<'_>>) -> Result<(), LogError> {
        let mut kept = String::new();
        if let Some(resumed) = resumed {
            let bytes = self.lines.read()?;
            for (at, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
                let object: Option<Value> = serde_json::from_str(line).ok();
                let step = object.and_then(|o| o["step"].as_u64());
                let step = step.ok_or_else(|| self.foreign(at + 1, line))?;
                if step <= resumed.steps {
                    kept += line;
                    kept.push('\n');
                }
            }
        }
        self.lines.replace(kept.as_bytes())
    }

    fn scalar(&mut self, name: &str, step: u64, value: f64) -> Result<(), LogError> {
        match self.row.add(name, step, value) {
            Some(row) => self.write(row),
            None => Ok(()),
        }
    }

    fn histogram(&mut self, name: &str, step: u64, values: &[f64]) -> Result<(), LogError> {
        self.flush()?;
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        self.append(&json!({
            "step": step,
            "name": name,
            "histogram": {
                "count": values.len(),
                "min": values.iter().copied().fold(f64::INFINITY, f64::min),
                "max": values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                "mean": mean,
                "deviation": (squares / count).sqrt(),
            },
        }))
    }

    fn text(&mut self, name: &str, step: u64, text: &str) -> Result<(), LogError> {
        self.flush()?;
        self.append(&json!({"step": step, "name": name, "text": text}))
    }

    fn flush(&mut self) -> Result<(), LogError> {
        match self.row.take() {
            Some(row) => self.write(row),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_objects_and_resumed_ones_come_once() {
        let path = std::env::temp_dir().join(format!("log-{}.jsonl", std::process::id()));
        let text = || std::fs::read_to_string(&path).unwrap();
        let mut log = JsonLines::at(&path);
        log.begin(None).unwrap();
        log.scalar("loss", 1, 0.5).unwrap();
        log.scalar("r", 1, f64::INFINITY).unwrap();
        log.text("sample", 1, "a\n\"b\"").unwrap();
        log.scalar("loss", 2, 0.25).unwrap();
        log.histogram("w", 2, &[1.0, 3.0]).unwrap();
        log.scalar("loss", 3, 0.125).unwrap();
        log.flush().unwrap();
        let objects: Vec<Value> = text()
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(objects[0], json!({"step": 1, "loss": 0.5, "r": null}));
        assert_eq!(
            objects[1],
            json!({"step": 1, "name": "sample", "text": "a\n\"b\""})
        );
        assert_eq!(objects[2], json!({"step": 2, "loss": 0.25}));
        let drawn = json!({"count": 2, "min": 1.0, "max": 3.0, "mean": 2.0, "deviation": 1.0});
        assert_eq!(
            objects[3],
            json!({"step": 2, "name": "w", "histogram": drawn})
        );

        std::fs::write(&path, format!("{}{{\"st", text())).unwrap();
        let mut log = JsonLines::at(&path);
        log.begin(Some(&Resumed {
            steps: 1,
            epochs: &[],
        }))
        .unwrap();
        log.scalar("loss", 2, 0.25).unwrap();
        log.flush().unwrap();
        let again: Vec<Value> = text()
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(again, objects[..3]);

        std::fs::write(&path, "{}\n").unwrap();
        let error = JsonLines::at(&path)
            .begin(Some(&Resumed {
                steps: 1,
                epochs: &[],
            }))
            .unwrap_err();
        let said = ":1: not the log of a run: expected an object with a `step`, found \"{}\"";
        assert!(error.to_string().ends_with(said), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
}
