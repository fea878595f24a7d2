//! The reason why a request has no answer.

use serde_json::{Value, json};

use crate::Place;

/// The reason why a request has no answer.
pub struct Refusal {
    /// The HTTP status of the refusal.
    pub status: u16,
    pub message: String,
    /// The cells that cause the refusal.
    pub cells: Vec<Place>,
}

impl Refusal {
    pub fn new(status: u16, message: impl ToString) -> Self {
        Self {
            status,
            message: message.to_string(),
            cells: Vec::new(),
        }
    }

    /// Creates a refusal of an invalid request.
    pub fn bad(message: impl ToString) -> Self {
        Self::new(400, message)
    }

    /// Creates a refusal of a valid request that has no answer.
    pub fn unanswerable(message: impl ToString) -> Self {
        Self::new(422, message)
    }

    pub fn not_found(message: impl ToString) -> Self {
        Self::new(404, message)
    }

    /// Returns the body of the reply.
    pub fn json(&self) -> Value {
        let mut body = json!({"error": self.message});
        if !self.cells.is_empty() {
            body["cells"] = json!(self.cells);
        }
        body
    }
}
