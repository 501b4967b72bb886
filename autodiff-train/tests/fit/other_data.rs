//! Checkpoints of runs on other data, and how long a run waits for its data.

use crate::support::{Batch, Clouds, Folder, Rows, contents, plain};
use differentiable::data::{DataError, Dataset, Fingerprint, Loader, Source};
use differentiable::optim::Sgd;
use differentiable::prelude::*;
use differentiable::train::{Csv, Report, TrainError, every, fit};
use std::path::Path;
use std::time::Duration;

type Row = (Tensor![4], i64);

fn rows() -> Vec<Row> {
    let row = |i: i64| (Tensor::full(i as f32 / 10.0), i % 3);
    (0..41).map(row).collect()
}

fn train<S: Source<Batch = Rows>>(
    source: &S,
    epochs: u64,
    path: &Path,
) -> Result<Report, TrainError> {
    fit(&mut plain(), &mut Sgd::new(0.01), source)
        .epochs(epochs)
        .checkpoint(path, every(1))
        .resume()
        .run()
}

/// What differs, and its two values: those of this program and of the checkpoint.
fn difference(result: Result<Report, TrainError>, path: &Path) -> [String; 3] {
    let error = result.unwrap_err();
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    let begin = format!(
        "{}: the checkpoint was saved with other training data: ",
        path.display()
    );
    assert!(text.starts_with(&begin), "{text}");
    match error {
        TrainError::OtherData {
            what,
            expected,
            found,
            ..
        } => [what, expected, found],
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_does_not_go_on_with_other_data() {
    let folder = Folder::new("other-data");
    let path = folder.file("run.safetensors");
    let loader = |rows: &[Row]| Loader::new(rows.to_vec(), 8).shuffle(1).stack(Batch);
    train(&loader(&rows()), 1, &path).unwrap();
    let before = contents(&path);
    let changed = |change: fn(&mut Vec<Row>)| {
        let mut all = rows();
        change(&mut all);
        difference(train(&loader(&all), 2, &path), &path)
    };
    // Rows of which a few are compared: the first, the last, one in the middle.
    for change in [
        (|r: &mut Vec<Row>| r[0].0 = Tensor::full(-1.0)) as fn(&mut Vec<Row>),
        |r| r[20].1 = 1,
        |r| r[40].0 = Tensor::full(f32::NAN),
        |r| r.rotate_left(1),
        |r| r.iter_mut().for_each(|row| row.0 = &row.0 * 1.0001),
    ] {
        assert_eq!(changed(change)[0], "checksum of sampled rows");
    }
    assert_eq!(changed(|r| r.push(r[0].clone())), ["rows", "42", "41"]);
    let [what, expected, found] = difference(
        train(&Loader::new(rows(), 8).shuffle(2).stack(Batch), 2, &path),
        &path,
    );
    assert_eq!(what, "order");
    assert_eq!(expected, "shuffled by the seed 2");
    assert_eq!(found, "shuffled by the seed 1");
    let scaled = rows().map(|(x, y)| (x * 0.5, y));
    let scaled = Loader::new(scaled, 8).shuffle(1).stack(Batch);
    assert_eq!(
        difference(train(&scaled, 2, &path), &path)[0],
        "checksum of sampled rows"
    );
    // Nothing was trained or saved, and the same data are taken.
    assert_eq!(contents(&path), before);
    let report = train(&loader(&rows()).workers(2), 2, &path).unwrap();
    assert_eq!(report.history.len(), 2);
}

dim!(Time);

#[batch]
#[derive(Clone)]
struct Text {
    #[pad(Time, 0)]
    ids: Vec<i64>,
    stars: u8,
    weight: f64,
    x: Tensor![2],
    good: bool,
}

fn text() -> Text {
    Text {
        ids: vec![1, 2],
        stars: 3,
        weight: 0.5,
        x: Tensor::ones(),
        good: true,
    }
}

#[test]
fn every_field_of_a_row_counts() {
    let of = |row: Text| Loader::new(vec![row], 1).fingerprint();
    let expected = of(text());
    assert!(
        expected
            .facts()
            .iter()
            .any(|f| f.0 == "checksum of sampled rows")
    );
    assert_eq!(expected, of(text()));
    let changes: [fn(&mut Text); 6] = [
        |t| t.ids.push(0),
        |t| t.ids[0] = 2,
        |t| t.stars = 4,
        |t| t.weight = 0.25,
        |t| t.x = Tensor::zeros(),
        |t| t.good = false,
    ];
    for change in changes {
        let mut row = text();
        change(&mut row);
        assert_ne!(of(row), expected);
    }
}

/// Rows that a function joins say nothing about themselves: their number and order are compared.
#[test]
fn rows_joined_by_a_function_have_no_checksum() {
    let loader = Loader::new(vec![1, 2, 3], 2).collate(|rows: Vec<i32>| Ok(rows.len()));
    let names: Vec<_> = loader
        .fingerprint()
        .facts()
        .iter()
        .map(|f| f.0.clone())
        .collect();
    let sum = "checksum of sampled rows";
    assert_eq!(names, ["rows", "batch size", "batches", "order", sum]);
    assert_eq!(loader.fingerprint().facts()[4].1, "none");
    // A second function says what tells them apart.
    let of = |rows: Vec<i32>| {
        let loader = Loader::new(rows, 2).collate(|rows: Vec<i32>| Ok(rows.len()));
        let loader = loader.digest(|row, digest| digest.bytes(&row.to_le_bytes()));
        assert_eq!(loader.epoch(0).sum::<usize>(), 3);
        loader.workers(2).fingerprint()
    };
    assert_eq!(of(vec![1, 2, 3]), of(vec![1, 2, 3]));
    assert_ne!(of(vec![1, 2, 3]), of(vec![1, 2, 4]));
    assert_ne!(of(vec![1, 2, 3]), loader.fingerprint());
}

/// A source of one's own has a fingerprint of its own.
struct Named(Clouds, &'static str);

impl Source for Named {
    type Batch = Rows;
    fn batches(&self) -> usize {
        self.0.batches()
    }
    fn rows_of(&self, batch: usize) -> usize {
        self.0.rows_of(batch)
    }
    fn epoch_from(
        &self,
        epoch: u64,
        first: usize,
    ) -> impl Iterator<Item = Result<Rows, DataError>> {
        std::thread::sleep(Duration::from_millis(1));
        self.0.epoch_from(epoch, first).inspect(|_| {
            std::thread::sleep(Duration::from_millis(20));
        })
    }
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new().with("version of the file", self.1)
    }
}

#[test]
fn a_source_can_say_what_it_is() {
    let folder = Folder::new("named-data");
    let path = folder.file("run.safetensors");
    let clouds = |rows| Clouds::new(rows, 8, 1);
    train(&Named(clouds(16), "1.0"), 1, &path).unwrap();
    assert_eq!(
        difference(train(&Named(clouds(16), "1.1"), 2, &path), &path),
        ["version of the file", "1.1", "1.0"]
    );
    train(&Named(clouds(16), "1.0"), 2, &path).unwrap();
    // Without one, the number of rows is compared.
    std::fs::remove_file(&path).unwrap();
    train(&clouds(16), 1, &path).unwrap();
    let said = difference(train(&clouds(15), 2, &path), &path);
    assert_eq!(said, ["rows in an epoch", "15", "16"]);
}

#[test]
fn a_report_says_how_long_the_run_waited_for_data() {
    let folder = Folder::new("waiting");
    let log = folder.file("run.csv");
    let run = |waiting: bool| {
        let (mut net, mut sgd) = (plain(), Sgd::new(0.01));
        let slow = Named(Clouds::new(24, 8, 1), "");
        let run = fit(&mut net, &mut sgd, &slow).epochs(2).log(Csv::at(&log));
        let run = if waiting { run.log_waiting() } else { run };
        run.run().unwrap()
    };
    let report = run(true);
    for epoch in &report.history {
        // Three batches of at least 20 ms each.
        assert!(epoch.waited >= Duration::from_millis(60), "{epoch:?}");
        assert!(epoch.took >= epoch.waited, "{epoch:?}");
    }
    let text = std::fs::read_to_string(&log).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("step,loss,learning_rate,data_wait"));
    let seconds = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    let logged: Vec<f64> = lines.map(seconds).collect();
    let reported: Vec<f64> = report
        .history
        .iter()
        .map(|e| e.waited.as_secs_f64())
        .collect();
    assert_eq!(logged, reported);
    // Times are not compared: the run is the same.
    assert_eq!(run(false), report);
    let text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(text.lines().next(), Some("step,loss,learning_rate"));
}
