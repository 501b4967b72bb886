//! `#[differentiable(explain)]`: a report of what the macro made of a function.
//!
//! The report is Markdown. It is a constant, `f::explain()`, and with the environment variable
//! `DIFFERENTIABLE_EXPLAIN_DIR` set at compile time also a file.

mod calls;
mod checkpoint;
mod costs;
mod deliver;
mod entries;
mod guess;
mod peak;
mod regions;
mod shapes;
pub mod size;
mod source;

use crate::code::Code;
use crate::emit::vjp::fields::is_room;
use crate::emit::vjp::Vjp;
use crate::input::boxing::Boxing;
use crate::input::options::Options;
use crate::input::signature::ParamDecl;
use crate::ir::is_active;
use crate::ir::*;
use crate::items::FunctionKind;
use crate::knowledge::numbers::Op;
use crate::passes::activity;
use crate::syntax::names::derived;
use calls::called;
pub use deliver::deliver;
use guess::Guess;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use size::Size;
use std::collections::HashMap;
use syn::Signature;

/// An annotated function and what was found out about it.
pub struct Explain<'a> {
    pub vjp: &'a Vjp<'a>,
    pub sig: &'a Signature,
    pub body: &'a syn::Block,
    pub params: &'a [ParamDecl],
    pub options: &'a Options,
    pub kind: FunctionKind,
    /// How the pullback is handed out.
    pub boxing: Boxing,
    /// Whether the forward run finds the slope, and there is no reverse pass.
    pub slope: bool,
}

/// One thing that is kept.
struct Kept {
    what: String,
    size: Size,
}

struct Report<'a> {
    x: &'a Explain<'a>,
    f: &'a Func,
    guess: Guess<'a>,
    /// What the names in a record stand for.
    names: HashMap<String, Name>,
    out: String,
}

#[derive(Clone, Copy)]
enum Name {
    Value(VarId),
    Witness(VarId),
    Pullback(VarId),
    Selection(VarId),
    Operator(VarId),
}

impl Explain<'_> {
    pub fn report(&self) -> String {
        let f = self.vjp.f;
        let mut names = HashMap::new();
        for (v, var) in f.vars.iter().enumerate() {
            for (prefix, name) in [
                ("w_", Name::Witness(v)),
                ("p_", Name::Pullback(v)),
                ("sel_", Name::Selection(v)),
                ("kept_", Name::Operator(v)),
            ] {
                names.insert(derived(prefix, &var.name).to_string(), name);
            }
        }
        // A variable called `p_x` is a variable.
        for (v, var) in f.vars.iter().enumerate() {
            names.insert(var.name.to_string(), Name::Value(v));
        }
        let mut report = Report {
            x: self,
            f,
            guess: Guess::new(f, self.params),
            names,
            out: String::new(),
        };
        report.head();
        report.activity();
        if self.slope {
            report.slope();
            return report.out;
        }
        report.memory();
        report.regions();
        report.peak();
        report.calls();
        report.costs();
        report.out
    }
}

