use crate::dist::flat::{self, Which, map, read};
use crate::dist::{CommError, Kind, Numbers, Ranks, Reduce};
use crate::nn::{Ctx, Layer, Module};
use crate::prelude::*;
use thiserror::Error;

dim!(
    /// The numbers of a layer that a rank has.
    pub Held
);

/// Why a layer cannot be divided.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// Its parameters are not all of single precision.
    #[error("parameter number {index} is of {found}: layers of f32 are divided")]
    Kind {
        /// The place of the parameter.
        index: usize,
        /// Its type.
        found: Kind,
    },
    /// It has buffers, which change with each rank's rows.
    #[error("the layer has {count} buffers, such as running statistics: keep it whole")]
    Buffers {
        /// How many.
        count: usize,
    },
    /// The ranks could not exchange numbers.
    #[error(transparent)]
    Comm(#[from] CommError),
}

/// A layer whose parameters are divided among the ranks, as ZeRO-3 and PyTorch's FSDP have it: each rank keeps an equal part, and the
/// layer is whole only while it computes.
///
/// Its [`apply`](Layer::apply) gathers the parameters from all ranks, computes, and lets them go. The reverse pass gathers them once
/// more, computes the layer again for its derivative, and gives each rank its part of the mean gradient. So neither parameters nor
/// what the layer would keep for the reverse pass stay in memory; it costs one more forward pass.
///
/// The gradient is the mean over all ranks, as if each had as many rows: optimisers take it as it is, without
/// [`DataParallel`](crate::dist::DataParallel). Wrap them in [`ByShare`](crate::dist::ByShare) if they clip the norm.
///
/// ```
/// use differentiable::dist::{Sharded, threads};
/// use differentiable::nn::{Ctx, Layer, Relu, Sequential};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
/// type Body = Sequential<(Linear<4, 16>, Relu, Linear<16, 1>)>;
///
/// #[differentiable]
/// fn loss(net: &Sharded<Body>, #[constant] x: &Tensor![Batch, 4]) -> Tensor![] {
///     net.forward(x, &mut Ctx::eval()).square().mean()
/// }
///
/// threads(2, |ranks| {
///     let seeds = &mut Seeds::new(1);
///     let body = Sequential((Linear::new(seeds), Relu, Linear::new(seeds)));
///     let net = Sharded::new(body, &ranks).unwrap();
///     assert_eq!(net.held.len(), 49); // half of 97, rounded up
///     let x = Tensor::randn_with((Batch(3), Sz), 7 + ranks.rank() as u64);
///     let gradient = loss::grad(&net, &x);
///     assert_eq!(gradient.held.len(), 49);
///     assert_eq!(net.whole().unwrap().0.0.weight.len(), 64);
/// });
/// ```
#[derive(Clone, Differentiable, Module)]
pub struct Sharded<L> {
    /// This rank's part of the parameters, in a row.
    pub held: Tensor<(Held,)>,
    #[constant]
    of: Form<L>,
}

/// The layer without its numbers, and the ranks that have them.
#[derive(Clone)]
pub struct Form<L> {
    layer: L,
    ranks: Ranks,
    len: usize,
}

impl<L: Module + Clone> Sharded<L> {
    /// Divides a layer, which must be the same on all ranks.
    ///
    /// # Errors
    /// If it has parameters of other types than `f32`, or buffers.
    pub fn new(layer: L, ranks: &Ranks) -> Result<Self, ShardError> {
        let buffers = flat::numbers(&layer, Which::Buffers)?.len();
        if buffers > 0 {
            return Err(ShardError::Buffers { count: buffers });
        }
        let mut all = Vec::new();
        for (index, numbers) in flat::numbers(&layer, Which::Parameters)?
            .into_iter()
            .enumerate()
        {
            match numbers {
                Numbers::F32(x) => all.extend(x),
                other => {
                    let found = other.kind();
                    return Err(ShardError::Kind { index, found });
                }
            }
        }
        let len = all.len();
        let share = len.div_ceil(ranks.size());
        all.resize(share * ranks.size(), 0.0);
        let part = &all[ranks.rank() * share..(ranks.rank() + 1) * share];
        let mut layer = layer;
        flat::collapse(&mut layer);
        let form = Form {
            layer,
            ranks: ranks.clone(),
            len,
        };
        Ok(Sharded {
            held: Tensor::from_slice_with((Held(share),), part).expect("of its length"),
            of: form,
        })
    }

    /// The whole layer, which all ranks gather together: to save it, or to use it without the others.
    ///
    /// # Errors
    /// If a rank ended or did not come in time.
    pub fn whole(&self) -> Result<L, CommError> {
        self.of.gather(&self.held)
    }
}

impl<L: Module + Clone> Form<L> {
    fn gather(&self, held: &Tensor![Held]) -> Result<L, CommError> {
        let part = held.try_to_vec().map_err(|e| CommError::Device {
            index: 0,
            why: e.to_string(),
        })?;
        let all = self.ranks.all_gather(Numbers::F32(part)).wait()?;
        let mut layer = self.layer.clone();
        let mut at = 0;
        let sizes = flat::lens(&layer);
        let part = |len: usize| {
            let part = all.part(at, len);
            at += len;
            part
        };
        let parts = sizes.into_iter().map(part).collect();
        flat::set_numbers(&mut layer, Which::Parameters, parts);
        Ok(layer)
    }

