//! Compact-Table: arc consistency on table constraints with reversible sparse bit-sets
//! (Demeulenaere et al., "Compact-Table: efficiently filtering table constraints with reversible
//! sparse bit-sets", CP 2016).
//!
//! A table has one bit per tuple, which is set while all values of the tuple are in their domains.
//! The words of these bits are on the trail, and a sparse set lists the nonzero words. For each
//! value, a list contains the words with tuples that use the value, and their bits. Demeulenaere et
//! al. use a whole bit-set for each value instead. Since a tuple uses one value of each variable,
//! the lists of a variable have at most as many entries as the table has tuples, however large the
//! domain is. The search for a support starts at the residue, where the last support was found.

use super::{domains::Domains, trail::Trail};

/// The domain size recorded for a table that has never been revised.
const NEVER: u64 = u64::MAX;

/// The location of one table's parts in the arenas of [`CompactTables`] and on the trail.
#[derive(Clone, Copy, Debug)]
struct TableLayout {
    scope: u32,
    arity: u32,
    /// The index of the first cell on the trail. The cells are the number of nonzero words, the
    /// last seen domain sizes, then the words.
    cells: u32,
    words: u32,
    active: u32,
}

impl TableLayout {
    fn limit(self) -> u32 {
        self.cells
    }

    fn size_seen(self, place: u32) -> u32 {
        self.cells + 1 + place
    }

    fn word(self, word: u32) -> u32 {
        self.cells + 1 + self.arity + word
    }
}

/// One word of a value's bit-set: the bits and the index of the word.
#[derive(Clone, Copy, Debug)]
struct SupportWord {
    bits: u64,
    word: u32,
}

/// The sizes of the arenas at some point, to which the arenas can be truncated later.
#[derive(Clone, Copy)]
pub(super) struct TablesMark {
    shapes: usize,
    scopes: usize,
    starts: usize,
    entries: usize,
    active: usize,
}

/// All tables of a network.
#[derive(Clone, Debug, Default)]
pub(super) struct CompactTables {
    shapes: Vec<TableLayout>,
    scopes: Vec<u32>,
    /// For each place in a scope, the start of its values in `starts`.
    values: Vec<u32>,
    /// For each value of a place, the index of its first entry. One more element marks the end of
    /// each place.
    starts: Vec<u32>,
    /// Parallel to `starts`: the index of the entry where a support was last found.
    residues: Vec<u32>,
    entries: Vec<SupportWord>,
    /// The word indices of each table, nonzero words first.
    active: Vec<u32>,
    mask: Vec<u64>,
    /// The variables whose domains the last revision changed.
    pub changed: Vec<u32>,
}

impl CompactTables {
    pub fn len(&self) -> u32 {
        self.shapes.len() as u32
    }

    pub fn mark(&self) -> TablesMark {
        TablesMark {
            shapes: self.shapes.len(),
            scopes: self.scopes.len(),
            starts: self.starts.len(),
            entries: self.entries.len(),
            active: self.active.len(),
        }
    }

    pub fn truncate(&mut self, mark: TablesMark) {
        self.shapes.truncate(mark.shapes);
        self.scopes.truncate(mark.scopes);
        self.values.truncate(mark.scopes);
        self.starts.truncate(mark.starts);
        self.residues.truncate(mark.starts);
        self.entries.truncate(mark.entries);
        self.active.truncate(mark.active);
    }

    pub fn scope(&self, table: u32) -> &[u32] {
        let shape = self.shapes[table as usize];
        &self.scopes[shape.scope as usize..(shape.scope + shape.arity) as usize]
    }

    /// Adds a table with the concatenated `tuples`; `sizes` returns the declared number of values
    /// of a variable.
    pub fn add(
        &mut self,
        scope: &[u32],
        tuples: &[u32],
        sizes: impl Fn(u32) -> usize,
        trail: &mut Trail,
    ) {
        let arity = scope.len();
        let count = tuples.len() / arity;
        let words = count.div_ceil(64);
        let cells = trail.allocate(1, words as u64);
        trail.allocate(arity, NEVER);
        let first_word = trail.allocate(words, !0);
        if !count.is_multiple_of(64) {
            trail.initialise(first_word + words as u32 - 1, !0 >> (64 - count % 64));
        }
        self.shapes.push(TableLayout {
            scope: self.scopes.len() as u32,
            arity: arity as u32,
            cells,
            words: words as u32,
            active: self.active.len() as u32,
        });
        self.active.extend(0..words as u32);
        self.mask.resize(self.mask.len().max(words), 0);
        for (place, &x) in scope.iter().enumerate() {
            self.scopes.push(x);
            self.values.push(self.starts.len() as u32);
            self.list_supports(place, arity, tuples, sizes(x));
        }
    }

