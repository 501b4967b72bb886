//! Writes a region: its value, its pullback by reverse accumulation over the operations, and its
//! pushforward. All three are straight lines of numbers.

use super::element::{Function, Parameter};
use super::{Node, Region, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Region {
    /// The region's type and what it computes.
    pub fn item(&self) -> TokenStream {
        let (name, n, active) = (&self.name, self.active.len(), &self.active);
        let cost: usize = self.nodes.iter().map(|n| n.function.cost()).sum();
        let inputs: Vec<Ident> = (0..n).map(|k| format_ident!("x{k}")).collect();
        let values = self.values();
        let last = node(self.nodes.len() - 1);
        let (pullback, cts) = self.pullback(&last);
        let tangents: Vec<Ident> = (0..n).map(|k| format_ident!("t{k}")).collect();
        let pushforward = self.pushforward(&last);
        let turns = self.turns(&values, &inputs);
        quote! {
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy)]
            struct #name;
            #[allow(unused_variables, unused_parens)]
            impl ::differentiable::__rt::Region<#n> for #name {
                const ACTIVE: [bool; #n] = [#(#active),*];
                const COST: usize = #cost;
                #[inline(always)]
                fn value<T: ::differentiable::device::Float, const NEAR: bool>([#(#inputs),*]: [T; #n]) -> T {
                    #values
                    #last
                }
                #[inline(always)]
                fn pullback<T: ::differentiable::device::Float, const NEAR: bool>([#(#inputs),*]: [T; #n], ct: T) -> [T; #n] {
                    #values
                    #pullback
                    [#(#cts),*]
                }
                #[inline(always)]
                fn pushforward<T: ::differentiable::device::Float, const NEAR: bool>([#(#inputs),*]: [T; #n], [#(#tangents),*]: [T; #n]) -> T {
                    #values
                    #pushforward
                }
                #turns
            }
        }
    }

    /// What tells whether sines, cosines and tangents need their branch.
    fn turns(&self, values: &TokenStream, inputs: &[Ident]) -> TokenStream {
        let far = |n: &Node| {
            let x = n.operand(0);
            quote!(::differentiable::__rt::elementwise::far(#x))
        };
        let turning = self.nodes.iter().filter(|n| n.function.turns());
        let far: Vec<TokenStream> = turning.map(far).collect();
        if far.is_empty() {
            return TokenStream::new();
        }
        let n = inputs.len();
        quote! {
            const TURNS: bool = true;
            #[inline(always)]
            fn far<T: ::differentiable::device::Float>([#(#inputs),*]: [T; #n]) -> T {
                const NEAR: bool = true;
                #values
                #(#far)+*
            }
        }
    }

    fn values(&self) -> TokenStream {
        let lines = self.nodes.iter().enumerate().map(|(i, n)| {
            let (name, value) = (node(i), n.value());
            quote!(let #name = #value;)
        });
        lines.collect()
    }

    /// Statements, and the cotangent of each input.
    fn pullback(&self, last: &Ident) -> (TokenStream, Vec<TokenStream>) {
        let mut code = TokenStream::new();
        // The contributions that have come in so far.
        let mut nodes: Vec<Vec<TokenStream>> = vec![Vec::new(); self.nodes.len()];
        let mut inputs: Vec<Vec<TokenStream>> = vec![Vec::new(); self.active.len()];
        let at = self.nodes.len() - 1;
        debug_assert_eq!(*last, node(at));
        nodes[at].push(quote!(ct));
        for (i, n) in self.nodes.iter().enumerate().rev() {
            let (ct, sum) = (format_ident!("d{i}"), sum(&nodes[i]));
            code.extend(quote!(let #ct = #sum;));
            for (k, o) in n.operands.iter().enumerate() {
                let to = match o {
                    Value::Input(k) if self.active[*k] => &mut inputs[*k],
                    Value::Node(j) => &mut nodes[*j],
                    _ => continue,
                };
                to.push(n.pull(k, &node(i), &ct));
            }
        }
        (code, inputs.iter().map(|c| sum(c)).collect())
    }

    fn pushforward(&self, last: &Ident) -> TokenStream {
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
        debug_assert_eq!(*last, node(self.nodes.len() - 1));
        let last = format_ident!("u{}", self.nodes.len() - 1);
        quote!(#code #last)
    }
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
                let (name, x) = (format_ident!("{name}"), o(0));
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

impl Function {
    /// Whether it is a sine, cosine or tangent, which has a branch for large arguments.
    fn turns(&self) -> bool {
        matches!(self, Function::Rule("sin" | "cos" | "tan", _))
    }

    /// The parameters of the functions of those.
    fn near(&self) -> TokenStream {
        match self.turns() {
            true => quote!(::<T, NEAR>),
            false => TokenStream::new(),
        }
    }

    /// The work, in additions.
    fn cost(&self) -> usize {
        match self {
            Function::Div => 2,
            Function::Rule("relu" | "abs" | "square" | "clamp" | "leaky_relu", _) => 1,
            Function::Rule("recip" | "sqrt" | "rsqrt" | "powi", _) => 2,
            Function::Rule(..) => 8,
            _ => 1,
        }
    }
}
