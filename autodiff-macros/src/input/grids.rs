//! Which collections are places under an index that is an array, `x[[i, j]]`.
//!
//! A tensor cannot be written there, and its cotangent may be the zero that takes no room: reading one is a method. An
//! array of ndarray can, so that its entry is a place as `v[i]` is. The two are told apart by the type of a parameter
//! or of a `let`, and by what is written.

use crate::input::signature::ParamDecl;
use crate::syntax;
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{parse_quote, BinOp, Expr, Pat, Type};

/// What the syntax tells of arrays of other crates in a function.
#[derive(Clone, Default)]
pub struct Grids {
    /// The collections, as they are written: `x`, `self.weights`.
    names: HashSet<String>,
    /// Those of more than one axis, or of none.
    axes: HashSet<String>,
    /// Those whose type is written, of ndarray or nalgebra.
    foreign: HashSet<String>,
    /// Whether the function takes tensors: what it writes by a position may be one, by mistake.
    tensors: bool,
    /// The type of all numbers in the signature.
    float: Option<&'static str>,
}

impl Grids {
    pub fn of(decls: &[ParamDecl], body: &syn::Block, output: &syn::ReturnType) -> Grids {
        let types = || decls.iter().filter_map(|d| d.ty.as_ref());
        let mut floats = Floats::default();
        types().for_each(|ty| floats.visit_type(ty));
        floats.visit_return_type(output);
        let mut grids = Grids {
            names: HashSet::new(),
            axes: HashSet::new(),
            foreign: HashSet::new(),
            tensors: types().any(|ty| names(ty, &|n| n == "Tensor")),
            float: match floats {
                Floats {
                    f32: true,
                    f64: false,
                } => Some("f32"),
                Floats {
                    f32: false,
                    f64: true,
                } => Some("f64"),
                _ => None,
            },
        };
        for d in decls {
            if let (Some(name), Some(ty)) = (&d.ident, d.value_ty()) {
                grids.typed(name, ty);
            }
        }
        grids.visit_block(body);
        grids
    }

    /// Whether `collection[[i, j]]` is a place.
    pub fn contains(&self, collection: &Expr) -> bool {
        self.names.contains(&text(collection))
    }

    /// Whether a collection is one of another crate, whose cotangent is indexed as it is.
    pub fn is_foreign(&self, collection: &Expr) -> bool {
        self.foreign.contains(&text(collection))
    }

    /// Whether a position in a collection is not a number: its entries are then counted by `Nth`.
    pub fn has_axes(&self, collection: &Expr) -> bool {
        self.axes.contains(&text(collection))
    }

