//! The `#[differentiable]` attribute and the derives of the `differentiable` crate.

use input::plain::groups::made_visible;
use proc_macro::TokenStream;

mod calls;
mod code;
mod derive;
mod emit;
mod expand;
mod explain;
mod higher;
mod input;
mod ir;
mod items;
mod knowledge;
mod lower;
mod module;
mod passes;
mod rewrite;
mod syntax;

/// Writes the derivative of a function, a method, or every method of an `impl` block.
///
/// The function itself stays as it is. Beside it appear `f::grad`, `f::value_and_grad`, `f::vjp`
/// and `f::jvp` (for a method `m`: `m_grad`, …). See the `differentiable` crate for a tour.
///
/// * `#[differentiable(wrt(a, b))]` keeps only the gradients of these parameters;
/// * `#[differentiable(boxed)]` hands out the pullback in a box, as mutual recursion needs it of one of its
///   functions; `#[differentiable(inline)]` does not, however many calls the function makes: its
///   compile time, and that of its callers, then grows with its tree of calls;
/// * `#[differentiable(higher_order)]` adds derivatives of higher order: `f::hvp`, `f::hessian`, `f::linearize`,
///   a Jacobian that chooses its mode, and derivatives of `f::grad` and `f::jvp` for functions that call them. Structs and enums
///   of plain `f64` or `f32` in it have the same mark below their derive. On an `impl` block of such a type, or of
///   one that is generic over its scalar, it adds `m_hvp`, `m_grad_and_hvp` and `m_hessian` for each method `m` whose
///   value is a scalar, and on `impl Add` and the like it makes the operator one of `higher_order` functions; such a
///   block is in the module of the type `Spring`, or in one that imports `SpringOver` with it. Types with the mark
///   whose constructors, variants or patterns the body has, and that it names nowhere as types, are named here:
///   `#[differentiable(higher_order(Shape))]`;
/// * `#[differentiable(unfused)]` runs operations on tensors one by one instead of several in one pass.
/// * `#[differentiable(explain)]` adds `f::explain()` (for a method `m`: `m_explain`), a report of what
///   is active, what is kept and what is emitted; with the environment variable
///   `DIFFERENTIABLE_EXPLAIN_DIR` set when the crate is compiled, it is also written to `f.md` there
///   (for a method in an annotated block `Type.m.md`);
/// * `#[checkpoint]` on a `for` loop over a range, a `while` or a `loop` in the function: the loop keeps snapshots
///   of its state and no tape; the reverse pass copies one back, runs the steps after it once more, and
///   reverses them. `#[checkpoint(every = k)]` takes one for each `k` steps, `#[checkpoint(snapshots = s)]`
///   at most `s`, `#[checkpoint(memory = bytes)]` as many as these bytes hold (`k`, `s` and `bytes` are
///   expressions of the type `usize`; 0 is a panic of the gradient); by itself it takes about as many as there
///   are steps between two of them, the square root of their number. The state has to be `Clone`. What the
///   body does is done again, random numbers too, if their generator is a variable of the function; what
///   it prints or writes elsewhere it writes again;
/// * `#[differentiable(checkpoint)]`, or `#[checkpoint]` below `#[differentiable]`: the pullback keeps copies of
///   the arguments taken by value and by `&mut`, and runs the function again;
/// * `#[constant]` (or `#[no_grad]`) on a parameter leaves it out of the gradient and of the work;
/// * `#[no_grad]` on a method of an annotated `impl` block leaves the method out.
#[proc_macro_attribute]
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(attr.into(), item.into()).into()
}

