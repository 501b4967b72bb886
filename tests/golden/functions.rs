//! Tests of functions of tensors against the cases of a golden file, which the file that uses them calls `CASES`.

/// Functions of tensors, compared in value and gradients. Each argument comes with its place.
macro_rules! cases {
    ($($name:literal $test:ident: $($i:tt $arg:ident [$($x:tt)*]),+ -> [$($y:tt)*] = $body:expr;)*) => {
        $(
            #[test]
            fn $test() {
                #[differentiable]
                fn function($($arg: &Tensor![f64; $($x)*]),+) -> Tensor![f64; $($y)*] {
                    $body
                }
                let case = CASES.case($name);
                let args = ($(array(&case["inputs"][$i]),)+);
                CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
                let gradient = <function as DifferentiableFn<_>>::vjp(&args, array(&case["cotangent"]));
                $(CASES.same(concat!("gradient of ", stringify!($arg)), &gradient.$i.to_vec(), &case["gradients"][$i]);)+
            }
        )*

        #[test]
        fn every_case_is_compared() {
            let all = read(CASES.json);
            let known = [$($name),*];
            let missing: Vec<_> = all.iter().filter(|c| !known.iter().any(|k| c["op"] == *k)).map(|c| &c["op"]).collect();
            assert!(missing.is_empty(), "not compared: {missing:?}");
        }
    };
}
