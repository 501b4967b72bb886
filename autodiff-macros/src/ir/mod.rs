//! The intermediate representation: A-normal form with structured control flow.
//!
//! Every operation has places, literals or inactive expressions as operands; every intermediate
//! result has a name. User variables are renamed apart, so that a name means one variable in the
//! whole function. Inactive Rust that the transformation need not understand is kept as [`Native`].

pub mod blocks;
pub mod callee;
pub mod checkpoint;
pub mod flow;
mod halves;
pub mod needs;
mod queries;
pub mod region;

pub use crate::ir::checkpoint::{Checkpoint, Schedule};
pub use crate::syntax::definitions::Typed;
pub use crate::syntax::ty::Ty;
use crate::syntax::{is_macro, segments};
pub use callee::{Callee, Resolve};
pub use flow::{changes, places, sources};
pub use halves::{half, meet, parted};
pub use needs::Needs;
use proc_macro2::{Ident, Span, TokenStream};
pub use queries::{block_active, fields_differ, is_active, is_reference, overlap};
use std::rc::Rc;
use syn::{Expr, Member, Path, Type};

/// Index into [`Func::vars`].
pub type VarId = usize;

/// How a variable holds its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    Value,
    /// A shared reference.
    Ref,
    /// A mutable reference: a parameter.
    Mut,
}

impl Hold {
    pub fn is_reference(self) -> bool {
        self != Hold::Value
    }
}

/// What reads a copy in the reverse pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeptFor {
    /// Loops over its entries.
    Entries,
    /// Pullbacks of calls that borrowed what it is a copy of.
    Calls,
    /// The pullback of a method that may change it: types tell whether it reads it.
    MayChange,
}

/// Where a variable is in the control flow: its chain of enclosing scopes, outermost first.
pub type Scope = Vec<ScopeId>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeId {
    pub id: usize,
    pub is_loop: bool,
}

/// A point in program order.
#[derive(Clone, Debug)]
pub struct Point {
    pub pos: usize,
    pub scope: Scope,
}

#[derive(Clone, Debug)]
pub struct Var {
    /// Unique in the function.
    pub name: Ident,
    pub ty: Ty,
    pub hold: Hold,
    pub mutable: bool,
    /// The type that its `let` says, where the call that makes it may be inferred from that.
    pub written: Option<Box<Type>>,
    /// Its type, where its definition in the file may tell those of its parts.
    pub whole: Option<Typed>,
    /// Those of the parts of the environment of a closure.
    pub parts: Vec<Option<Typed>>,
    /// Made by a function so small that to run it again costs less than to keep what its reverse reads.
    pub small: bool,
    /// Made by an operator of a type of the file, whose pullback gets the operands again.
    pub own_operator: bool,
    /// Index of the parameter it is.
    pub param: Option<usize>,
    /// The variable of a `for` loop, which the reverse loop has too.
    pub counter: bool,
    /// Gets its value later.
    pub late: bool,
    /// Its length, or the variant of a part, may change: its witness is taken at the end of its
    /// block.
    pub grows: bool,
    /// Why it is kept, if it is a copy that the reverse pass alone reads.
    pub kept_for: Option<KeptFor>,
    /// What a variable was before it gets its next value, taken from it there.
    pub moved: bool,
    /// Nothing names it after the statement that is emitted, or after the one around it.
    pub dies: bool,
    /// Assigned as a whole: its witness changes with its value.
    pub reassigned: bool,
    /// An alias that emitted code never declares: its place is written in its stead.
    pub by_name: bool,
    /// Bound by the pattern of an inactive value.
    pub natively_bound: bool,
    /// Read-only alias of a place: `let row = &x[a..b];`
    pub alias: Option<Place>,
    /// The places that its derivative comes from: if they are constant, it is.
    pub made_of: Vec<Place>,
    /// It is the value of the one place that it is made of.
    pub copy: bool,
    pub defined: Point,
    /// Later writes.
    pub writes: Vec<Point>,
    /// May depend on an active parameter, by the first, syntactic, analysis.
    pub maybe_active: bool,
    /// Depends on an active parameter and reaches the output.
    pub active: bool,
}