    /// The layer with zeros, as what the tangent of one is measured from.
    fn zero(&self) -> Result<L, CommError> {
        let mut layer = self.layer.clone();
        let zeros = flat::lens(&layer)
            .into_iter()
            .map(|len| Numbers::zeros(Kind::F32, len));
        flat::set_numbers(&mut layer, Which::Parameters, zeros.collect());
        Ok(layer)
    }

    /// This rank's part of the mean of all ranks' gradients.
    fn scatter(&self, gradient: L::Tangent, held: usize) -> Result<Tensor![Held], CommError> {
        let (_, all) = map(
            gradient,
            Numbers::zeros(Kind::F32, 0),
            |all, index, leaf| {
                all.append(&read(leaf, index)?);
                Ok(())
            },
        )?;
        let mut all: Vec<f32> = all.of()?;
        debug_assert_eq!(all.len(), self.len);
        all.resize(held * self.ranks.size(), 0.0);
        let mut all = Numbers::F32(all);
        all.scale(1.0 / self.ranks.size() as f64);
        let part: Vec<f32> = self.ranks.reduce_scatter(all, Reduce::Sum).wait_for()?;
        Ok(Tensor::from_slice_with((Held(held),), &part).expect("of its length"))
    }
}

/// What the layer draws at random, so that it draws the same when it computes again.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    is_train: bool,
    seed: u64,
}

crate::__discrete!([] Draws);
crate::__discrete!([L: Clone] Form<L>);

impl Draws {
    fn of(ctx: &mut Ctx) -> Self {
        Draws {
            is_train: ctx.is_train(),
            seed: ctx.next_seed(),
        }
    }

    fn ctx<L: Module>(self, layer: &L) -> Ctx {
        match self.is_train {
            true => Ctx::train(layer, self.seed),
            false => Ctx::eval_with_seed(self.seed),
        }
    }
}

#[differentiable]
fn whole<L, S, R>(layer: &L, x: &Tensor<S>, ctx: &mut Ctx) -> Tensor<R>
where
    L: Layer<Tensor<S>, Out = Tensor<R>> + Module + Clone,
    S: Shape,
    R: Shape,
{
    layer.apply(x, ctx)
}

fn divided<L, S, R>(held: &Tensor![Held], of: &Form<L>, x: &Tensor<S>, draws: Draws) -> Tensor<R>
where
    L: Layer<Tensor<S>, Out = Tensor<R>> + Module + Clone,
    S: Shape,
    R: Shape,
{
    let layer = or_panic(of.gather(held));
    layer.apply(x, &mut draws.ctx(&layer))
}

#[track_caller]
fn or_panic<T>(result: Result<T, CommError>) -> T {
    result.unwrap_or_else(|e| panic!("a divided layer: {e}"))
}

#[derivative(of = divided, jvp = divided_forward)]
fn divided_rule<L, S, R>(
    held: &Tensor![Held],
    of: &Form<L>,
    x: &Tensor<S>,
    draws: Draws,
) -> (
    Tensor<R>,
    impl Fn(Tensor<R>) -> (Tensor![Held], (), Tensor<S>, ()) + Clone,
)
where
    L: Layer<Tensor<S>, Out = Tensor<R>> + Module + Clone,
    S: Shape,
    R: Shape,
{
    let value = divided(held, of, x, draws);
    // Shares of memory, not copies.
    let (held, of, x) = (held.clone(), of.clone(), x.clone());
    let pull = move |ct: Tensor<R>| {
        let layer = or_panic(of.gather(&held));
        let mut ctx = draws.ctx(&layer);
        let (_, pullback) = whole::vjp(&layer, &x, &mut ctx);
        let (of_layer, of_x) = pullback(ct);
        let part = or_panic(of.scatter(of_layer, held.len()));
        (part, (), of_x, ())
    };
    (value, pull)
}

fn divided_forward<L, S, R>(
    (held, t_held): (&Tensor![Held], &Tensor![Held]),
    (of, _): (&Form<L>, &()),
    (x, t_x): (&Tensor<S>, &Tensor<S>),
    (draws, _): (Draws, ()),
) -> (Tensor<R>, Tensor<R>)
where
    L: Layer<Tensor<S>, Out = Tensor<R>> + Module + Clone,
    S: Shape,
    R: Shape,
{
    let layer = or_panic(of.gather(held));
    let moved = or_panic(of.gather(t_held));
    let t_layer = L::difference(&moved, &or_panic(of.zero()));
    let mut ctx = draws.ctx(&layer);
    whole::jvp((&layer, &t_layer), (x, t_x), &mut ctx)
}

#[differentiable]
impl<L: Module + Clone> Sharded<L> {
    /// The output of the layer.
    ///
    /// # Panics
    /// If a rank ended or did not come in time.
    pub fn forward<S: Shape, R: Shape>(&self, x: &Tensor<S>, ctx: &mut Ctx) -> Tensor<R>
    where
        L: Layer<Tensor<S>, Out = Tensor<R>>,
    {
        let draws = no_grad!(Draws::of(ctx));
        divided(&self.held, &self.of, x, draws)
    }
}

#[differentiable]
impl<L, S: Shape, R: Shape> Layer<Tensor<S>> for Sharded<L>
where
    L: Layer<Tensor<S>, Out = Tensor<R>> + Module + Clone,
{
    type Out = Tensor<R>;
    fn apply(&self, x: &Tensor<S>, ctx: &mut Ctx) -> Tensor<R> {
        let draws = no_grad!(Draws::of(ctx));
        divided(&self.held, &self.of, x, draws)
    }
}