impl Report<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn head(&mut self) {
        let mut sig = self.x.sig.clone();
        sig.generics.where_clause = None;
        let shown = source::signature(&sig);
        self.line(
            0,
            &format!("# `{}`\n\n```rust\n{shown}\n```", self.x.sig.ident),
        );
        let boxing = match self.x.boxing {
            Boxing::Open => return,
            Boxing::Boxed => "The pullback is handed out in a box: one allocation for each call.",
            Boxing::Weighed => "The pullback is handed out in a box, one allocation for each call, if the calls in it and in what it calls are many.",
        };
        self.line(0, &format!("\n{boxing}"));
    }

    // ---- activity --------------------------------------------------------------------------

    fn activity(&mut self) {
        self.line(
            0,
            "\n## Activity\n\n| name | what it is | derivative |\n|---|---|---|",
        );
        let (varied, useful) = (activity::varied(self.f), activity::useful(self.f));
        for (decl, p) in self.x.params.iter().zip(&self.f.params) {
            let name = decl
                .ident
                .as_ref()
                .map_or("self".to_string(), Ident::to_string);
            let why = if decl.discrete {
                "none: a discrete type".into()
            } else if self.x.options.wrt_excludes(&name) {
                "none: left out of `wrt`".into()
            } else if decl.constant {
                "none: `#[constant]`".into()
            } else if p.by_mut {
                "active, and a result: what is behind the reference when the function returns"
                    .into()
            } else if self.f.vars[p.var].active {
                "active".to_string()
            } else {
                "zero: does not reach the result".into()
            };
            self.line(0, &format!("| `{name}` | parameter | {why} |"));
        }
        for (base, closure) in source::bindings(self.x.body) {
            let named = |v: &&Var| {
                let name = v.name.to_string();
                let rest = name.strip_prefix(&base);
                let again = |r: &str| {
                    r.strip_prefix('_')
                        .is_some_and(|k| !k.is_empty() && k.chars().all(|c| c.is_ascii_digit()))
                };
                v.param.is_none() && rest.is_some_and(|r| r.is_empty() || again(r))
            };
            let vars: Vec<(VarId, &Var)> = self
                .f
                .vars
                .iter()
                .enumerate()
                .filter(|(_, v)| named(v))
                .collect();
            let mut lines = Vec::new();
            if closure {
                lines.push(format!(
                    "| `{base}` | closure | written out where it is called |"
                ));
            } else if vars.is_empty() {
                lines.push(format!(
                    "| `{base}` | variable | none: in code that stays as written |"
                ));
            }
            for (v, var) in vars.into_iter().filter(|_| !closure) {
                let what = if var.counter {
                    "loop variable"
                } else {
                    "variable"
                };
                let why = if let Some(p) = &var.alias {
                    let place = self.tokens(self.code().place(p));
                    format!("a name for `{place}`")
                } else if var.active {
                    "active".into()
                } else if self.f.interior.contains(&v) {
                    "active, inside a fused region".into()
                } else if var.ty.is_discrete() {
                    "none: discrete".into()
                } else if !varied[v] {
                    "none: depends on no active parameter".into()
                } else if !useful[v] {
                    "none: does not reach the result".into()
                } else {
                    "none".into()
                };
                lines.push(format!("| `{}` | {what} | {why} |", var.name));
            }
            lines.iter().for_each(|l| self.line(0, l));
        }
    }

    // ---- what is kept ----------------------------------------------------------------------

    fn slope(&mut self) {
        self.line(
            0,
            "\n## Kept for the reverse pass\n\nOne number: the slope. This is a function of one number, so the forward run computes its \
             slope beside its value, in forward mode, and so do the functions that it calls. The pullback multiplies with the \
             slope. There is no tape.",
        );
    }

    fn memory(&mut self) {
        self.line(
            0,
            "\n## Kept for the reverse pass\n\nIn bytes, on a machine with 64 bits; the macro does not know the size of everything.\n",
        );
        self.run_again();
        let mut kept = self.owned_params();
        kept.extend(self.kept(&self.x.vjp.record(&self.f.body)));
        for (v, var) in self.f.vars.iter().enumerate() {
            let top = var.defined.scope.is_empty() && self.x.vjp.bound_natively(v);
            if top && self.x.vjp.needs.values.contains(&v) {
                kept.push(self.value(v));
            }
        }
        let copied = self.f.params.iter().map(|p| p.var);
        let copied = copied.filter(|v| self.x.vjp.is_copied_in_the_end(*v));
        kept.extend(copied.map(|v| self.value(v)));
        let title = "Outside loops, in the pullback".to_string();
        self.section(0, &title, "", &kept, &self.again(&self.f.body));
        let again: Vec<String> = self
            .f
            .params
            .iter()
            .filter(|p| p.by_ref && !p.by_mut && self.x.vjp.needs.values.contains(&p.var))
            .map(|p| match p.is_self {
                true => "`self`".to_string(),
                false => format!("`{}`", self.f.vars[p.var].name),
            })
            .collect();
        if !again.is_empty() {
            let list = again.join(", ");
            self.line(
                1,
                &format!("- borrowed by the caller for the pullback: {list}"),
            );
        }
        self.inner(&self.f.body, 0);
    }

    /// By-value parameters that the reverse pass reads.
    fn owned_params(&self) -> Vec<Kept> {
        let read = |p: &&Param| {
            !p.by_ref && !p.is_self && !p.by_mut && self.x.vjp.needs.values.contains(&p.var)
        };
        let params = self.f.params.iter().filter(read);
        params.map(|p| self.value(p.var)).collect()
    }

    /// Heading, what is kept, what is computed again.
    fn section(&mut self, depth: usize, title: &str, per: &str, kept: &[Kept], again: &[String]) {
        let total = Size::tuple(kept.iter().map(|k| k.size.clone()).collect());
        self.line(depth, &format!("- {title}: **{}**{per}", total));
        for k in kept {
            self.line(depth + 1, &format!("- {}: {}", k.what, k.size.listed()));
        }
        if !again.is_empty() {
            let list = again.join(", ");
            self.line(depth + 1, &format!("- computed again: {list}"));
        }
    }

    /// The branches and loops of a block.
    fn inner(&mut self, b: &Block, depth: usize) {
        for s in b.stmts.iter().filter(|s| is_active(s, &self.f.vars)) {
            if let Some(c) = s.checkpoint() {
                self.checkpointed(s, c, depth);
                continue;
            }
            match &s.kind {
                StmtKind::For {
                    var, body, exit, ..
                } => {
                    let record = self.x.vjp.loop_record(body, exit.as_ref().map(|_| *var));
                    let selects = exit.is_none() && self.x.vjp.selects(body, *var);
                    let per = match selects {
                        true => " a trip that had a part in the result",
                        false => " a trip",
                    };
                    self.looped(&self.loop_title(s), per, &record, body, depth);
                }
                StmtKind::While { body, .. } => {
                    let record = self.x.vjp.record(body);
                    self.looped(&self.loop_title(s), " a trip", &record, body, depth);
                }
                StmtKind::Branch { head, arms, id, .. } => {
                    let value = self.tokens(head.natives()[0].expr.to_token_stream());
                    let word = match head {
                        Head::If(_) => "if",
                        Head::Match(_) => "match",
                    };
                    let kept = match self.x.vjp.is_decided_again(s) {
                        true => "the condition is asked again".to_string(),
                        false => format!("**{}** for the arm that ran", self.branch(arms)),
                    };
                    self.line(depth, &format!("- Branch {id}, `{word} {value}`: {kept}"));
                    for (k, a) in arms.iter().enumerate() {
                        let title = match (head, k) {
                            (Head::If(_), 0) => "then".to_string(),
                            (Head::If(conds), k) => match conds.get(k) {
                                Some(c) => {
                                    format!("else if `{}`", self.tokens(c.expr.to_token_stream()))
                                }
                                None => "else".to_string(),
                            },
                            (Head::Match(_), _) => format!("`{}`", source::pattern(&a.pattern)),
                        };
                        let kept = self.kept(&self.x.vjp.record(&a.block));
                        let again = self.again(&a.block);
                        self.section(depth + 1, &title, "", &kept, &again);
                        self.inner(&a.block, depth + 2);
                    }
                }
                _ => {}
            }
        }
    }

    fn looped(&mut self, title: &str, per: &str, record: &[Ident], body: &Block, depth: usize) {
        let kept = self.kept(record);
        let again = self.again(body);
        self.section(depth, title, per, &kept, &again);
        self.inner(body, depth + 1);
    }

    fn branch(&self, arms: &[Arm]) -> Size {
        let sizes = arms.iter().map(|a| {
            let kept = self.kept(&self.x.vjp.record(&a.block));
            Size::tuple(kept.into_iter().map(|k| k.size).collect())
        });
        Size::of_sides(sizes.collect())
    }

    /// What the names of a record are.
    fn kept(&self, record: &[Ident]) -> Vec<Kept> {
        // There is room for the cotangent of a constant field, which takes next to none.
        let kept = record
            .iter()
            .filter(|name| !is_room(name) && !self.is_nothing(name));
        kept.map(|name| self.entry(name)).collect()
    }

    /// What a block computes again in the reverse pass.
    fn again(&self, b: &Block) -> Vec<String> {
        let again = |s: &Stmt| match &s.kind {
            StmtKind::Def(v, _) if self.x.vjp.needs.rerun.contains(v) => {
                Some(format!("`{}`, with its pullback", self.shown(*v)))
            }
            StmtKind::Def(v, _) if self.x.vjp.needs.again.contains(v) => {
                Some(format!("`{}`", self.shown(*v)))
            }
            _ => None,
        };
        b.stmts.iter().filter_map(again).collect()
    }

    fn code(&self) -> Code<'_> {
        Code {
            f: self.f,
            keep: &|_| false,
        }
    }

    fn tokens(&self, t: TokenStream) -> String {
        source::expression(&match self.x.params.iter().any(ParamDecl::is_self) {
            true => source::with_self(t),
            false => t,
        })
    }

    /// A variable of the user by its name, one of ours with what it stands for.
    fn shown(&self, v: VarId) -> String {
        let name = self.f.vars[v].name.to_string();
        let ours = name.starts_with(['v', 'k']) && name[1..].parse::<usize>().is_ok();
        let copy = self.guess.defs.get(&v).filter(|_| ours);
        match copy {
            Some(rhs) => {
                let value = match self.region(rhs) {
                    Some((region, inputs)) => region.formula(&inputs),
                    None => match rhs {
                        Rhs::Snapshot(p) if self.f.vars[v].moved => {
                            self.tokens(self.code().place(p))
                        }
                        rhs => {
                            self.tokens(self.code().forward(rhs, proc_macro2::Span::call_site()))
                        }
                    },
                };
                format!("{name} = {value}")
            }
            None => name,
        }
    }
}

/// The arms of a branch, by its number.
fn arms_of(b: &Block, branch: usize) -> Option<&[Arm]> {
    b.deep().find_map(|s| match &s.kind {
        StmtKind::Branch { arms, id, .. } if *id == branch => Some(arms.as_slice()),
        _ => None,
    })
}