impl Var {
    /// Whether it is one value from its definition on.
    pub fn is_plain(&self) -> bool {
        self.writes.is_empty() && self.alias.is_none() && !self.grows && !self.late
    }
    /// Whether its `let` says `mut`. A closure may change what it captures where it is called.
    pub fn is_declared_mut(&self, rhs: &Rhs) -> bool {
        let closure = matches!(rhs, Rhs::Native(n) if matches!(n.expr, Expr::Closure(_)));
        self.mutable && (closure || !self.writes.is_empty())
    }
    /// A variable of which nothing else is known yet.
    pub fn new(name: Ident, ty: Ty, hold: Hold, mutable: bool, defined: Point) -> Self {
        Var {
            name,
            ty,
            hold,
            mutable,
            written: None,
            whole: None,
            parts: Vec::new(),
            small: false,
            own_operator: false,
            param: None,
            counter: false,
            late: false,
            grows: false,
            kept_for: None,
            moved: false,
            dies: false,
            reassigned: false,
            by_name: false,
            natively_bound: false,
            alias: None,
            made_of: Vec::new(),
            copy: false,
            defined,
            writes: Vec::new(),
            maybe_active: false,
            active: false,
        }
    }
}

/// Inactive Rust, kept as written but for renamed variables.
#[derive(Clone, Debug)]
pub struct Native {
    pub expr: Expr,
    pub uses: Vec<VarId>,
    /// Only literals, arithmetic, fields, indices and lengths: can be evaluated again.
    pub cheap: bool,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub root: VarId,
    pub projections: Vec<Projection>,
    pub ty: Ty,
    pub span: Span,
    /// The entry of a copy of the array that still has its value when the array has changed: see `passes/settle/arrays`.
    pub kept: Option<Box<Place>>,
}

#[derive(Clone, Debug)]
pub enum Projection {
    Field(Member),
    Index(Native),
    /// `[a..b]`
    Range(Native),
    /// `[(i, j)]` by an operator that may be the user's.
    Spot(Box<Spotted>),
    /// A field of a variant, which the value is known to have.
    Variant(Path, Member),
    /// What is in a box: `*b`.
    Deref,
}

impl Projection {
    /// Whether it is an entry or a range of a sequence.
    pub fn is_indexed(&self) -> bool {
        match self {
            Projection::Index(n) => !matches!(n.expr, Expr::Tuple(_)),
            Projection::Range(_) => true,
            _ => false,
        }
    }
}

/// An index, and where in the value the part is that it gives.
#[derive(Clone, Debug)]
pub struct Spotted {
    pub index: Native,
    /// The variable that was found in the forward pass.
    pub spot: Native,
}

#[derive(Clone, Debug)]
pub enum Operand {
    /// Reads a place; `by_ref` when the user wrote `&place`.
    Place { place: Place, by_ref: bool },
    /// An inactive expression.
    Native(Native),
}

/// How a by-reference argument is lent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lend {
    Shared,
    /// `&mut place`
    Mut,
    /// The name of a mutable reference, or the receiver of a method: it may be lent either way. It
    /// counts as written, and a copy from before is there in case that it is not.
    Maybe,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Arg {
    pub operand: Operand,
    pub lend: Lend,
    /// A copy of the place made before the call, where the place changes later.
    pub snapshot: Option<VarId>,
    /// The code of a function, whose environment the operand is.
    pub code: Option<Rc<Passed>>,
    /// A constant that the call may change, beside an active value.
    pub unfollowed: bool,
    /// One of several halves that the call gets at once.
    pub parted: bool,
}

/// The code of a function that is passed on.
#[derive(Clone, Debug)]
pub enum Passed {
    /// A parameter of this function.
    Parameter,
    /// A function with a name.
    Item(Path),
    /// A closure, taken apart: its first parameter is the environment, all are by reference.
    Closure(Box<Lambda>),
}

/// A closure that is passed on.
#[derive(Clone, Debug)]
pub struct Lambda {
    pub func: Func,
    /// What its reverse pass reads.
    pub needs: Needs,
}

#[derive(Clone, Debug)]
pub enum Rhs {
    /// `let v = place;`
    Copy(Operand),
    /// `let v = &place;`
    Borrow(Place),
    /// `let v = place.to_owned();`: what a by-reference argument was before it changes.
    Snapshot(Place),
    /// An operation of the table in `prims`.
    Op(crate::knowledge::numbers::Op, Vec<Operand>),
    /// `x.powi(n)`
    Powi(Operand, Native),
    Cast(Operand, Type),
    Call {
        path: Path,
        args: Vec<Arg>,
    },
    Method {
        receiver: Arg,
        name: Ident,
        turbofish: Option<TokenStream>,
        args: Vec<Arg>,
    },
    Tuple(Vec<Operand>),
    Array(Vec<Operand>),
    /// `[x; n]` or `vec![x; n]`
    Repeat {
        value: Operand,
        len: Native,
        vec: bool,
    },
    VecList(Vec<Operand>),
    /// `P { a, b, ..base }`, `P(a, b)`, `Shape::Circle(r)`
    Struct(Literal),
    Native(Native),
    /// Takes the value of a late variable.
    GetLate(VarId),
    /// The witness of a place.
    Witness(Place),
    /// `vec.pop()`
    Pop(Place),
}

