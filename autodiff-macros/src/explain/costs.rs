//! The part of the report about what a gradient allocates and copies, with what to write instead.

use super::*;
use quote::quote;

/// Where a statement stands: in which loop, if in any.
type Loop = Option<usize>;

impl Report<'_> {
    pub(super) fn costs(&mut self) {
        let mut found = Vec::new();
        self.find_costs(&self.f.body, None, &mut found);
        found.extend(self.copies_in_the_end());
        found.extend(self.costs_of_calls());
        if found.is_empty() {
            return;
        }
        self.line(0, "\n## Allocated and copied\n");
        for line in found {
            self.line(0, &line);
        }
    }

    /// Where to read what called functions allocate: each is expanded alone, so that this report cannot know.
    fn costs_of_calls(&self) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for s in self.f.body.deep() {
            let StmtKind::Def(v, rhs) = &s.kind else {
                continue;
            };
            // Methods may be those of tensors, which have no report.
            let Rhs::Call { path, .. } = rhs else {
                continue;
            };
            // What the runtime has for `swap` allocates nothing.
            let ours = path.segments.iter().any(|s| s.ident == "__rt");
            let own = ours || self.is_own(rhs);
            if self.f.vars[*v].active && !own && self.region(rhs).is_none() {
                names.extend(path.segments.last().map(|s| format!("`{}`", s.ident)));
            }
        }
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| {
            format!(
                "- Not in this report: what the called functions allocate. Give them `explain` and read theirs: {}.",
                names.join(", ")
            )
        })
    }

    /// Slices that the caller lends, and whose entries the reverse pass reads.
    fn copies_in_the_end(&self) -> Vec<String> {
        let copied = self.x.vjp.copied_in_the_end();
        let line = |name: &Ident| {
            format!(
                "- A copy of `{name}` at the end of each call: the reverse pass reads entries that are written once, and the \
                 caller may change them later. A vector of this function's own would not be copied."
            )
        };
        copied.map(line).collect()
    }

    /// The array that a variable is a copy of, made before a loop.
    fn copied_before_a_loop(&self, v: VarId) -> Option<String> {
        let mut reads = self
            .f
            .body
            .deep()
            .flat_map(|s| s.flow().places().collect::<Vec<_>>());
        let read = reads.find(|p| p.kept.as_ref().is_some_and(|kept| kept.root == v))?;
        Some(self.f.vars[read.root].name.to_string())
    }

    fn find_costs(&self, b: &Block, within: Loop, out: &mut Vec<String>) {
        for s in &b.stmts {
            match &s.kind {
                StmtKind::Def(v, rhs) => out.extend(self.cost(*v, rhs, within)),
                StmtKind::For { body, id, .. } | StmtKind::While { body, id, .. } => {
                    self.find_costs(body, Some(*id), out);
                }
                _ => s
                    .blocks()
                    .into_iter()
                    .for_each(|b| self.find_costs(b, within, out)),
            }
        }
    }

    /// What the definition of a variable costs besides its value, and the way out.
    fn cost(&self, v: VarId, rhs: &Rhs, within: Loop) -> Option<String> {
        let when = match within {
            Some(id) => format!("each trip of loop {id}"),
            None => "each call".to_string(),
        };
        let copy = match self.f.vars[v].active {
            true => None,
            false => self.copied_before_a_loop(v),
        };
        if let Some(array) = copy {
            return Some(format!(
                "- A copy of `{array}`, or of the fields that are read, in {when}: the loops after it read more entries than \
                 `{array}` has, and `{array}` changes later. To keep each entry that is read would take more."
            ));
        }
        if let Rhs::Snapshot(place) = rhs {
            let var = &self.f.vars[v];
            let whole = self.x.vjp.needs.values.contains(&v) && !var.ty.is_float() && !var.moved;
            let place = self.tokens(self.code().place(place));
            if var.kept_for == Some(KeptFor::MayChange) && whole {
                return Some(format!(
                    "- A copy of `{place}` in {when}, if the method that is called on it takes `&self`: `{place}` changes later, \
                     and the pullback of the call reads the old value. A method that takes `&mut self` costs no copy."
                ));
            }
            return whole.then(|| {
                format!(
                    "- A copy of `{place}` in {when}: a call borrows `{place}`, which changes later, and the pullback of the \
                     call reads the old value. With the loop of the called function written here, only the entries that \
                     are read are kept."
                )
            });
        }
        if !self.f.vars[v].active {
            return None;
        }
        if self.is_own(rhs) {
            let call = self.tokens(self.code().forward(rhs, proc_macro2::Span::call_site()));
            return Some(format!(
                "- A box for the pullback of `{call}` in {when}. With `#[checkpoint]` on the function, the pullback keeps \
                 the arguments alone and runs the function again."
            ));
        }
        let id = within?;
        let name = self.taken_by(v);
        self.is_vector(v, rhs).then(|| {
            format!(
                "- A vector for {name} and one for its cotangent in each trip of loop {id}. To save both, compute an entry \
                 where it is used, or write to a vector that was made before the loop."
            )
        })
    }

    /// A vector by the name that the user knows: `collect` is a loop over a vector of ours, which another variable takes.
    fn taken_by(&self, v: VarId) -> String {
        let name = self.f.vars[v].name.to_string();
        if !name.starts_with("__") {
            return format!("`{name}`");
        }
        let whole = |o: &Operand| o.place().is_some_and(|p| p.is_var() && p.root == v);
        let taker = self.f.body.deep().find_map(|s| match &s.kind {
            StmtKind::Def(to, Rhs::Copy(o)) if whole(o) => Some(self.f.vars[*to].name.to_string()),
            StmtKind::Assign(to, o, _) if whole(o) => Some(self.tokens(self.code().place(to))),
            _ => None,
        });
        taker.map_or("what is collected".into(), |name| format!("`{name}`"))
    }

    /// Whether a definition makes a `Vec`, as far as it is written.
    fn is_vector(&self, v: VarId, rhs: &Rhs) -> bool {
        let typed = |t: &syn::Type| matches!(t, syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Vec"));
        match rhs {
            Rhs::Repeat { vec, .. } => *vec,
            Rhs::VecList(_) => true,
            Rhs::Native(n) => {
                let e = &n.expr;
                // The compiler and the tests put spaces in different places.
                let made = quote!(#e).to_string().replace(char::is_whitespace, "");
                made.contains("Vec::with_capacity") || made.contains("Vec::new")
            }
            Rhs::Call { .. } | Rhs::Method { .. } => self.guess.var(v).is_some_and(|t| typed(&t)),
            _ => false,
        }
    }
}
