//! The part of the report about fused operations.

use super::*;
use crate::ir::region::Region;

impl Report<'_> {
    pub(super) fn regions(&mut self) {
        let mut found = Vec::new();
        self.find_regions(&self.f.body, &mut found);
        if !found.is_empty() {
            self.line(0, "\n## Fused regions\n");
            self.line(0, "Operations that go element by element, in one pass; interior values are in registers, and the reverse pass computes them again.\n");
        }
        for text in found {
            self.line(0, &text);
        }
        self.apart();
    }

    /// What runs alone, one line for each reason.
    fn apart(&mut self) {
        let mut found: Vec<(&str, Vec<String>)> = Vec::new();
        for a in &self.f.apart {
            let operation = format!("`{}`", as_written(&self.tokens(a.operation.clone())));
            match found.iter_mut().find(|(why, _)| *why == a.why) {
                Some((_, operations)) => operations.push(operation),
                None => found.push((&a.why, vec![operation])),
            }
        }
        if found.is_empty() {
            return;
        }
        let lines: Vec<String> = found
            .into_iter()
            .map(|(why, operations)| format!("- {}: {why}", operations.join(", ")))
            .collect();
        self.line(0, "\n## Operations on tensors in no region\n");
        for line in lines {
            self.line(0, &line);
        }
    }

    fn find_regions(&self, b: &Block, out: &mut Vec<String>) {
        for s in b.deep() {
            if let StmtKind::Def(v, rhs) = &s.kind {
                if let Some((region, inputs)) = self.region(rhs) {
                    out.push(self.described(*v, region, &inputs));
                }
            }
        }
    }

    fn described(&self, v: VarId, region: &Region, inputs: &[String]) -> String {
        let name = &self.f.vars[v].name;
        let (formula, reads) = (region.formula(inputs), list(inputs.iter()));
        let active = || {
            inputs
                .iter()
                .zip(&region.active)
                .filter(|(_, a)| **a)
                .map(|(i, _)| i)
        };
        let (writes, reverse) = match region.has_slopes() {
            false => {
                let kept = self.read_again(v, region, inputs);
                let kept = kept.iter().map(|k| format!("{k}, "));
                let place = self
                    .given_up(region, v)
                    .map(|k| format!(" in place of `{}`", inputs[k]));
                (
                    format!("writes `{name}`{}", place.unwrap_or_default()),
                    format!(
                        "reads {}the derivative by `{name}`, writes those by {}",
                        kept.collect::<String>(),
                        list(active())
                    ),
                )
            }
            true => (
                format!("writes `{name}` and its derivatives by {}", list(active())),
                "scales these".to_string(),
            ),
        };
        format!("- `{name} = {formula}`: {} operations\n  - forward: reads {reads}; {writes}\n  - reverse: {reverse}", region.len())
    }

    /// What the pullback of a region reads again of values: they are kept until then.
    pub(super) fn read_again(&self, v: VarId, region: &Region, inputs: &[String]) -> Vec<String> {
        let plan = region.plan();
        let read = inputs.iter().zip(&plan.inputs).filter(|(_, r)| **r);
        let value = plan.value.then(|| format!("`{}`", self.f.vars[v].name));
        read.map(|(i, _)| format!("`{i}`")).chain(value).collect()
    }

    /// The operand in whose place the value may be written.
    pub(super) fn given_up(&self, region: &Region, v: VarId) -> Option<usize> {
        let Some(Rhs::Call { args, .. }) = self.guess.defs.get(&v) else {
            return None;
        };
        let kept = region.plan().inputs;
        (0..args.len()).find(|k| {
            let place = args[*k].operand.place().filter(|_| !kept[*k]);
            region.total.is_none()
                && region.last_use[*k]
                && place.is_some_and(|p| !self.x.vjp.needs.values.contains(&p.root))
        })
    }

    /// The region that a definition calls, and the names of its inputs.
    pub(super) fn region(&self, rhs: &Rhs) -> Option<(&Region, Vec<String>)> {
        let Rhs::Call { path, args } = rhs else {
            return None;
        };
        let region = self.f.region_of(path)?;
        let inputs = args.iter().map(|a| match &a.operand {
            Operand::Place { place, .. } => self.tokens(self.code().place(place)),
            Operand::Native(n) => self.tokens(n.expr.to_token_stream()),
        });
        Some((region, inputs.collect()))
    }
}

/// Without the copies that emitted code takes of variables.
fn as_written(emitted: &str) -> String {
    const COPY: &str = "Clone::clone(&";
    let mut parts = emitted.split(COPY);
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text += &part.replacen(')', "", 1);
    }
    text
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    names
        .map(|n| format!("`{n}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