    /// Fills the entries of one place of the scope, sorted by value, then by word.
    fn list_supports(&mut self, place: usize, arity: usize, tuples: &[u32], values: usize) {
        let starts = self.starts.len();
        self.starts.resize(starts + values + 1, 0);
        let counts = &mut self.starts[starts..];
        self.residues.resize(starts + values + 1, 0);
        // The word in which each value was last seen, plus one. The residues hold these numbers
        // until they are set below.
        let seen = &mut self.residues[starts..];
        for (index, tuple) in tuples.chunks_exact(arity).enumerate() {
            let value = tuple[place] as usize;
            let word = (index / 64) as u32 + 1;
            counts[value] += u32::from(std::mem::replace(&mut seen[value], word) != word);
        }
        let mut next = self.entries.len() as u32;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        self.entries
            .resize(next as usize, SupportWord { bits: 0, word: 0 });
        // From here on, `seen` contains the entry being filled for each value, plus one.
        seen.fill(0);
        for (index, tuple) in tuples.chunks_exact(arity).enumerate() {
            let value = tuple[place] as usize;
            let word = (index / 64) as u32;
            let entry = match seen[value] {
                0 => counts[value],
                filled if self.entries[filled as usize - 1].word == word => filled - 1,
                filled => filled,
            };
            seen[value] = entry + 1;
            self.entries[entry as usize].word = word;
            self.entries[entry as usize].bits |= 1 << (index % 64);
        }
        seen.copy_from_slice(counts);
    }

    /// Makes the scope of a table arc consistent, and returns false if no tuple is left.
    /// Afterwards, `changed` lists the variables that lost values.
    pub fn revise(&mut self, table: u32, domains: &mut Domains, trail: &mut Trail) -> bool {
        self.changed.clear();
        let shape = self.shapes[table as usize];
        let mut moved = 0;
        let mut only_moved = None;
        for place in 0..shape.arity {
            let x = self.scopes[(shape.scope + place) as usize];
            let size = u64::from(domains.size(trail, x));
            let seen = trail.get(shape.size_seen(place));
            if size == seen {
                continue;
            }
            moved += 1;
            only_moved = (seen != NEVER).then_some(place);
            trail.set(shape.size_seen(place), size);
            self.update(shape, place, (size as u32, seen), domains, trail);
            if trail.get(shape.limit()) == 0 {
                return false;
            }
        }
        let skip = only_moved.filter(|_| moved == 1);
        for place in (0..shape.arity).filter(|&place| Some(place) != skip) {
            self.filter(shape, place, domains, trail);
        }
        true
    }

    /// Clears the bits of the tuples whose value at `place` has been removed. The update uses the
    /// removed or the remaining values, whichever are fewer.
    fn update(
        &mut self,
        shape: TableLayout,
        place: u32,
        (size, seen): (u32, u64),
        domains: &Domains,
        trail: &mut Trail,
    ) {
        let limit = trail.get(shape.limit()) as u32;
        let active = &mut self.active[shape.active as usize..(shape.active + shape.words) as usize];
        for &word in &active[..limit as usize] {
            self.mask[word as usize] = 0;
        }
        let x = self.scopes[(shape.scope + place) as usize];
        let by_removed = seen - u64::from(size) < u64::from(size);
        let values = if by_removed {
            domains.slice(x, size, seen as u32)
        } else {
            domains.slice(x, 0, size)
        };
        let base = self.values[(shape.scope + place) as usize];
        for &value in values {
            let at = (base + value) as usize;
            for entry in &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize] {
                self.mask[entry.word as usize] |= entry.bits;
            }
        }
        let flip = if by_removed { !0 } else { 0 };
        let mut left = limit;
        for i in (0..limit as usize).rev() {
            let word = active[i];
            let old = trail.get(shape.word(word));
            let new = old & (self.mask[word as usize] ^ flip);
            if new != old {
                trail.set(shape.word(word), new);
                if new == 0 {
                    left -= 1;
                    active.swap(i, left as usize);
                }
            }
        }
        if left != limit {
            trail.set(shape.limit(), u64::from(left));
        }
    }

    /// Removes the values at `place` that no tuple supports.
    fn filter(&mut self, shape: TableLayout, place: u32, domains: &mut Domains, trail: &mut Trail) {
        let x = self.scopes[(shape.scope + place) as usize];
        let size = domains.size(trail, x);
        if size == 1 {
            return;
        }
        let base = self.values[(shape.scope + place) as usize];
        let mut left = size;
        for i in (0..size).rev() {
            let value = domains.slice(x, i, i + 1)[0];
            if !self.supported(shape, (base + value) as usize, trail) {
                domains.remove(trail, x, value);
                left -= 1;
            }
        }
        if left != size {
            trail.set(shape.size_seen(place), u64::from(left));
            self.changed.push(x);
        }
    }

    fn supported(&mut self, shape: TableLayout, at: usize, trail: &Trail) -> bool {
        let start = self.starts[at] as usize;
        let end = self.starts[at + 1] as usize;
        let stands = |entry: &SupportWord| trail.get(shape.word(entry.word)) & entry.bits != 0;
        if start == end {
            return false;
        }
        if stands(&self.entries[self.residues[at] as usize]) {
            return true;
        }
        match self.entries[start..end].iter().position(stands) {
            Some(found) => {
                self.residues[at] = (start + found) as u32;
                true
            }
            None => false,
        }
    }
}
