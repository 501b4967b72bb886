//! Random statements.

use super::{Generator, Looping, Ty};

impl Generator {
    pub fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        if self.construct() {
            return;
        }
        let nested = self.depth < 4;
        match self.random.below(26) {
            0..=3 => self.let_value(),
            4 | 5 => self.shadow(),
            6..=9 => self.assign(),
            10 if nested => self.if_statement(),
            11 if nested => self.if_value(),
            12 if nested => self.for_range(),
            13 if nested => self.for_items(),
            14 if nested => self.for_mutable_items(),
            15 if nested => self.while_loop(),
            16 if nested => self.match_index(),
            17 if nested => self.match_data(),
            18 => self.closure(),
            19 | 20 => self.vector_method(),
            21 => self.take_apart(),
            22 => self.jump(),
            23 if nested => self.labelled_loops(),
            24 if nested => self.block(),
            _ => self.assign(),
        }
    }

    fn let_value(&mut self) {
        let kinds = [
            ("s", Ty::Scalar),
            ("s", Ty::Scalar),
            ("r", Ty::Array),
            ("v", Ty::Vector),
            ("q", Ty::Pair),
            ("p", Ty::Point),
            ("o", Ty::Maybe),
            ("e", Ty::Choice),
        ];
        let (mut base, mut ty) = self.random.pick(&kinds);
        if ty == Ty::Choice && self.constructs.higher_order {
            // The variants of an enum have no other form in derivatives of higher order.
            (base, ty) = ("s", Ty::Scalar);
        }
        let (name, value) = (self.fresh(base), self.value(ty));
        let mutable = !self.random.one_in(4);
        let binding = if mutable { "mut " } else { "" };
        let annotated = matches!(ty, Ty::Vector) || self.random.one_in(3);
        let annotation = if annotated {
            format!(": {}", Self::type_of(ty))
        } else {
            String::new()
        };
        self.line(&format!("let {binding}{name}{annotation} = {value};"));
        self.bind(&name, ty, mutable);
    }

    fn shadow(&mut self) {
        let Some(v) = self.of(Ty::Scalar) else {
            return self.let_value();
        };
        let value = self.scalar(1);
        let mutable = self.random.one_in(2);
        let binding = if mutable { "mut " } else { "" };
        self.line(&format!(
            "let {binding}{} = {} * ({value});",
            v.name, v.name
        ));
        self.bind(&v.name, Ty::Scalar, mutable);
    }

    /// In a loop, what is assigned stays bounded.
    fn bounded(&mut self) -> String {
        let value = self.scalar(2);
        if self.looping == Looping::No {
            return value;
        }
        let method = self.random.pick(&["sin", "tanh", "cos"]);
        format!("({value}).{method}()")
    }

    fn assign(&mut self) {
        let target = self.find(|v| {
            v.mutable
                && matches!(
                    v.ty,
                    Ty::Scalar | Ty::Array | Ty::Vector | Ty::Pair | Ty::Point | Ty::Maybe
                )
        });
        let Some(v) = target else {
            return self.let_value();
        };
        let name = &v.name;
        let place = match v.ty {
            Ty::Scalar => name.clone(),
            Ty::Maybe => {
                let value = self.bounded();
                return self.line(&format!("{name} = Some({value});"));
            }
            Ty::Pair => format!("{name}.{}", self.random.below(2)),
            Ty::Point => format!("{name}.{}", self.random.pick(&["x", "y"])),
            _ => {
                let at = self.position(name, v.ty);
                let at = match v.ty {
                    // rustc refuses `v[i % v.len()] = ..` of a `Vec`.
                    Ty::Vector => {
                        let k = self.fresh("k");
                        self.line(&format!("let {k} = {at};"));
                        self.bind(&k, Ty::Index, false);
                        k
                    }
                    _ => at,
                };
                format!("{name}[{at}]")
            }
        };
        let value = self.bounded();
        let text = match self.random.below(6) {
            0 | 1 => format!("{place} = {value};"),
            2 => format!("{place} += 0.3 * ({value});"),
            3 => format!("{place} -= 0.2 * ({value});"),
            4 => format!("{place} *= 0.8 + 0.1 * ({value});"),
            _ => format!("{place} = 0.6 * {place} + 0.3 * ({value});"),
        };
        self.line(&text);
    }

    /// A few statements in a scope of their own.
    fn body(&mut self) {
        self.scope(|g| {
            for _ in 0..1 + g.random.below(2) {
                g.statement();
            }
            g.assign();
        });
    }

    fn if_statement(&mut self) {
        let condition = self.condition();
        self.open(&format!("if {condition} {{"));
        self.body();
        if self.random.one_in(2) {
            self.close("} else {");
            self.indent += 1;
            self.depth += 1;
            self.body();
        }
        self.close("}");
    }

    fn if_value(&mut self) {
        let (name, condition) = (self.fresh("s"), self.condition());
        self.open(&format!("let {name} = if {condition} {{"));
        let leaves = self.looping != Looping::No && self.random.one_in(4);
        for arm in 0..2 {
            if arm == 1 {
                self.close("} else {");
                self.indent += 1;
                self.depth += 1;
            }
            self.scope(|g| {
                if g.random.one_in(2) {
                    g.statement();
                }
                let value = g.scalar(2);
                g.line(&if arm == 0 && leaves {
                    "continue".to_string()
                } else {
                    value
                });
            });
        }
        self.close("};");
        self.bind(&name, Ty::Scalar, false);
    }

    fn inside_loop(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.looping;
        self.looping = Looping::In(None);
        inner(self);
        self.looping = before;
    }

    fn for_range(&mut self) {
        let i = self.fresh("i");
        let end = match self.of(Ty::Index) {
            Some(v) if self.random.one_in(2) => format!("{} % 4", v.name),
            _ => (1 + self.random.below(3)).to_string(),
        };
        let range = match self.random.below(5) {
            0 => format!("(0..{end}).rev()"),
            1 => format!("1..={end}"),
            2 => "(0..5).step_by(2)".to_string(),
            _ => format!("0..{end}"),
        };
        self.checkpoint();
        self.open(&format!("for {i} in {range} {{"));
        self.inside_loop(|g| {
            g.scope(|g| {
                g.bind(&i, Ty::Index, false);
                g.body();
            })
        });
        self.close("}");
    }

    fn for_items(&mut self) {
        let Some(v) = self.find(|v| matches!(v.ty, Ty::Array | Ty::Vector | Ty::Slice)) else {
            return self.for_range();
        };
        let (i, u, n) = (self.fresh("i"), self.fresh("u"), v.name.clone());
        let (header, ty, indexed) = match self.random.below(5) {
            0 => (format!("for {u} in {n}.iter() {{"), Ty::Reference, false),
            1 => (
                format!("for ({i}, {u}) in {n}.iter().enumerate() {{"),
                Ty::Reference,
                true,
            ),
            2 => (
                format!("for {u} in {n}.iter().copied() {{"),
                Ty::Scalar,
                false,
            ),
            3 => (
                format!("for &{u} in {n}.iter().rev() {{"),
                Ty::Scalar,
                false,
            ),
            _ => (
                format!("for ({i}, {u}) in {n}.iter().skip(1).enumerate() {{"),
                Ty::Reference,
                true,
            ),
        };
        self.open(&header);
        self.inside_loop(|g| {
            g.frozen(&n, |g| {
                g.scope(|g| {
                    if indexed {
                        g.bind(&i, Ty::Index, false);
                    }
                    g.bind(&u, ty, false);
                    g.body();
                })
            })
        });
        self.close("}");
    }

    fn for_mutable_items(&mut self) {
        let Some(v) = self.find(|v| v.mutable && matches!(v.ty, Ty::Array | Ty::Vector)) else {
            return self.for_items();
        };
        let (n, i, u) = (v.name.clone(), self.fresh("i"), self.fresh("u"));
        let indexed = self.random.one_in(2);
        self.open(&if indexed {
            format!("for ({i}, {u}) in {n}.iter_mut().enumerate() {{")
        } else {
            format!("for {u} in {n}.iter_mut() {{")
        });
        self.inside_loop(|g| {
            g.scope(|g| {
                // The sequence is borrowed, also from closures that read it.
                let types: Vec<_> = g.vars.iter().map(|v| v.ty).collect();
                for v in &mut g.vars {
                    if v.name == n || v.ty == Ty::Closure {
                        v.ty = Ty::Hidden;
                    }
                }
                if indexed {
                    g.bind(&i, Ty::Index, false);
                }
                let value = g.scalar(1);
                let text = match g.random.below(3) {
                    0 => format!("*{u} = 0.5 * *{u} + 0.2 * ({value});"),
                    1 => format!("*{u} += 0.3 * ({value}).sin();"),
                    _ => format!("*{u} *= 0.8 + 0.1 * ({value}).sin();"),
                };
                g.line(&text);
                for (v, ty) in g.vars.iter_mut().zip(types) {
                    v.ty = ty;
                }
            })
        });
        self.close("}");
    }

    fn while_loop(&mut self) {
        let (k, limit) = (self.fresh("k"), 1 + self.random.below(4));
        self.line(&format!("let mut {k} = 0;"));
        let endless = self.random.one_in(3);
        let condition = if self.random.one_in(3) {
            format!("{k} < {limit} && ({})", self.condition())
        } else {
            format!("{k} < {limit}")
        };
        self.checkpoint();
        self.open(&if endless {
            "loop {".to_string()
        } else {
            format!("while {condition} {{")
        });
        self.line(&format!("{k} += 1;"));
        if endless {
            self.line(&format!("if {k} > {limit} {{ break; }}"));
        }
        self.inside_loop(|g| {
            g.scope(|g| {
                g.bind(&k, Ty::Index, false);
                g.body();
            })
        });
        self.close("}");
        self.bind(&k, Ty::Index, false);
    }

    fn match_index(&mut self) {
        let (index, name) = (self.index(), self.fresh("s"));
        let as_value = self.random.one_in(2);
        self.open(&if as_value {
            format!("let {name} = match {index} % 4 {{")
        } else {
            format!("match {index} % 4 {{")
        });
        for pattern in ["0", "1 | 2", "_"] {
            self.open(&format!("{pattern} => {{"));
            self.scope(|g| {
                g.statement();
                if as_value {
                    let value = g.scalar(1);
                    g.line(&value);
                }
            });
            self.close("}");
        }
        self.close(if as_value { "};" } else { "}" });
        if as_value {
            self.bind(&name, Ty::Scalar, false);
        }
    }

    fn match_data(&mut self) {
        let (name, u, w) = (self.fresh("s"), self.fresh("u"), self.fresh("w"));
        let choice = self.of(Ty::Choice);
        let maybe = self.of(Ty::Maybe);
        match (choice, maybe) {
            (Some(v), _) => {
                self.open(&format!("let {name} = match {} {{", v.name));
                for (pattern, bound) in [
                    (format!("Choice::Line {{ at: {u} }}"), vec![&u]),
                    (format!("Choice::Plane({u}, {w})"), vec![&u, &w]),
                    ("Choice::Nothing".to_string(), vec![]),
                ] {
                    let value = self.scope(|g| {
                        for b in bound {
                            g.bind(b, Ty::Scalar, false);
                        }
                        g.scalar(2)
                    });
                    self.line(&format!("{pattern} => {value},"));
                }
                self.close("};");
                self.bind(&name, Ty::Scalar, false);
            }
            (None, Some(v)) if self.random.one_in(2) => {
                self.open(&format!("if let Some({u}) = {} {{", v.name));
                self.scope(|g| {
                    g.bind(&u, Ty::Scalar, false);
                    g.assign();
                    g.body();
                });
                self.close("}");
            }
            (None, Some(v)) => {
                let some = self.scope(|g| {
                    g.bind(&u, Ty::Scalar, false);
                    g.scalar(1)
                });
                let none = self.scalar(1);
                self.line(&format!(
                    "let {name} = match {} {{ Some({u}) => {some}, None => {none} }};",
                    v.name
                ));
                self.bind(&name, Ty::Scalar, false);
            }
            (None, None) => self.let_value(),
        }
    }

    /// A closure over what does not change any more.
    fn closure(&mut self) {
        let (name, u) = (self.fresh("g"), self.fresh("u"));
        let hidden: Vec<_> = self.vars.clone();
        self.vars.retain(|v| !v.mutable && v.ty != Ty::Closure);
        let shadowed: Vec<String> = hidden
            .iter()
            .filter(|v| v.mutable)
            .map(|v| v.name.clone())
            .collect();
        self.vars.retain(|v| !shadowed.contains(&v.name));
        self.bind(&u, Ty::Scalar, false);
        let value = self.scalar(2);
        self.vars = hidden;
        self.line(&format!("let {name} = |{u}: f64| {value};"));
        self.bind(&name, Ty::Closure, false);
    }

    fn vector_method(&mut self) {
        let Some(v) = self.find(|v| v.mutable && v.ty == Ty::Vector) else {
            return self.let_value();
        };
        let n = &v.name;
        let value = self.bounded();
        match self.random.below(7) {
            0 | 1 => self.line(&format!("{n}.push({value});")),
            2 => {
                self.line(&format!("let top = {n}.pop().unwrap();"));
                self.line(&format!("{n}.push(0.5 * top + 0.2 * ({value}));"));
            }
            3 => {
                self.open(&format!("if {n}.len() > 1 && let Some(top) = {n}.pop() {{"));
                self.line(&format!("{n}[0] += 0.1 * top;"));
                self.close("}");
            }
            4 => self.line(&format!("{n}.reverse();")),
            5 => {
                let (i, j) = (self.position(n, Ty::Vector), self.position(n, Ty::Vector));
                self.line(&format!("let (i, j) = ({i}, {j});"));
                self.line(&format!("{n}.swap(i, j);"));
            }
            _ => self.line(&format!("{n} = vec![{value}; 2];")),
        }
    }

    fn take_apart(&mut self) {
        let (a, b) = (self.fresh("s"), self.fresh("s"));
        let tuple = match self.of(Ty::Pair) {
            Some(v) if self.random.one_in(2) => v.name,
            _ => self.value(Ty::Pair),
        };
        let mutable = self.random.one_in(2);
        let binding = if mutable { "mut " } else { "" };
        self.line(&format!("let ({binding}{a}, {binding}{b}) = {tuple};"));
        self.bind(&a, Ty::Scalar, mutable);
        self.bind(&b, Ty::Scalar, mutable);
        if mutable && self.random.one_in(2) {
            self.line(&format!("std::mem::swap(&mut {a}, &mut {b});"));
        }
    }

    /// An early exit that depends on data.
    fn jump(&mut self) {
        let condition = self.condition();
        match self.looping {
            Looping::No => {
                let value = self.value(self.output);
                self.line(&format!("if {condition} {{ return {value}; }}"));
            }
            Looping::In(label) => {
                let jump = match (self.random.below(5), label) {
                    (0, _) => format!("return {};", self.value(self.output)),
                    (1, Some(label)) => format!("break 'l{label};"),
                    (2, Some(label)) => format!("continue 'l{label};"),
                    (1 | 2, _) => "break;".to_string(),
                    _ => "continue;".to_string(),
                };
                self.line(&format!("if {condition} {{ {jump} }}"));
            }
        }
    }

    fn labelled_loops(&mut self) {
        let (i, j) = (self.fresh("i"), self.fresh("i"));
        let label = self.names;
        let before = self.looping;
        self.checkpoint();
        self.open(&format!("'l{label}: for {i} in 0..3 {{"));
        self.scope(|g| {
            g.bind(&i, Ty::Index, false);
            g.looping = Looping::In(Some(label));
            g.assign();
            g.open(&format!("for {j} in 0..2 {{"));
            g.scope(|g| {
                g.bind(&j, Ty::Index, false);
                g.jump();
                g.assign();
            });
            g.close("}");
            g.assign();
        });
        self.looping = before;
        self.close("}");
    }

    fn block(&mut self) {
        let name = self.fresh("s");
        self.open(&format!("let {name} = {{"));
        self.scope(|g| {
            g.statement();
            let value = g.scalar(1);
            g.line(&value);
        });
        self.close("};");
        self.bind(&name, Ty::Scalar, false);
    }
}