/// A value of a struct or of a variant, written out.
#[derive(Clone, Debug)]
pub struct Literal {
    pub path: Path,
    /// In parentheses.
    pub tuple: bool,
    pub fields: Vec<(Member, Operand)>,
    /// `..base`
    pub base: Option<Operand>,
    /// For each field, the witness of what the base has there: it may have another shape.
    pub replaced: Vec<VarId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AccumOp {
    Add,
    Sub,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub scope: Scope,
    pub stmts: Vec<Stmt>,
    pub result: Option<Operand>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub point: Point,
    pub span: Span,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // short-lived and few
pub enum StmtKind {
    /// `let v = rhs;`
    Def(VarId, Rhs),
    /// `place = value;`, and the witness of what was there, where its type does not tell.
    Assign(Place, Operand, Option<VarId>),
    /// `place += value;` or `place -= value;`
    Accum(AccumOp, Place, Operand),
    /// `let out = if … { … } else { … };` or `let out = match … { … };`
    Branch {
        head: Head,
        arms: Vec<Arm>,
        out: Option<VarId>,
        id: usize,
    },
    For {
        var: VarId,
        range: Native,
        reversed: bool,
        body: Block,
        /// Holds after the trip that is the last.
        exit: Option<Native>,
        /// `#[checkpoint]`
        checkpoint: Option<Box<Checkpoint>>,
        id: usize,
    },
    /// `while cond { body }`
    While {
        cond: Native,
        body: Block,
        /// `#[checkpoint]`
        checkpoint: Option<Box<Checkpoint>>,
        id: usize,
    },
    /// `vec.push(value);`
    Push(Place, Operand),
    /// `let v;`: a variable that gets its value later, at most once before it is read.
    Late(VarId, Option<Box<Type>>),
    /// The value of a late variable.
    SetLate(VarId, Operand),
    /// Inactive statement.
    Native(TokenStream),
}

/// What decides between the arms of a branch.
#[derive(Clone, Debug)]
pub enum Head {
    /// `if`, and the `else if`s of a long chain: conditions, of which there is one less than arms.
    If(Vec<Native>),
    /// Each arm has a pattern.
    Match(Native),
}

/// One alternative of a branch.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Pattern and guard of a `match` arm.
    pub pattern: TokenStream,
    pub block: Block,
}

/// A parameter as declared.
#[derive(Clone, Debug)]
pub struct Param {
    pub var: VarId,
    pub by_ref: bool,
    /// A mutable reference: what it leads to is a result too.
    pub by_mut: bool,
    /// Element type of a `&[T]` parameter.
    pub slice_of: Option<Type>,
    /// Has no gradient: discrete type, `#[constant]`, or left out of `wrt`.
    pub constant: bool,
    pub is_self: bool,
    /// Taken by value in the source, and lent in what is emitted: the parameter of a closure.
    pub lent: bool,
    /// What a mutable reference leads to in the end is copied, for the reverse pass to read: see `passes/settle/arrays`.
    pub copied: bool,
}

#[derive(Clone, Debug)]
pub struct Func {
    pub params: Vec<Param>,
    pub vars: Vec<Var>,
    pub body: Block,
    /// Elementwise operations that have become one: calls name them.
    pub regions: Vec<crate::ir::region::Region>,
    /// For the report: operations on tensors that are in none of them.
    pub apart: Vec<crate::ir::region::Apart>,
    /// Active variables that are inside one of them now.
    pub interior: Vec<VarId>,
    /// Operands of these that other code reads before the region stands: such code must not move them.
    pub lent: Vec<VarId>,
}

impl Head {
    /// What is looked at.
    pub fn natives(&self) -> &[Native] {
        match self {
            Head::If(conds) => conds,
            Head::Match(value) => std::slice::from_ref(value),
        }
    }
}

impl Literal {
    /// The field of the literal's cotangent or tangent.
    pub fn field(&self, member: &Member) -> Projection {
        let segments = segments(&self.path);
        let upper = |s: &String| s.starts_with(char::is_uppercase);
        // `Circle(r)` may be a variant that was imported: a struct has the same methods.
        let variant = match segments.as_slice() {
            [name] => self.tuple && name != "Self",
            [.., owner, _] => upper(owner),
            [] => false,
        };
        if variant {
            Projection::Variant(self.path.clone(), member.clone())
        } else {
            Projection::Field(member.clone())
        }
    }
}

impl Rhs {
    /// The arguments of a call, its receiver first.
    pub fn arguments(&self) -> Vec<&Arg> {
        match self {
            Rhs::Call { args, .. } => args.iter().collect(),
            Rhs::Method { receiver, args, .. } => std::iter::once(receiver).chain(args).collect(),
            _ => Vec::new(),
        }
    }