/// A derivative of one's own for a function: a foreign one, or one whose derivative is better known than computed.
///
/// `#[derivative(of = f)]` stands on a function with the parameters of `f` that returns the value and the pullback,
/// which takes the cotangent of the value to the gradient: of one parameter bare, of several a tuple, of a slice
/// a `Vec`. Annotated functions that call `f` by its last name, with the rule in scope, use it; `f::grad`, `f::vjp`
/// and their like exist too. `use` carries the rule along with its name, as it does functions.
///
/// * The pullback can be cloned and borrows no argument: it owns what it reads.
/// * A rule that is generic over its scalar, `fn rule<T: ad::Scalar>(x: T) -> (T, impl Fn(T) -> T)`, is used by
///   `#[differentiable(higher_order)]` functions too; one of `f64` has a first derivative only.
/// * The forward rule follows from it where the value is `f64`, `f32` or `T`. Elsewhere it is given,
///   `#[derivative(of = f, jvp = f_jvp)]`: a function of pairs of arguments and tangents that returns the value and its
///   tangent, `fn f_jvp((x, dx): (f64, f64)) -> (f64, f64)`.
/// * `#[constant]` on a parameter: it has no derivative, and is passed bare.
///
/// `check_grads::<f, _>(..)` compares the rule with central differences, and both modes with each other. The rule is
/// trusted otherwise.
#[proc_macro_attribute]
pub fn derivative(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::own_rule::expand(attr.into(), item.into()).into()
}

/// The companions of the tensor operations of an `impl` block, from the formulas of their derivatives. For the crate
/// `autodiff-core`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn rule(_: TokenStream, item: TokenStream) -> TokenStream {
    expand::rule::expand(item.into()).into()
}

/// Implements `Differentiable` for a struct or an enum.
///
/// The gradient of `P` is a `PTangent`: a struct with the same field names, or an enum with the same
/// variants, where adding different variants is a panic. The tangent of an enum without fields is
/// `()`. A type may contain itself, in a `Box` or a `Vec`.
///
/// * `#[constant]` on a field leaves it out: in the gradient it is `()`.
/// * `#[differentiable(higher_order)]` below the derive, on a type whose numbers are `f64` or `f32`: functions of it have
///   derivatives of higher order. Its fields are numbers, tensors, arrays, `Vec`s, tuples and `Option`s of them, other such
///   types, a `Box` of the type itself, and `#[constant]` fields of any type that is `Clone`. Beside `P` there is then
///   `POver<S>`, the same type over the scalar `S`, and jacobians have a row for each number of a value. It is asked for
///   since it takes compile time: the derive takes about four times as long to compile. Where tensors are behind the
///   names of other types, it is `#[differentiable(higher_order(Tensor))]`. A type that is generic over its scalar needs
///   no mark.
#[proc_macro_derive(
    Differentiable,
    attributes(constant, differentiable, buffer, config, torch)
)]
pub fn derive_differentiable(input: TokenStream) -> TokenStream {
    derive::expand(made_visible(input.into())).into()
}

/// Implements `ad::HeapSize` for a struct or an enum: the bytes that its fields own on the heap, those that are
/// `#[constant]` too. `#[checkpoint(memory = bytes)]` asks for it where the value is in the state of the loop.
#[proc_macro_derive(HeapSize, attributes(constant))]
pub fn derive_heap_size(input: TokenStream) -> TokenStream {
    derive::heap_size::expand(made_visible(input.into())).into()
}

