//! New contents of variables.

use super::{Place, Recorded, Recording};
use autodiff_core::device::{Backend, Device, Elem, Float, Layout};
use autodiff_core::nn::{Module, Path, Visitor};
use autodiff_core::tensor::Raw;
use core::any::Any;

/// Contents that go into variables when a session runs this: what
/// [`assign`](Recording::assign) returns.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "nothing is assigned until a session runs it"]
pub struct Assign {
    /// The variable and the value that it gets.
    pub(crate) pairs: Vec<(Place, Place)>,
}

impl Assign {
    /// Both.
    pub fn and(mut self, other: Assign) -> Assign {
        self.pairs.extend(other.pairs);
        self
    }
}

impl Recording {
    /// Gives a variable new contents when a session runs the result. All values are computed with the contents from
    /// before.
    ///
    /// # Panics
    /// If the first is no variable of this recording, or the second is recorded elsewhere or not at all.
    #[track_caller]
    pub fn assign<V: Recorded>(
        &self,
        variable: &V,
        contents: &impl Recorded<Shape = V::Shape, Elem = V::Elem>,
    ) -> Assign {
        let (variable, contents) = (variable.tensor(), contents.tensor());
        self.pair(variable.raw(), contents.raw(), "the variable")
    }

    #[track_caller]
    fn pair<T: Elem>(
        &self,
        variable: &Raw<T, Device>,
        contents: &Raw<T, Device>,
        name: &str,
    ) -> Assign {
        let place = Place::whole(variable, name);
        let value = place.within(&self.recorder, name);
        assert!(
            self.is_variable(value),
            "{}: only variables are assigned",
            self.what_it_is(value)
        );
        assert_eq!(
            variable.dims().as_slice(),
            contents.dims().as_slice(),
            "{name} has the sizes on the left, and is assigned a tensor with those on the right"
        );
        let what = format!("what is assigned to {name}");
        Place::of(contents, &what).within(&self.recorder, &what);
        let contents = Raw::from_shared(
            &self.device,
            contents.alone(),
            Layout::dense(*contents.dims()),
        );
        Assign {
            pairs: vec![(place, Place::of(&contents, &what))],
        }
    }

    /// Gives the variables of a module from [`module`](Recording::module) the parameters and buffers of another one, such as
    /// that after the step of an optimiser.
    ///
    /// # Panics
    /// If the two do not have the same parameters.
    #[track_caller]
    pub fn assign_all<M: Module>(&self, net: &M, after: &M) -> Assign {
        struct Collect(Vec<Box<dyn Any>>);
        impl Visitor for Collect {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
                self.0.push(Box::new(value.clone()));
            }
        }
        struct Join<'r>(&'r Recording, std::vec::IntoIter<Box<dyn Any>>, Assign);
        impl Visitor for Join<'_> {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
                let name = format!("`{name}`");
                let contents = self.1.next();
                let contents =
                    contents.unwrap_or_else(|| panic!("{name} is missing in the other module"));
                let of = |x: &dyn Any| x.downcast_ref::<Raw<T, Device>>().cloned();
                if let (Some(variable), Some(contents)) = (of(value), of(&*contents))
                    && (Place::of(&variable, &name), variable.layout())
                        != (Place::of(&contents, &name), contents.layout())
                {
                    let pair = self.0.pair(&variable, &contents, &name);
                    self.2.pairs.extend(pair.pairs);
                }
            }
        }
        let mut all = Collect(Vec::new());
        after.visit(&mut Path::default(), &mut all);
        after.visit_buffers(false, &mut Path::default(), &mut all);
        let mut join = Join(self, all.0.into_iter(), Assign::default());
        net.visit(&mut Path::default(), &mut join);
        net.visit_buffers(false, &mut Path::default(), &mut join);
        assert!(
            join.1.next().is_none(),
            "the other module has more parameters"
        );
        join.2
    }
}