    /// `Array2::zeros(..)` with the type of its numbers, which the code that was written finds from how the array is
    /// used later. Of another type of that name nothing is said.
    pub fn constructor(&self, e: &Expr) -> Option<Expr> {
        let Expr::Call(c) = e else { return None };
        let (Expr::Path(f), Some(float)) = (&*c.func, self.float) else {
            return None;
        };
        let owner = f.path.segments.iter().rev().nth(1)?;
        let name = owner.ident.to_string();
        if !owner.arguments.is_empty() || !(is_grid(&name) || is_matrix(&name)) {
            return None;
        }
        let of = quote::format_ident!("of_{float}");
        Some(parse_quote!(::differentiable::__rt::Viewed(#e).#of()))
    }

    /// Code without a derivative that may be a view, made a value of its own: what borrows cannot be kept for the
    /// reverse pass.
    pub fn owned(&self, e: Expr) -> Expr {
        const VIEWS: &[&str] = &["row", "column", "diag", "index_axis", "t", "view", "slice"];
        match e {
            Expr::Reference(mut r) if r.mutability.is_none() => {
                *r.expr = self.owned(*r.expr);
                Expr::Reference(r)
            }
            Expr::Paren(mut p) => {
                *p.expr = self.owned(*p.expr);
                Expr::Paren(p)
            }
            Expr::MethodCall(m) if !self.tensors && VIEWS.iter().any(|v| m.method == v) => {
                parse_quote!(::differentiable::__rt::Viewed(#m).own())
            }
            e => e,
        }
    }
}

/// Which types of numbers are named.
#[derive(Default)]
struct Floats {
    f32: bool,
    f64: bool,
}

impl<'a> Visit<'a> for Floats {
    fn visit_ident(&mut self, i: &'a proc_macro2::Ident) {
        self.f32 |= i == "f32";
        self.f64 |= i == "f64";
    }
}

/// The text of a collection that is indexed.
fn text(e: &Expr) -> String {
    match e {
        Expr::Paren(p) => text(&p.expr),
        Expr::Group(g) => text(&g.expr),
        e => e.to_token_stream().to_string(),
    }
}

/// Whether the outermost name of a type is of that kind.
fn names(ty: &Type, kind: &dyn Fn(&str) -> bool) -> bool {
    match ty {
        Type::Reference(r) => names(&r.elem, kind),
        Type::Paren(p) => names(&p.elem, kind),
        Type::Group(g) => names(&g.elem, kind),
        Type::Path(p) => {
            let last = p.path.segments.last();
            last.is_some_and(|s| kind(&s.ident.to_string()))
        }
        Type::Macro(m) => {
            let last = m.mac.path.segments.last();
            last.is_some_and(|s| kind(&s.ident.to_string()))
        }
        _ => false,
    }
}

/// `Array`, `Array2`, `ArrayD`, `ArrayView2`
fn is_grid(name: &str) -> bool {
    let rest = name.strip_prefix("Array");
    let rest = rest.map(|r| r.strip_prefix("View").unwrap_or(r));
    rest.is_some_and(|r| r.is_empty() || r == "D" || r.parse::<u8>().is_ok())
}

/// A collection of ndarray or nalgebra, whatever its size.
pub fn is_foreign(name: &str) -> bool {
    is_grid(name) || name == "DMatrix" || name == "DVector"
}

/// `Array<f64, Ix1>`
fn mentions_one(ty: &Type) -> bool {
    ty.to_token_stream().to_string().contains("Ix1")
}

/// `DVector`, `DMatrix`, `Vector3`, `Matrix3` of nalgebra.
fn is_matrix(name: &str) -> bool {
    let rest = name
        .strip_prefix("Vector")
        .or_else(|| name.strip_prefix("Matrix"));
    matches!(name, "DVector" | "DMatrix") || rest.is_some_and(|r| r.parse::<u8>().is_ok())
}

impl Grids {
    fn typed(&mut self, name: &proc_macro2::Ident, ty: &Type) {
        if names(ty, &is_foreign) {
            self.foreign.insert(name.to_string());
        }
        if names(ty, &is_grid) && ty.to_token_stream().to_string().contains('<') {
            self.declared(name, names(ty, &|n| n.ends_with('1')) || mentions_one(ty));
        }
    }

    fn declared(&mut self, name: &proc_macro2::Ident, vector: bool) {
        self.names.insert(name.to_string());
        if !vector {
            self.axes.insert(name.to_string());
        }
    }

    fn written(&mut self, place: &Expr) {
        match place {
            Expr::Index(i) if !self.tensors => {
                self.names.insert(text(&i.expr));
            }
            Expr::Paren(p) => self.written(&p.expr),
            Expr::Field(f) => self.written(&f.base),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Grids {
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.written(&a.left);
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
        let writes = matches!(
            b.op,
            BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_)
        );
        if writes {
            self.written(&b.left);
        }
        visit::visit_expr_binary(self, b);
    }
    fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
        if r.mutability.is_some() {
            self.written(&r.expr);
        }
        visit::visit_expr_reference(self, r);
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        if let Pat::Type(t) = &l.pat {
            if let Pat::Ident(p) = &*t.pat {
                self.typed(&p.ident, &t.ty);
            }
        }
        if let (Pat::Ident(p), Some(init)) = (&l.pat, &l.init) {
            if let Expr::Call(c) = &*init.expr {
                if let Expr::Path(f) = &*c.func {
                    let segments = syntax::segments(&f.path);
                    let owner = segments.iter().rev().nth(1);
                    if let Some(owner) = owner.filter(|o| is_grid(o)) {
                        self.foreign.insert(p.ident.to_string());
                        self.declared(&p.ident, owner == "Array1" || owner == "Array");
                    }
                }
            }
        }
        visit::visit_local(self, l);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// `array![[a, b], [c, d]]` of ndarray as a call of the constructor.
pub fn array_macro(m: &syn::Macro) -> Option<Expr> {
    if m.path.segments.last()?.ident != "array" {
        return None;
    }
    let tokens = &m.tokens;
    let list: syn::ExprArray = syn::parse2(quote::quote!([#tokens])).ok()?;
    let mut krate = m.path.clone();
    krate.segments.pop();
    krate.segments.pop_punct();
    if krate.segments.is_empty() {
        krate = parse_quote!(::ndarray);
    }
    let rows = list.elems.iter().map(|e| match e {
        Expr::Array(a) => Some(a),
        _ => None,
    });
    let Some(rows) = rows.collect::<Option<Vec<_>>>().filter(|r| !r.is_empty()) else {
        return Some(parse_quote!(#krate::Array1::from_vec(vec![#tokens])));
    };
    let (height, width) = (rows.len(), rows[0].elems.len());
    let deeper = |e: &Expr| matches!(e, Expr::Array(_));
    if rows
        .iter()
        .any(|r| r.elems.len() != width || r.elems.iter().any(deeper))
    {
        return None;
    }
    let entries = rows.iter().flat_map(|r| &r.elems);
    Some(parse_quote!(
        #krate::Array2::from_shape_vec((#height, #width), vec![#(#entries),*]).unwrap()
    ))
}
