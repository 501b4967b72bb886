//! Keys and values of what was read before, so that a sequence can go on without being read again.

use autodiff_core::ad::Context;
use autodiff_core::device::AnyStorage;
use autodiff_core::prelude::*;

dim!(
    /// The examples of a cache.
    pub CachedBatch,
    /// The positions that a cache holds.
    pub Past
);

/// The keys and values of one layer, or nothing where no cache is wanted.
#[derive(Clone, Debug)]
pub struct KvCache<const H: usize, const K: usize, T: Float = f32> {
    is_on: bool,
    past: Option<[Tensor<(CachedBatch, Sz<H>, Past, Sz<K>), T>; 2]>,
}

autodiff_core::__discrete!([const H: usize, const K: usize, T: Float] KvCache<H, K, T>);
impl<const H: usize, const K: usize, T: Float> Context for KvCache<H, K, T> {}
impl<const H: usize, const K: usize, T: Float> ToDevice for KvCache<H, K, T> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.is_on.each_storage(each);
        self.past.each_storage(each);
    }
}

impl<const H: usize, const K: usize, T: Float> KvCache<H, K, T> {
    /// Keeps nothing: for training.
    pub fn none() -> Self {
        KvCache {
            is_on: false,
            past: None,
        }
    }

    /// Keeps what is read: for generation.
    pub fn empty() -> Self {
        KvCache {
            is_on: true,
            past: None,
        }
    }

    /// The number of positions that it holds.
    pub fn len(&self) -> usize {
        self.past.as_ref().map_or(0, |[k, _]| k.dims()[2])
    }

    /// Whether it holds no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn has_past(&self) -> bool {
        self.past.is_some()
    }

    /// The keys and values, for a batch of the size that they have.
    #[track_caller]
    pub(super) fn past<B: Dim>(&self, batch: B) -> (Heads<B, H, K, T>, Heads<B, H, K, T>) {
        let [k, v] = self.past.as_ref().expect("a cache with a past");
        let (found, given) = (k.dims()[0], batch.size());
        assert!(
            found == given,
            "the cache was filled by a batch of {found}, and this one has {given} examples: begin with `KvCache::empty()`"
        );
        (k.rename(), v.rename())
    }

    pub(super) fn length_with(&self, more: usize) -> Past {
        Past(self.len() + more)
    }

    /// Keeps keys and values, those of before with them.
    pub(super) fn keep<B: Dim, L: Dim>(
        &mut self,
        k: &Tensor<(B, Sz<H>, L, Sz<K>), T>,
        v: &Tensor<(B, Sz<H>, L, Sz<K>), T>,
    ) {
        if self.is_on {
            self.past = Some([k.rename(), v.rename()]);
        }
    }
}

type Heads<B, const H: usize, const K: usize, T> = Tensor<(B, Sz<H>, Past, Sz<K>), T>;

/// The caches of all layers: `&mut caches[i]` is that of layer `i`.
///
/// [`Caches::none`] keeps nothing, whatever the number of layers. [`Caches::empty`] begins a sequence; each call then
/// reads further positions.
#[derive(Clone, Debug)]
pub struct Caches<const H: usize, const K: usize, T: Float = f32> {
    is_on: bool,
    layers: Vec<KvCache<H, K, T>>,
}

autodiff_core::__discrete!([const H: usize, const K: usize, T: Float] Caches<H, K, T>);
impl<const H: usize, const K: usize, T: Float> Context for Caches<H, K, T> {}
impl<const H: usize, const K: usize, T: Float> ToDevice for Caches<H, K, T> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.is_on.each_storage(each);
        self.layers.each_storage(each);
    }
}

impl<const H: usize, const K: usize, T: Float> Caches<H, K, T> {
    /// Keeps nothing: for training.
    pub fn none() -> Self {
        Caches {
            is_on: false,
            layers: Vec::new(),
        }
    }

    /// Keeps what is read: for generation.
    pub fn empty() -> Self {
        Caches {
            is_on: true,
            layers: Vec::new(),
        }
    }

    /// The number of positions that were read.
    pub fn len(&self) -> usize {
        self.layers.first().map_or(0, KvCache::len)
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions of the tokens that come next: those of the first are 0, 1, 2, … .
    pub fn positions<B: Dim, L: Dim, X: Elem>(&self, ids: &Tensor<(B, L), X>) -> Tensor<(L,), i64> {
        let from = self.len();
        Tensor::from_fn_with((ids.shape().1,), |i| (from + i) as i64)
    }

    /// The cache of a layer.
    pub fn layer(&mut self, i: usize) -> &mut KvCache<H, K, T> {
        let is_on = self.is_on;
        while self.layers.len() <= i {
            self.layers.push(KvCache { is_on, past: None });
        }
        &mut self.layers[i]
    }
}

impl<const H: usize, const K: usize, T: Float> core::ops::Index<usize> for Caches<H, K, T> {
    type Output = KvCache<H, K, T>;
    fn index(&self, i: usize) -> &KvCache<H, K, T> {
        &self.layers[i]
    }
}

impl<const H: usize, const K: usize, T: Float> core::ops::IndexMut<usize> for Caches<H, K, T> {
    fn index_mut(&mut self, i: usize) -> &mut KvCache<H, K, T> {
        self.layer(i)
    }
}
