//! Writes a region: its value, its pullback by reverse accumulation over the operations, and its
//! pushforward. All three are straight lines of numbers.
//!
//! The pullback computes what it reads of the interior again, from the operands; or it takes the value,
//! if that lets it do without one of them: `relu(x + b)` keeps neither `x` nor `b`.

mod formula;

use crate::ir::region::{Axis, Node, Region, Total, Value};
use crate::ir::region::{Function, Parameter};
use crate::ir::{Callee, Func};
use crate::knowledge::numbers::{self, Op};
use autodiff_vocabulary::function;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Path;

impl Region {
    /// The region's type and what it computes.
    pub fn item(&self) -> TokenStream {
        let (name, n, active) = (&self.name, self.active.len(), &self.active);
        let cost: usize = self.nodes.iter().map(|n| n.function.cost()).sum();
        let inputs: Vec<Ident> = (0..n).map(|k| format_ident!("x{k}")).collect();
        let values = self.values(|_| true);
        let (last, plan) = (node(self.nodes.len() - 1), self.plan());
        let (pullback, cts) = self.pullback();
        let (reads, reads_value) = (&plan.inputs, plan.value);
        let again = self.values(|i| plan.nodes[i]);
        let result = reads_value.then(|| quote!(let #last = y;));
        let tangents: Vec<Ident> = (0..n).map(|k| format_ident!("t{k}")).collect();
        let pushforward = self.pushforward();
        let trigonometric = self.trigonometric(&values, &inputs);
        quote! {
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy)]
            struct #name;
            #[allow(unused_variables, unused_parens)]
            impl ::differentiable::__rt::Region<#n> for #name {
                const ACTIVE: [bool; #n] = [#(#active),*];
                const READS: [bool; #n] = [#(#reads),*];
                const READS_VALUE: bool = #reads_value;
                const COST: usize = #cost;
                #[inline(always)]
                fn value<T: ::differentiable::device::Real, const NEAR: bool>([#(#inputs),*]: [T; #n]) -> T {
                    #values
                    #last
                }
                #[inline(always)]
                fn pullback<T: ::differentiable::device::Real, const NEAR: bool>([#(#inputs),*]: [T; #n], y: T, ct: T) -> [T; #n] {
                    #again
                    #result
                    #pullback
                    [#(#cts),*]
                }
                #[inline(always)]
                fn pushforward<T: ::differentiable::device::Real, const NEAR: bool>([#(#inputs),*]: [T; #n], [#(#tangents),*]: [T; #n]) -> T {
                    #values
                    #pushforward
                }
                #trigonometric
            }
        }
    }

    /// What tells whether sines, cosines and tangents need their branch.
    fn trigonometric(&self, values: &TokenStream, inputs: &[Ident]) -> TokenStream {
        let far = |n: &Node| {
            let x = n.operand(0);
            quote!(::differentiable::__rt::elementwise::far(#x))
        };
        let trigonometric = self.nodes.iter().filter(|n| n.function.is_trigonometric());
        let far: Vec<TokenStream> = trigonometric.map(far).collect();
        if far.is_empty() {
            return TokenStream::new();
        }
        let n = inputs.len();
        quote! {
            const TURNS: bool = true;
            #[inline(always)]
            fn far<T: ::differentiable::device::Real>([#(#inputs),*]: [T; #n]) -> T {
                const NEAR: bool = true;
                #values
                #(#far)+*
            }
        }
    }

    /// The values of the chosen operations.
    fn values(&self, chosen: impl Fn(usize) -> bool) -> TokenStream {
        let lines = self.nodes.iter().enumerate().filter(|(i, _)| chosen(*i));
        let lines = lines.map(|(i, n)| {
            let (name, value) = (node(i), n.value());
            quote!(let #name = #value;)
        });
        lines.collect()
    }

    /// What the pullback reads.
    pub fn plan(&self) -> Plan {
        let (without, with) = (self.reads(false), self.reads(true));
        let fewer = |a: &Plan, b: &Plan| {
            let count = |p: &Plan| p.inputs.iter().filter(|r| **r).count();
            count(a) < count(b)
        };
        // Of sums along an axis the summed value is not there.
        let value = with.value && self.total.is_none_or(|t| t.axis.is_none());
        match value && fewer(&with, &without) {
            true => with,
            false => without,
        }
    }

    /// The same, where the value of the region is at hand or is not.
    fn reads(&self, value: bool) -> Plan {
        let mut plan = Plan {
            inputs: vec![false; self.active.len()],
            nodes: vec![false; self.nodes.len()],
            value: false,
        };
        let mut wanted = Vec::new();
        for (i, n) in self
            .nodes
            .iter()
            .enumerate()
            .filter(|(i, _)| self.leads(*i))
        {
            for (k, o) in n.operands.iter().enumerate() {
                let followed = match o {
                    Value::Input(k) => self.active[*k],
                    Value::Node(j) => self.leads(*j),
                    Value::Literal(_) => false,
                };
                if followed {
                    wanted.extend(n.pull_reads(k, i));
                }
            }
        }
        while let Some(read) = wanted.pop() {
            match read {
                Value::Input(k) => plan.inputs[k] = true,
                Value::Node(i) if value && i + 1 == self.nodes.len() => plan.value = true,
                Value::Node(i) if !plan.nodes[i] => {
                    plan.nodes[i] = true;
                    wanted.extend(self.nodes[i].operands.iter().cloned());
                }
                _ => {}
            }
        }
        plan
    }

    /// Whether an operation depends on an active input.
    fn leads(&self, node: usize) -> bool {
        self.nodes[node].operands.iter().any(|o| match o {
            Value::Input(k) => self.active[*k],
            Value::Node(i) => self.leads(*i),
            Value::Literal(_) => false,
        })
    }

    /// Statements, and the cotangent of each input.
    fn pullback(&self) -> (TokenStream, Vec<TokenStream>) {
        let mut code = TokenStream::new();
        // The contributions that have come in so far.
        let mut nodes: Vec<Vec<TokenStream>> = vec![Vec::new(); self.nodes.len()];
        let mut inputs: Vec<Vec<TokenStream>> = vec![Vec::new(); self.active.len()];
        nodes[self.nodes.len() - 1].push(quote!(ct));
        for (i, n) in self.nodes.iter().enumerate().rev() {
            if !self.leads(i) {
                continue;
            }
            let (ct, sum) = (format_ident!("d{i}"), sum(&nodes[i]));
            code.extend(quote!(let #ct = #sum;));
            for (k, o) in n.operands.iter().enumerate() {
                let to = match o {
                    Value::Input(k) if self.active[*k] => &mut inputs[*k],
                    Value::Node(j) if self.leads(*j) => &mut nodes[*j],
                    _ => continue,
                };
                to.push(n.pull(k, &node(i), &ct));
            }
        }
        (code, inputs.iter().map(|c| sum(c)).collect())
    }

    fn pushforward(&self) -> TokenStream {
        let mut code = TokenStream::new();
        for (i, n) in self.nodes.iter().enumerate() {
            let terms = n.operands.iter().enumerate().filter_map(|(k, o)| {
                let t = match o {
                    Value::Input(j) => format_ident!("t{j}"),
                    Value::Node(j) => format_ident!("u{j}"),
                    Value::Literal(_) => return None,
                };
                Some(n.pull(k, &node(i), &t))
            });
            let (name, sum) = (format_ident!("u{i}"), sum(&terms.collect::<Vec<_>>()));
            code.extend(quote!(let #name = #sum;));
        }
        let last = format_ident!("u{}", self.nodes.len() - 1);
        quote!(#code #last)
    }
}

/// What a pullback reads: of the inputs, the values of operations it computes again, the region's value.
pub struct Plan {
    pub inputs: Vec<bool>,
    nodes: Vec<bool>,
    pub value: bool,
}

fn node(i: usize) -> Ident {
    format_ident!("v{i}")
}

fn sum(terms: &[TokenStream]) -> TokenStream {
    match terms {
        [] => quote!(T::ZERO),
        [one] => one.clone(),
        many => quote!(#((#many))+*),
    }
}

impl Value {
    fn tokens(&self) -> TokenStream {
        match self {
            Value::Input(k) => {
                let x = format_ident!("x{k}");
                quote!(#x)
            }
            Value::Node(i) => {
                let v = node(*i);
                quote!(#v)
            }
            Value::Literal(x) => quote!(T::lit(#x)),
        }
    }
}

impl Node {
    fn operand(&self, k: usize) -> TokenStream {
        self.operands[k].tokens()
    }

    fn value(&self) -> TokenStream {
        let o = |k| self.operand(k);
        match &self.function {
            Function::Add => {
                let (a, b) = (o(0), o(1));
                quote!(#a + #b)
            }
            Function::Sub => {
                let (a, b) = (o(0), o(1));
                quote!(#a - #b)
            }
            Function::Mul => {
                let (a, b) = (o(0), o(1));
                quote!(#a * #b)
            }
            Function::Div => {
                let (a, b) = (o(0), o(1));
                quote!(#a / #b)
            }
            Function::Neg => {
                let a = o(0);
                quote!(-#a)
            }
            Function::MulAdd => {
                let (a, b, c) = (o(0), o(1), o(2));
                quote!(#a * #b + #c)
            }
            Function::Rule(name, parameters) => {
                let (name, x) = (format_ident!("{name}"), o(0));
                let parameters = parameters.iter().map(Parameter::tokens);
                let near = self.function.near();
                quote!(::differentiable::__rt::elementwise::#name::value #near (#x #(, #parameters)*))
            }
        }
    }

    /// What [`pull`](Self::pull) reads; the operation is number `i`.
    fn pull_reads(&self, k: usize, i: usize) -> Vec<Value> {
        let o = |k: usize| self.operands[k].clone();
        match (&self.function, k) {
            (Function::Add | Function::Sub | Function::Neg, _) | (Function::MulAdd, 2) => vec![],
            (Function::Mul | Function::MulAdd, _) => vec![o(1 - k)],
            (Function::Div, 0) => vec![o(1)],
            (Function::Div, _) => vec![Value::Node(i), o(1)],
            (Function::Rule(name, _), _) => match from_value(name) {
                true => vec![Value::Node(i)],
                false => vec![o(0), Value::Node(i)],
            },
        }
    }

    /// `ct` times the derivative by operand `k`: the cotangent of one operand, or its share of the
    /// tangent.
    fn pull(&self, k: usize, y: &Ident, ct: &Ident) -> TokenStream {
        let o = |k| self.operand(k);
        match (&self.function, k) {
            (Function::Add, _) | (Function::Sub, 0) | (Function::MulAdd, 2) => quote!(#ct),
            (Function::Sub, _) | (Function::Neg, _) => quote!(-#ct),
            (Function::Mul | Function::MulAdd, _) => {
                let other = o(1 - k);
                quote!(#ct * #other)
            }
            (Function::Div, 0) => {
                let b = o(1);
                quote!(#ct / #b)
            }
            (Function::Div, _) => {
                let b = o(1);
                quote!(-#ct * #y / #b)
            }
            (Function::Rule(name, parameters), _) => {
                let x = match from_value(name) {
                    true => quote!(T::ZERO),
                    false => o(0),
                };
                let name = format_ident!("{name}");
                let parameters = parameters.iter().map(Parameter::tokens);
                let near = self.function.near();
                quote!(::differentiable::__rt::elementwise::#name::pull #near (#x, #y, #ct #(, #parameters)*))
            }
        }
    }
}

impl Parameter {
    fn tokens(&self) -> TokenStream {
        match self {
            Parameter::Float(x) => quote!(#x),
            Parameter::Int(n) => quote!(#n),
        }
    }
}

/// Whether the `pull` of a rule reads the value, and not the operand.
fn from_value(rule: &str) -> bool {
    // Numbers do not have it.
    rule == "rsqrt" || matches!(numbers::method(rule, 0), Some(Op::UnaryOut(_)))
}

impl Function {
    /// Whether it is a sine, cosine or tangent, which has a branch for large arguments.
    fn is_trigonometric(&self) -> bool {
        matches!(self, Function::Rule("sin" | "cos" | "tan", _))
    }

    /// The parameters of the functions of those.
    fn near(&self) -> TokenStream {
        match self.is_trigonometric() {
            true => quote!(::<T, NEAR>),
            false => TokenStream::new(),
        }
    }

    /// The work, in additions.
    fn cost(&self) -> usize {
        match self {
            Function::Div => 2,
            Function::Rule("clamp" | "leaky_relu", _) => 1,
            Function::Rule("powi", _) => 2,
            Function::Rule(name, _) => function(name).map_or(8, |f| f.cost.min(8)),
            _ => 1,
        }
    }
}

impl Func {
    /// The companions of a region, if the path names one.
    pub fn region(&self, path: &Path) -> Option<Callee> {
        Some(self.region_of(path)?.callee())
    }

    /// A function that names the regions to a visitor: tests and machines without Rust record them; nothing where there
    /// are none.
    pub fn regions_companion(&self) -> TokenStream {
        if self.regions.is_empty() {
            return TokenStream::new();
        }
        let each = self.regions.iter().map(|r| {
            let (name, n) = (&r.name, r.active.len());
            quote!(__visitor.region::<#name, #n>();)
        });
        quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            pub fn __regions<__V: ::differentiable::__rt::RegionVisitor>(__visitor: &mut __V) {
                #(#each)*
            }
        }
    }

    /// The regions, as items.
    pub fn region_items(&self) -> TokenStream {
        self.regions.iter().map(Region::item).collect()
    }
}

impl Region {
    /// What its companions are methods of.
    pub fn of(&self) -> TokenStream {
        let (name, probe) = (&self.name, &self.probe);
        match self.total {
            None => quote!(ad::fused::fused(#name, || { #probe })),
            Some(Total { mean, axis: None }) => {
                quote!(ad::fused::total(#name, #mean, || { #probe }))
            }
            Some(Total {
                mean,
                axis: Some(Axis { index, keepdim }),
            }) => {
                let index = proc_macro2::Literal::i64_unsuffixed(index);
                quote!(ad::fused::along(#name, #index, #mean, #keepdim, || { #probe }))
            }
        }
    }

    fn callee(&self) -> Callee {
        let region = self.of();
        Callee {
            vjp: quote!(#region.__vjp),
            jvp: quote!(#region.__jvp),
            generics: None,
            weight: None,
            owner: None,
            over: None,
        }
    }
}
