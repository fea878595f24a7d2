//! Indexes that find atoms by their known parts.

use rustc_hash::FxHashMap;

use super::{
    plan::AtomShape,
    terms::{TermId, Terms},
};

/// The active atoms of a predicate, indexed by the known parts of a shape.
pub(super) struct Index {
    shape: AtomShape,
    atoms: FxHashMap<Box<[TermId]>, Vec<TermId>>,
}

impl Index {
    pub fn new(shape: AtomShape) -> Self {
        Self {
            shape,
            atoms: FxHashMap::default(),
        }
    }

    pub const fn shape(&self) -> &AtomShape {
        &self.shape
    }

    /// Returns the atoms whose known parts equal `key`, in insertion order.
    pub fn find(&self, key: &[TermId]) -> &[TermId] {
        self.atoms.get(key).map_or(&[], Vec::as_slice)
    }

    /// Inserts an atom if it matches the shape. `scratch` must be empty.
    pub fn enter(&mut self, terms: &Terms, atom: TermId, scratch: &mut Vec<TermId>) {
        if !key(terms, &self.shape, atom, scratch) {
            return;
        }
        match self.atoms.get_mut(scratch.as_slice()) {
            Some(atoms) => atoms.push(atom),
            None => drop(self.atoms.insert(scratch.as_slice().into(), vec![atom])),
        }
    }

    /// Removes an atom, which must be the last one inserted.
    pub fn forget(&mut self, terms: &Terms, atom: TermId, scratch: &mut Vec<TermId>) {
        if key(terms, &self.shape, atom, scratch) {
            self.atoms
                .get_mut(scratch.as_slice())
                .expect("it was entered")
                .pop();
        }
    }
}

/// Appends the parts of `term` that the shape fixes. Returns `false` if the term does not match the
/// shape.
fn key(terms: &Terms, shape: &AtomShape, term: TermId, out: &mut Vec<TermId>) -> bool {
    match shape {
        AtomShape::Known => out.push(term),
        AtomShape::Free => {}
        AtomShape::Inside(functor, inner) => {
            let arguments = terms.arguments(term);
            return terms.functor(term) == *functor
                && arguments.len() == inner.len()
                && inner
                    .iter()
                    .zip(arguments)
                    .all(|(shape, &argument)| key(terms, shape, argument, out));
        }
    }
    true
}