/// Makes a struct or an enum a layer or a network: `Clone`, `Debug`, `Differentiable`, `Module`, and a constructor.
///
/// Fields that are tensors or modules are trained. The others have a mark:
///
/// * `#[buffer]`: saved with the parameters, not trained, such as the running mean of a layer;
/// * `#[config]`: neither, of any type, such as a probability. On a variant of an enum it marks all of its fields;
/// * `#[param]`: a bare number that is trained. A bare number without a mark is an error.
///
/// `new(seeds)` fills the fields in order: by `#[init(expr)]`, which may name `seeds`, else by the `new(seeds)` of the
/// field's type; in a box, an array or a tuple, of each part. `#[init(repeat(n))]` fills a `Vec` with `n` parts,
/// `#[init(repeat(n, expr))]` by an expression. `#[module(depth: usize)]` gives `new` further parameters, which
/// the expressions name. `#[module(no_new)]` leaves the constructor to you, and it is left out by itself where a tensor or
/// an option has no `#[init(..)]` and no other field has one.
///
/// `#[torch(..)]` says how PyTorch stores a field, by methods of `nn::TorchForm`: `#[torch(transposed(1))]`. `nn::torch`
/// reads and writes weights accordingly.
///
/// Methods in a `#[differentiable]` block of a module have gradients by `self` alone; `#[wrt]` on a parameter adds it. A
/// module that is generic over one `T: Float` has `cast::<U>()`.
///
/// ```ignore
/// use differentiable::prelude::*;
///
/// #[module(depth: usize)]
/// struct Net {
///     #[init(repeat(depth))]
///     hidden: Vec<Linear<8, 8>>,
///     #[init(Tensor::ones())]
///     scale: Tensor![8],
///     #[config]
///     #[init(0.1)]
///     slope: f32,
/// }
/// let net = Net::new(&mut Seeds::new(0), 2);
/// assert_eq!(net.param_names().last().unwrap(), "scale");
/// assert_eq!(net.num_params(), 2 * (64 + 8) + 8);
/// ```
#[proc_macro_attribute]
pub fn module(attr: TokenStream, item: TokenStream) -> TokenStream {
    module::expand(attr.into(), made_visible(item.into())).into()
}

/// Makes a struct the row of a data set that is trained on in batches: beside `Digit` there is then `DigitBatch`, with a
/// tensor for each field and the batch as its first axis, and `Digit` implements `data::Collate`.
///
/// | field of the row | of the batch |
/// |---|---|
/// | `x: Tensor![3, 4]`, of any element type | `x: Tensor![Batch, 3, 4]` |
/// | `x: f32`, `x: f64` | `x: Tensor![Batch]`, `x: Tensor![f64; Batch]` |
/// | `y: i64`, or another integer | `y: Tensor![i64; Batch]` |
/// | `ok: bool` | `ok: Tensor![bool; Batch]` |
/// | `#[pad(Time, 0)] ids: Vec<i64>` | `ids: Tensor![i64; Batch, Time]`, `ids_lengths: Tensor![i64; Batch]` |
///
/// A `Vec` of `f32`, `f64`, `u8`, `u32` or `bool` is padded likewise. Names are looked up where the struct is: the dimension
/// of the batch is `Batch`, and `#[batch(Rows)]` names another.
///
/// The batch is `Clone`, `Debug` and `Differentiable`, so a module can implement `train::Objective<DigitBatch>`. The row gets no
/// derives: a `Vec` of rows is a data set if they are `Clone`.
///
/// ```ignore
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[batch]
/// #[derive(Clone)]
/// struct Digit {
///     x: Tensor![64],
///     y: i64,
/// }
/// let rows = vec![Digit { x: Tensor::zeros(), y: 3 }; 10];
/// for batch in Loader::new(&rows, 4).epoch(0) {
///     let (x, y): (&Tensor![Batch, 64], &Tensor![i64; Batch]) = (&batch.x, &batch.y);
/// }
/// ```
#[proc_macro_attribute]
pub fn batch(attr: TokenStream, item: TokenStream) -> TokenStream {
    derive::batch::expand(attr.into(), made_visible(item.into())).into()
}

/// Implements `Module` (named parameters) for a struct of layers and tensors.
#[proc_macro_derive(Module, attributes(constant, buffer, config, torch))]
pub fn derive_module(input: TokenStream) -> TokenStream {
    derive::module::expand(made_visible(input.into())).into()
}

/// Products and sums of one, two or three tensors, with a letter for each axis, as in NumPy.
///
/// `einsum!("bij,bjk->bik", &a, &b)` multiplies what has equal letters and sums over the letters that are
/// not in the result. The shape of the result follows from those of the operands; a letter that stands
/// for two different dimensions is a compile error. The axes of the result are always written out.
///
/// | | |
/// |---|---|
/// | `einsum!("ij,jk->ik", &a, &b)` | a product of matrices |
/// | `einsum!("bhqd,bhkd->bhqk", &q, &k)` | of batches of matrices, the second one transposed |
/// | `einsum!("i,j->ij", &a, &b)` | an outer product |
/// | `einsum!("ii->", &a)` | a trace |
/// | `einsum!("bii->bi", &a)` | the diagonals of a batch |
/// | `einsum!("ij->j", &a)` | a sum over the first axis |
/// | `einsum!("bi,ijk,bk->bj", &x, &w, &y)` | a bilinear form |
///
/// In a `#[differentiable]` function it has a derivative with respect to each operand. Where a product of
/// matrices computes the result, one product of matrices does.
///
/// # Panics
/// If run-time dimensions of one name have different sizes.
#[proc_macro]
pub fn einsum(input: TokenStream) -> TokenStream {
    calls::einsum::expand(made_visible(input.into())).into()
}

