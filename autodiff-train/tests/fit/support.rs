//! A small data set, a network with everything that a checkpoint must hold, and folders for files.

use differentiable::data::{Batches, DataError, Source};
use differentiable::io::Checkpoint;
use differentiable::nn::*;
use differentiable::prelude::*;
use differentiable::train::{Objective, Predict};
use std::path::{Path, PathBuf};

dim!(pub Batch);

pub type Rows = (Tensor![Batch, 4], Tensor![i64; Batch]);

/// Three clouds of points in four dimensions, in memory.
pub struct Clouds {
    pub batches: Batches,
    pub size: usize,
    pub features: Vec<f32>,
    pub labels: Vec<i64>,
}

impl Clouds {
    pub fn new(rows: usize, size: usize, seed: u64) -> Self {
        let noise: Tensor<(Batch, Sz<4>)> = Tensor::randn_with((Batch(rows), Sz), seed);
        let labels: Vec<i64> = (0..rows).map(|r| r as i64 % 3).collect();
        let features = noise.to_vec().into_iter().enumerate().map(|(i, x)| {
            let at_corner = i % 4 == labels[i / 4] as usize;
            0.4 * x + if at_corner { 2.0 } else { 0.0 }
        });
        Clouds {
            batches: Batches::new(rows, size).seed(seed),
            size,
            features: features.collect(),
            labels,
        }
    }

    fn batch(&self, rows: &[usize]) -> Rows {
        let x = rows
            .iter()
            .flat_map(|r| &self.features[4 * r..][..4])
            .copied();
        let y = rows.iter().map(|r| self.labels[*r]);
        let batch = Batch(rows.len());
        (
            Tensor::from_vec_with((batch, Sz), x.collect()).unwrap(),
            Tensor::from_vec_with((batch,), y.collect()).unwrap(),
        )
    }
}

impl Source for Clouds {
    type Batch = Rows;
    fn batches(&self) -> usize {
        self.batches.len()
    }
    fn rows_of(&self, batch: usize) -> usize {
        (self.labels.len() - batch * self.size).min(self.size)
    }
    fn epoch_from(
        &self,
        epoch: u64,
        first: usize,
    ) -> impl Iterator<Item = Result<Rows, DataError>> {
        let rows: Vec<Vec<usize>> = self.batches.epoch(epoch).iter().map(Vec::from).collect();
        rows.into_iter()
            .skip(first)
            .map(|rows| Ok(self.batch(&rows)))
    }
}

/// Masks, running statistics, and a recorded activation.
#[module]
pub struct Net {
    pub hidden: Linear<4, 8>,
    pub norm: BatchNorm<8>,
    #[init(Dropout::new(0.2))]
    pub drop: Dropout,
    pub out: Linear<8, 3>,
}

#[differentiable]
impl Net {
    pub fn forward(&self, x: &Tensor![Batch, 4], ctx: &mut Ctx) -> Tensor![Batch, 3] {
        let h = self.norm.forward(&self.hidden.forward(x), ctx).relu();
        no_grad!(ctx.record("hidden", &h));
        self.out.forward(&self.drop.forward(&h, ctx))
    }
}

#[differentiable]
impl Objective<Rows> for Net {
    fn loss(&self, batch: &Rows, ctx: &mut Ctx) -> Tensor![] {
        self.forward(&batch.0, ctx).cross_entropy(&batch.1)
    }
}

impl Predict<Rows> for Net {
    type Output = Tensor![Batch, 3];
    type Target = Tensor![i64; Batch];
    fn predict(&self, (x, y): &Rows, ctx: &mut Ctx) -> (Tensor![Batch, 3], Tensor![i64; Batch]) {
        (self.forward(x, ctx), y.clone())
    }
}

pub fn net() -> Net {
    Net::new(&mut Seeds::new(3))
}

/// A layer alone: its loss has no randomness, and is a mean over rows.
#[module]
pub struct Plain {
    pub out: Linear<4, 3>,
}

#[differentiable]
impl Objective<Rows> for Plain {
    fn loss(&self, batch: &Rows, _ctx: &mut Ctx) -> Tensor![] {
        self.out.forward(&batch.0).cross_entropy(&batch.1)
    }
}

pub fn plain() -> Plain {
    Plain::new(&mut Seeds::new(3))
}

/// A folder that is removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fit-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of what is in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The bytes of a module and its buffers.
pub fn bits<M: Module>(module: &M) -> String {
    format!("{:?}", state(module))
}

/// All that a checkpoint holds.
pub fn contents(path: &Path) -> Checkpoint {
    Checkpoint::load(path).unwrap()
}
