//! The part of the report about `#[checkpoint]`: what is kept, and which snapshots there are.

use super::*;

impl Report<'_> {
    /// A loop with `#[checkpoint]`.
    pub(super) fn checkpointed(&mut self, s: &Stmt, c: &Checkpoint, depth: usize) {
        let argument = |name: &str, n: &Native| {
            let n = self.tokens(n.expr.to_token_stream());
            (format!("(`{name} = {n}`)"), n)
        };
        let known = matches!(&s.kind, StmtKind::For { exit: None, .. });
        let rule = match known {
            true => "where the fewest trips run again (binomial)",
            false => {
                "one for each 2ᵐ trips, and in the reverse pass where the fewest trips run again"
            }
        };
        let (how, which) = match &c.schedule {
            Schedule::Every(n) => {
                let (how, n) = argument("every", n);
                (how, format!("one for each {n} trips"))
            }
            Schedule::Balanced => {
                let which = match known {
                    true => "as many as there are trips between two of them",
                    false => "after 1, 2, 3, … more trips",
                };
                (String::new(), which.to_string())
            }
            Schedule::Snapshots(n) => {
                let (how, n) = argument("snapshots", n);
                (how, format!("at most {n}, {rule}"))
            }
            Schedule::Memory(n) => {
                let (how, n) = argument("memory", n);
                (how, format!("as many as {n} bytes hold, {rule}"))
            }
        };
        let state: Vec<Kept> = c.state.iter().map(|v| self.value(*v)).collect();
        let title = format!("{}, with `#[checkpoint]` {how}", self.loop_title(s));
        self.section(depth, title.trim_end(), " a snapshot", &state, &[]);
        self.line(depth + 1, &format!("- snapshots: {which}"));
        for v in &c.entry {
            let before = self.value(*v);
            let line = format!(
                "- as before the loop, once: {}: {}",
                before.what,
                before.size.listed()
            );
            self.line(depth + 1, &line);
        }
        let (record, body) = match &s.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                (self.x.vjp.record(body), body)
            }
            _ => return,
        };
        let title = "On a tape, for the trips that are being reversed";
        self.looped(title, " a trip", &record, body, depth + 1);
    }

    /// What a loop is called.
    pub(super) fn loop_title(&self, s: &Stmt) -> String {
        match &s.kind {
            StmtKind::For {
                var,
                range,
                reversed,
                id,
                ..
            } => {
                let name = &self.f.vars[*var].name;
                let range = self.tokens(range.expr.to_token_stream());
                match reversed {
                    true => format!("Loop {id}, `for {name} in ({range}).rev()`"),
                    false => format!("Loop {id}, `for {name} in {range}`"),
                }
            }
            StmtKind::While { cond, id, .. } => {
                let cond = self.tokens(cond.expr.to_token_stream());
                format!("Loop {id}, `while {cond}`")
            }
            _ => String::new(),
        }
    }

    /// What a function with `#[checkpoint]` keeps.
    pub(super) fn run_again(&mut self) {
        if self.x.options.checkpoint.is_none() {
            return;
        }
        let owned = |p: &&Param| p.by_mut || !p.by_ref && !p.is_self;
        let params = self.f.params.iter().filter(owned);
        let kept: Vec<Kept> = params.map(|p| self.value(p.var)).collect();
        self.section(0, "`#[checkpoint]`, in the pullback", "", &kept, &[]);
        self.line(
            0,
            "\nThe pullback runs the function again. What follows is kept meanwhile.\n",
        );
    }

    /// The entry of a record for a loop with `#[checkpoint]`.
    pub(super) fn snapshots(&self, name: &str) -> Option<Kept> {
        let of = |prefix: &str| {
            let id = name.strip_prefix(prefix)?;
            id.parse::<usize>().ok()
        };
        let (id, what) = match (of("snapshots"), of("entry")) {
            (Some(id), _) => (id, "the snapshots of"),
            (None, Some(id)) => (id, "what is read as before"),
            _ => return None,
        };
        Some(Kept {
            what: format!("{what} loop {id}"),
            size: Size::unknown(format!("{what} loop {id}")),
        })
    }
}
