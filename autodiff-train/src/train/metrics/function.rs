use super::{Metric, Tally};

/// A function under a name: what [`Fit::measure`](crate::train::Fit::measure) adds.
#[derive(Clone, Debug)]
pub struct Named<F> {
    /// The name.
    pub name: String,
    /// The function.
    pub function: F,
}

/// The mean over rows.
struct Mean<'f, F> {
    function: &'f F,
    sum: f64,
    rows: usize,
}

impl<F, M: ?Sized, B: ?Sized> Tally<M, B> for Mean<'_, F>
where
    F: Fn(&M, &B) -> f64,
{
    fn add(&mut self, net: &M, batch: &B, rows: usize) {
        self.sum += (self.function)(net, batch) * rows as f64;
        self.rows += rows;
    }
    fn values(&self) -> Vec<f64> {
        vec![self.sum / self.rows as f64]
    }
    fn parts(&self) -> Option<Vec<f64>> {
        Some(vec![self.sum, self.rows as f64])
    }
    fn join(&mut self, parts: &[f64]) {
        self.sum += parts[0];
        self.rows += parts[1] as usize;
    }
}

fn mean<F>(function: &F) -> Mean<'_, F> {
    Mean {
        function,
        sum: 0.0,
        rows: 0,
    }
}

impl<F, M: ?Sized, B: ?Sized> Metric<M, B> for F
where
    F: Fn(&M, &B) -> f64,
{
    fn names(&self) -> Vec<String> {
        vec![name_of(std::any::type_name::<F>()).to_string()]
    }
    fn start(&self) -> Box<dyn Tally<M, B> + '_> {
        Box::new(mean(self))
    }
}

impl<F, M: ?Sized, B: ?Sized> Metric<M, B> for Named<F>
where
    F: Fn(&M, &B) -> f64,
{
    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }
    fn start(&self) -> Box<dyn Tally<M, B> + '_> {
        Box::new(mean(&self.function))
    }
}

/// The name of a function in the path that the compiler gives its type.
fn name_of(path: &str) -> &str {
    let path = path.strip_suffix("{{closure}}").map_or(path, |_| "metric");
    let generic = path.find('<').filter(|&at| at > 0).unwrap_or(path.len());
    let path = path[..generic].trim_end_matches("::");
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(_: &f64, _: &f64) -> f64 {
        0.5
    }

    #[test]
    fn functions_have_their_names() {
        assert_eq!(Metric::<f64, f64>::names(&half), ["half"]);
        assert_eq!(name_of("a::b::accuracy<a::Net, (x::T, y::U)>"), "accuracy");
        assert_eq!(name_of("<a::Net as a::Judge>::grade"), "grade");
        assert_eq!(name_of("a::main::{{closure}}"), "metric");
        assert_eq!(name_of("fn(&f64, &f64) -> f64"), "fn(&f64, &f64) -> f64");
    }

    #[test]
    fn values_are_weighted_by_rows() {
        let metric = Named {
            name: "x".to_string(),
            function: |net: &f64, batch: &f64| net * batch,
        };
        let mut tally = metric.start();
        tally.add(&2.0, &1.0, 3);
        tally.add(&2.0, &5.0, 1);
        assert_eq!(tally.values(), [4.0]);
    }
}