/// A function of one example for each example of a batch.
///
/// `vmap!(|x, y| loss(&w, x, y), &xs, &ys)` takes the examples of batches in step: of a tensor those along its
/// first axis, of a slice, an array or a `Vec` its entries. The parameters are references to them. The results
/// are joined: along the dimension of the tensors, which all batches must have (another is a compile error),
/// numbers to a tensor of rank 1, tensors to one of a rank more, tuples to a tuple; where the batches are slices,
/// anything to a `Vec`.
///
/// ```ignore
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[differentiable]
/// fn loss(w: &Tensor![f64; 3], x: &Tensor![f64; 3], y: f64) -> f64 {
///     let error = w.dot(x).item() - y;
///     error * error
/// }
///
/// let w = tensor([1.0, 2.0, 3.0]);
/// let xs = Tensor::<shape![Batch, 3], f64>::ones_with((Batch(5), Sz));
/// let ys = Tensor::<shape![Batch], f64>::zeros_with((Batch(5),));
/// // One loss for each example, and one gradient.
/// let losses: Tensor![f64; Batch] = vmap!(|x, y| loss(&w, x, y.item()), &xs, &ys);
/// let gradients: Tensor![f64; Batch, 3] = vmap!(|x, y| loss::grad(&w, x, y.item()).0, &xs, &ys);
/// assert_eq!(losses.to_vec(), [36.0; 5]);
/// assert_eq!(gradients.to_vec(), [12.0; 15]);
/// ```
///
/// In a `#[differentiable]` function it has a derivative with respect to the batches and to all that the closure
/// captures.
///
/// # All examples at once
/// `vmap!` computes one example after the other. With `#[batched]` before the closure, the closure runs once, and each operation
/// computes all examples. This form takes up to four batches, which are tensors, and its results are tensors. The device of the tensors
/// is known at run time, as it is by default. The closure cannot read a number of one example, so a loss is a `Tensor![f64;]` here:
///
/// ```ignore
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[differentiable]
/// fn loss(w: &Tensor![f64; 3], x: &Tensor![f64; 3], y: &Tensor![f64;]) -> Tensor![f64;] {
///     (w.dot(x) - y).square()
/// }
///
/// let w = tensor([1.0, 2.0, 3.0]);
/// let xs = Tensor::<shape![Batch, 3], f64>::ones_with((Batch(5), Sz));
/// let ys = Tensor::<shape![Batch], f64>::zeros_with((Batch(5),));
/// let gradients: Tensor![f64; Batch, 3] = vmap!(#[batched] |x, y| loss::grad(&w, x, y).0, &xs, &ys);
/// assert_eq!(gradients.to_vec(), [12.0; 15]);
/// ```
///
/// A product with a captured matrix becomes one product for the whole batch. Where no kernel takes several examples, as for
/// convolutions and factorisations, the operation takes one after the other. Random numbers drawn in the closure are the same for
/// all examples. Inside another `#[batched]` call, a call takes its examples one after the other.
///
/// # Panics
/// - If the batches have different numbers of examples.
/// - If there are no examples and the results are tensors, without `#[batched]`.
/// - With `#[batched]`, if the closure reads a number of an example, as `item()` does, or if the derivative of a number is wanted that it
///   reads from a captured tensor.
#[proc_macro]
pub fn vmap(input: TokenStream) -> TokenStream {
    calls::vmap::expand(made_visible(input.into())).into()
}
