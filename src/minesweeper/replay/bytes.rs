//! A cursor over the bytes of a replay that checks every read.

use super::{Format, ReplayError};
use crate::{Board, CellSet, Minefield};

/// Reads big-endian numbers and texts from the bytes of a file, in order.
pub(super) struct Bytes<'a> {
    format: Format,
    data: &'a [u8],
    at: usize,
    /// The part of the file being read, for error messages.
    part: &'static str,
}

impl<'a> Bytes<'a> {
    pub fn new(format: Format, data: &'a [u8]) -> Self {
        Self {
            format,
            data,
            at: 0,
            part: "its header",
        }
    }

    /// Names the part of the file that is read next, for error messages.
    pub fn begin(&mut self, part: &'static str) {
        self.part = part;
    }

    /// Returns the offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the bytes that were not read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.data[self.at..]
    }

    /// Returns the error for damaged data at offset `at`.
    pub fn damaged(&self, at: usize, found: impl Into<String>) -> ReplayError {
        ReplayError::Damaged {
            format: self.format,
            at,
            found: found.into(),
        }
    }

    /// Returns the error for a version of the format that is not supported.
    pub fn unsupported(&self, version: String) -> ReplayError {
        ReplayError::Version {
            format: self.format,
            version,
        }
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], ReplayError> {
        let (taken, _) = self
            .rest()
            .split_at_checked(count)
            .ok_or(ReplayError::Short {
                format: self.format,
                at: self.data.len(),
                part: self.part,
            })?;
        self.at += count;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ReplayError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u8(&mut self) -> Result<u8, ReplayError> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, ReplayError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub fn i16(&mut self) -> Result<i16, ReplayError> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    pub fn u24(&mut self) -> Result<u32, ReplayError> {
        let [high, middle, low] = self.array()?;
        Ok(u32::from_be_bytes([0, high, middle, low]))
    }

    /// Reads the side of a cell in pixels, which is not 0.
    pub fn square(&mut self) -> Result<u8, ReplayError> {
        match self.u8()? {
            0 => Err(self.damaged(self.at - 1, "cells have a side of 0 pixels")),
            square => Ok(square),
        }
    }

    /// Reads a column and a row in pixels, as unsigned numbers.
    pub fn pixels(&mut self) -> Result<(i32, i32), ReplayError> {
        Ok((self.u16()?.into(), self.u16()?.into()))
    }

    /// Reads milliseconds of three bytes; returns seconds.
    pub fn seconds(&mut self) -> Result<f64, ReplayError> {
        Ok(f64::from(self.u24()?) / 1000.0)
    }

    /// Returns the error for an unknown event whose number is the byte at offset `at`.
    pub fn no_event(&self, at: usize) -> ReplayError {
        self.damaged(at, format!("{} is no event", self.data[at]))
    }

    /// Reads the bytes before the next `end` byte, and skips the `end` byte.
    pub fn until(&mut self, end: u8) -> Result<&'a [u8], ReplayError> {
        let length = self.rest().iter().position(|&byte| byte == end);
        // Without an `end` byte, one byte more than is left is requested, which is an error.
        let taken = self.take(length.unwrap_or(self.rest().len()) + 1)?;
        Ok(&taken[..taken.len() - 1])
    }

    /// Skips `count` texts that end in a zero byte.
    pub fn texts(&mut self, count: u16) -> Result<(), ReplayError> {
        for _ in 0..count {
            self.until(0)?;
        }
        Ok(())
    }

    /// Reads a length byte, then that many bytes.
    pub fn counted(&mut self) -> Result<&'a [u8], ReplayError> {
        let length = self.u8()?;
        self.take(length.into())
    }

    /// Reads the mines of a board of this width, height and number of mines: two bytes each, which
    /// are counted from `first`, the column before the row if `column_first`.
    pub fn mines(
        &mut self,
        (width, height, mines): (usize, usize, usize),
        first: usize,
        column_first: bool,
    ) -> Result<Minefield, ReplayError> {
        self.begin("the mines");
        let board = self.board(width, height, mines)?;
        let mut laid = CellSet::new(board.cells());
        for number in 1..=mines {
            let at = self.at;
            let [a, b] = self.array()?;
            let (col, row) = if column_first { (a, b) } else { (b, a) };
            let place = |counted: u8| usize::from(counted).checked_sub(first);
            let found = match place(row)
                .zip(place(col))
                .and_then(|(row, col)| board.cell(row, col))
            {
                None => format!("off the {width} x {height} board"),
                Some(cell) if laid.insert(cell) => continue,
                Some(_) => "there a second time".to_owned(),
            };
            return Err(self.damaged(at, format!("mine {number} ({a}, {b}) is {found}")));
        }
        Ok(Minefield::on(board, laid.iter()))
    }

    /// Reads the mines of a board as one bit per cell, row-major, the highest bit first.
    pub fn mine_bits(
        &mut self,
        (width, height, mines): (usize, usize, usize),
    ) -> Result<Minefield, ReplayError> {
        self.begin("the mines");
        let board = self.board(width, height, mines)?;
        let at = self.at;
        let bits = self.take(board.cells().div_ceil(8))?;
        let is_mine = |cell: usize| bits[cell / 8] >> (7 - cell % 8) & 1 == 1;
        let cells = board.all_cells();
        let field = Minefield::on(board, cells.filter(|cell| is_mine(cell.index())));
        if field.mines() == mines {
            Ok(field)
        } else {
            let found = field.mines();
            Err(self.damaged(at, format!("{found} mines, where the header says {mines}")))
        }
    }

    fn board(&self, width: usize, height: usize, mines: usize) -> Result<Board, ReplayError> {
        Board::new(width, height, mines).map_err(|error| ReplayError::Board {
            format: self.format,
            error,
        })
    }
}