    pub fn arguments_mut(&mut self) -> Vec<&mut Arg> {
        match self {
            Rhs::Call { args, .. } => args.iter_mut().collect(),
            Rhs::Method { receiver, args, .. } => std::iter::once(receiver).chain(args).collect(),
            _ => Vec::new(),
        }
    }
}

impl Operand {
    /// Stands for the value of an assignment that was made by code that is kept as written.
    pub fn unchanged() -> Self {
        Operand::Native(Native {
            expr: syn::parse_quote!(__unchanged),
            uses: Vec::new(),
            cheap: true,
            ty: Ty::Unknown,
        })
    }
    pub fn is_unchanged(&self) -> bool {
        matches!(self, Operand::Native(n) if matches!(&n.expr, Expr::Path(p) if p.path.is_ident("__unchanged")))
    }
    /// Whether it is a panic, whose type is every type.
    pub fn diverges(&self) -> bool {
        let Operand::Native(n) = self else {
            return false;
        };
        let Expr::Macro(m) = &n.expr else {
            return false;
        };
        is_macro(&m.mac, &["panic", "unreachable", "todo", "unimplemented"])
    }
    pub fn place(&self) -> Option<&Place> {
        match self {
            Operand::Place { place, .. } => Some(place),
            Operand::Native(_) => None,
        }
    }
    pub fn ty(&self) -> Ty {
        match self {
            Operand::Place { place, .. } => place.ty.clone(),
            Operand::Native(n) => n.ty.clone(),
        }
    }
}

impl Arg {
    pub fn shared(operand: Operand) -> Self {
        Arg {
            operand,
            lend: Lend::Shared,
            snapshot: None,
            code: None,
            unfollowed: false,
            parted: false,
        }
    }
    /// Whether it is a function.
    pub fn is_function(&self) -> bool {
        self.code.is_some()
    }
    /// The place that a call may change.
    pub fn changed(&self) -> Option<&Place> {
        self.operand.place().filter(|_| self.lend != Lend::Shared)
    }
}

impl Place {
    /// All of a variable.
    pub fn whole(root: VarId, ty: Ty, span: Span) -> Self {
        Place {
            root,
            projections: Vec::new(),
            ty,
            span,
            kept: None,
        }
    }
    /// Where its value is, in the reverse pass too.
    pub fn value(&self) -> &Place {
        self.kept.as_deref().unwrap_or(self)
    }
    pub fn is_var(&self) -> bool {
        self.projections.is_empty()
    }
    /// The place that its first projections lead to.
    pub fn up_to(&self, n: usize) -> Place {
        Place {
            projections: self.projections[..n].to_vec(),
            kept: None,
            ..self.clone()
        }
    }
    /// The fields that it begins with.
    pub fn fields(&self) -> &[Projection] {
        let field = |p: &&Projection| matches!(p, Projection::Field(_));
        &self.projections[..self.projections.iter().take_while(field).count()]
    }
    /// Whether it is in a field of a struct or of a variant, which may be constant: only types tell.
    pub fn may_be_constant(&self) -> bool {
        let field = |p: &Projection| matches!(p, Projection::Field(_) | Projection::Variant(..));
        self.projections.iter().any(field)
    }
    /// Whether it is in a field of a variant.
    pub fn is_in_variant(&self) -> bool {
        let variant = |p: &Projection| matches!(p, Projection::Variant(..));
        self.projections.iter().any(variant)
    }
    /// Variables that the indices read.
    pub fn index_uses(&self) -> impl Iterator<Item = VarId> + '_ {
        self.projections.iter().flat_map(|p| match p {
            Projection::Index(n) | Projection::Range(n) => n.uses.clone(),
            Projection::Spot(s) => [&s.index.uses[..], &s.spot.uses].concat(),
            _ => Vec::new(),
        })
    }
}
