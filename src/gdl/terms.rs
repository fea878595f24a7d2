//! Hash-consed ground terms: equal terms have equal numbers. A constant is a functor without
//! arguments. A ground atom is a term whose functor is the name of the predicate.

use std::{collections::HashMap, fmt};

/// An interned name, identified by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

/// An interned ground term, identified by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// Returns the number for use as an index into a table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct TermNode {
    functor: Symbol,
    /// The start of the term's arguments in the array of all arguments.
    start: u32,
    arity: u32,
    depth: u32,
}

/// The store of interned names and ground terms.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    names: Vec<String>,
    by_name: HashMap<String, Symbol>,
    nodes: Vec<TermNode>,
    arguments: Vec<TermId>,
    /// A hash table with open addressing, whose length is a power of two. `u32::MAX` marks an empty
    /// slot.
    table: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Terms {
    /// Returns the number of a name, which is added if it is new.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.by_name.get(name) {
            return symbol;
        }
        let symbol =
            Symbol(u32::try_from(self.names.len()).expect("a sheet has fewer than 2^32 names"));
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), symbol);
        symbol
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// Returns the functor of a term.
    pub fn functor(&self, term: TermId) -> Symbol {
        self.nodes[term.index()].functor
    }

    /// Returns the arguments of a term.
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let node = self.nodes[term.index()];
        &self.arguments[node.start as usize..(node.start + node.arity) as usize]
    }

    /// Returns the nesting depth of a term, which is 1 for a constant.
    pub fn depth(&self, term: TermId) -> u32 {
        self.nodes[term.index()].depth
    }

    /// Returns the number of terms.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the store is empty.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of a term, which is stored if it is new.
    pub fn insert(&mut self, functor: Symbol, arguments: &[TermId]) -> TermId {
        if 4 * (self.nodes.len() + 1) > 3 * self.table.len() {
            self.grow();
        }
        let place = self.place(functor, arguments);
        if self.table[place] != EMPTY {
            return TermId(self.table[place]);
        }
        let id =
            u32::try_from(self.nodes.len()).expect("the limits of grounding are far below 2^32");
        let start = u32::try_from(self.arguments.len())
            .expect("the limits of grounding are far below 2^32");
        let depth = 1 + arguments
            .iter()
            .map(|&argument| self.depth(argument))
            .max()
            .unwrap_or(0);
        self.nodes.push(TermNode {
            functor,
            start,
            arity: arguments.len() as u32,
            depth,
        });
        self.arguments.extend_from_slice(arguments);
        self.table[place] = id;
        TermId(id)
    }

    /// Returns the number of a term, if the term is stored.
    pub fn find(&self, functor: Symbol, arguments: &[TermId]) -> Option<TermId> {
        if self.table.is_empty() {
            return None;
        }
        let id = self.table[self.place(functor, arguments)];
        (id != EMPTY).then_some(TermId(id))
    }

    /// Returns a wrapper that displays the term in the syntax of rule sheets.
    pub fn show(&self, term: TermId) -> ShownTerm<'_> {
        ShownTerm { terms: self, term }
    }

    fn place(&self, functor: Symbol, arguments: &[TermId]) -> usize {
        let mask = self.table.len() - 1;
        let mut place = hash(functor, arguments) as usize & mask;
        loop {
            let id = self.table[place];
            let same = |id: TermId| self.functor(id) == functor && self.arguments(id) == arguments;
            if id == EMPTY || same(TermId(id)) {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    fn grow(&mut self) {
        self.table = vec![EMPTY; (2 * self.table.len()).max(1024)];
        for id in 0..self.nodes.len() as u32 {
            let term = TermId(id);
            let place = self.place(self.functor(term), self.arguments(term));
            self.table[place] = id;
        }
    }
}

fn hash(functor: Symbol, arguments: &[TermId]) -> u64 {
    let step = |hash: u64, word: u32| {
        (hash ^ u64::from(word))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    let hash = arguments
        .iter()
        .fold(step(0x51, functor.0), |hash, argument| {
            step(hash, argument.0)
        });
    hash ^ (hash >> 32)
}

/// A term that can be printed.
pub struct ShownTerm<'a> {
    terms: &'a Terms,
    term: TermId,
}

impl fmt::Display for ShownTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.terms.name(self.terms.functor(self.term));
        let arguments = self.terms.arguments(self.term);
        if arguments.is_empty() {
            return f.write_str(name);
        }
        write!(f, "({name}")?;
        for &argument in arguments {
            write!(f, " {}", self.terms.show(argument))?;
        }
        f.write_str(")")
    }
}
