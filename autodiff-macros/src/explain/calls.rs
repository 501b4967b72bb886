//! The part of the report about what the function calls.

use super::*;

/// A call, where its pullback is kept, whether in a box, and more lines about it.
type Call = (String, String, bool, Vec<String>);

impl Report<'_> {
    pub(super) fn calls(&mut self) {
        let mut found = Vec::new();
        self.find_calls(&self.f.body, "in the pullback", &mut found);
        if found.is_empty() {
            return;
        }
        self.line(0, "\n## Calls with a derivative\n");
        for (call, place, boxed, second) in found {
            let how = if boxed { ", in a box" } else { "" };
            self.line(0, &format!("- `{call}`: its pullback is kept {place}{how}"));
            for line in second {
                self.line(1, &line);
            }
        }
    }

    fn find_calls(&self, b: &Block, place: &str, out: &mut Vec<Call>) {
        for s in b.stmts.iter().filter(|s| is_active(s, &self.f.vars)) {
            match &s.kind {
                StmtKind::Def(v, rhs) if called(rhs).is_some() && self.region(rhs).is_none() => {
                    let call = self.tokens(self.code().forward(rhs, s.span));
                    let second = self.second(*v, rhs);
                    out.push((call, place.to_string(), self.is_own(rhs), second));
                }
                StmtKind::Branch { arms, id, .. } => {
                    let place = format!("with branch {id}, {place}");
                    for a in arms {
                        self.find_calls(&a.block, &place, out);
                    }
                }
                StmtKind::For { body, id, .. } | StmtKind::While { body, id, .. } => {
                    let place = format!("for each trip of loop {id}");
                    self.find_calls(body, &place, out);
                }
                _ => {}
            }
        }
    }

    /// What is said of arguments whose cotangents the call gets twice.
    fn second(&self, v: VarId, rhs: &Rhs) -> Vec<String> {
        let all = self.x.vjp.second_accumulators(v, rhs).into_iter();
        all.map(|(place, once)| {
            let place = self.tokens(place);
            let when = match once {
                true => "once",
                false => "in each call",
            };
            format!(
                "- `{place}` is lent twice: the second time gets an accumulator of its own, as large as it is, {when}; a function that \
                 takes only the parts it reads needs none"
            )
        })
        .collect()
    }

    // ---- text ------------------------------------------------------------------------------
}

/// The name of what is called.
pub(super) fn called(rhs: &Rhs) -> Option<String> {
    match rhs {
        Rhs::Call { path, .. } => path.segments.last().map(|s| s.ident.to_string()),
        Rhs::Method { name, .. } => Some(name.to_string()),
        _ => None,
    }
}
