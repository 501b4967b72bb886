use super::rows::{Lines, Row};
use super::{LogError, Logger, Resumed};
use std::path::PathBuf;

/// A table as CSV: the column `step`, and one for each name. A step without a value has an empty field.
///
/// A row is written when the next step begins, or the log is flushed. Where a name comes that the table has no column
/// for, the file is written anew.
#[derive(Debug)]
pub struct Csv {
    lines: Lines,
    columns: Vec<String>,
    row: Row,
}

const STEP: &str = "step";

impl Csv {
    /// A table in this file, which [`begin`](Logger::begin) makes.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Csv {
            lines: Lines::at(path.into()),
            columns: Vec::new(),
            row: Row::default(),
        }
    }

    /// The rows of the file and its columns without that of the step.
    fn read(&self) -> Result<(Vec<String>, Vec<Vec<String>>), LogError> {
        let bytes = self.lines.read()?;
        let mut reader = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(&bytes[..]);
        let mut records = Vec::new();
        for record in reader.records() {
            let record =
                record.map_err(|e| self.foreign(records.len() + 1, "a table", e.to_string()))?;
            records.push(record.iter().map(str::to_string).collect::<Vec<String>>());
        }
        let mut records = records.into_iter();
        let header = records.next().unwrap_or_else(|| vec![STEP.to_string()]);
        match header.split_first() {
            Some((first, columns)) if first == STEP => Ok((columns.to_vec(), records.collect())),
            _ => Err(self.foreign(1, "a first column `step`", header.join(","))),
        }
    }

    fn foreign(&self, line: usize, expected: &'static str, found: String) -> LogError {
        LogError::Foreign {
            path: self.lines.path().into(),
            line,
            expected,
            found: found.chars().filter(|c| *c != '\n').take(60).collect(),
        }
    }

    fn write(&mut self, row: Row) -> Result<(), LogError> {
        let known = self.columns.len();
        for (name, _) in &row.values {
            if !self.columns.contains(name) {
                self.columns.push(name.clone());
            }
        }
        if self.columns.len() > known {
            self.write_anew()?;
        }
        let value = |name: &String| {
            let found = row.values.iter().find(|(n, _)| n == name);
            found.map(|(_, v)| v.to_string()).unwrap_or_default()
        };
        let fields = [row.step.to_string()].into_iter();
        let line = line(fields.chain(self.columns.iter().map(value)));
        self.lines.append(&line)
    }

    /// Writes the file with all columns.
    fn write_anew(&mut self) -> Result<(), LogError> {
        let (_, rows) = self.read()?;
        self.write_table(&rows)
    }

    fn write_table(&mut self, rows: &[Vec<String>]) -> Result<(), LogError> {
        let mut bytes = line([STEP.to_string()].into_iter().chain(self.columns.clone()));
        for row in rows {
            let missing = (self.columns.len() + 1).saturating_sub(row.len());
            let empty = std::iter::repeat_n(String::new(), missing);
            bytes.extend(line(row.iter().cloned().chain(empty)));
        }
        self.lines.replace(&bytes)
    }
}

fn line(fields: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer
        .write_record(Vec::from_iter(fields))
        .expect("a vector takes all bytes");
    writer.into_inner().expect("a vector takes all bytes")
}

impl Logger for Csv {
    fn begin(&mut self, resumed: Option<&Resumed<'_>>) -> Result<(), LogError> {
        let mut rows = Vec::new();
        if let Some(resumed) = resumed {
            let (columns, all) = self.read()?;
            self.columns = columns;
            for (at, row) in all.into_iter().enumerate() {
                let step = row.first().map(String::as_str).unwrap_or_default();
                let step: u64 = step
                    .parse()
                    .map_err(|_| self.foreign(at + 2, "the number of a step", step.to_string()))?;
                if step <= resumed.steps {
                    rows.push(row);
                }
            }
        }
        self.write_table(&rows)
    }

    fn scalar(&mut self, name: &str, step: u64, value: f64) -> Result<(), LogError> {
        match self.row.add(name, step, value) {
            Some(row) => self.write(row),
            None => Ok(()),
        }
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

    fn resumed(steps: u64) -> Resumed<'static> {
        Resumed { steps, epochs: &[] }
    }

    #[test]
    fn new_columns_and_resumed_rows() {
        let path = std::env::temp_dir().join(format!("log-{}.csv", std::process::id()));
        let text = || std::fs::read_to_string(&path).unwrap();
        let mut log = Csv::at(&path);
        log.begin(None).unwrap();
        log.scalar("a, \"b\"", 1, 0.1 + 0.2).unwrap();
        log.scalar("loss", 2, f64::NAN).unwrap();
        log.flush().unwrap();
        log.scalar("loss", 3, -1e-300).unwrap();
        log.scalar("loss", 3, 1e-300).unwrap();
        log.flush().unwrap();
        let whole = "step,\"a, \"\"b\"\"\",loss\n1,0.30000000000000004,\n2,,NaN\n";
        assert_eq!(text(), format!("{whole}3,,{}\n", 1e-300));

        // A killed program leaves half a row; the rows after the checkpoint go.
        std::fs::write(&path, format!("{}1", text())).unwrap();
        let mut log = Csv::at(&path);
        log.begin(Some(&resumed(2))).unwrap();
        assert_eq!(text(), whole);
        log.scalar("loss", 3, 4.0).unwrap();
        log.flush().unwrap();
        assert_eq!(text(), format!("{whole}3,,4\n"));

        Csv::at(&path).begin(None).unwrap();
        assert_eq!(text(), "step\n");
        for (text, said) in [
            (
                "x,y\n1,2\n",
                ":1: not the log of a run: expected a first column `step`, found \"x,y\"",
            ),
            (
                "step,y\n1,2\nq,2\n",
                ":3: not the log of a run: expected the number of a step, found \"q\"",
            ),
            (
                "step,y\n1,2,3\n",
                ":2: not the log of a run: expected a table",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Csv::at(&path).begin(Some(&resumed(9))).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
        let error = Csv::at("no/such/dir/a.csv").begin(None).unwrap_err();
        let missing = std::fs::metadata("no/such/dir").unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("no/such/dir/a.csv: cannot write the log: {missing}")
        );
    }
}
