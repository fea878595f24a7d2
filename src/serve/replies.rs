//! Answers and refusals.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// A cell as programs name it: row and column, counted from 0.
pub(crate) type Place = (usize, usize);

/// Why a question has no answer.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    /// The cells that cause it.
    pub(crate) cells: Vec<Place>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl ToString) -> Self {
        Self {
            status,
            message: message.to_string(),
            cells: Vec::new(),
        }
    }

    /// The question is wrong.
    pub(crate) fn bad(message: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The question is valid, but has no answer.
    pub(crate) fn unanswerable(message: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub(crate) fn not_found(message: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut body = json!({"error": self.message});
        if !self.cells.is_empty() {
            body["cells"] = json!(self.cells);
        }
        text(self.status, "application/json", body.to_string())
    }
}

/// An answer in JSON, or why there is none.
pub(crate) type Reply = Result<Response, Refusal>;

pub(crate) fn json_reply(value: &impl Serialize) -> Reply {
    let body = serde_json::to_vec(value)
        .map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
    Ok(text(StatusCode::OK, "application/json", body))
}

/// An answer with this content type.
pub(crate) fn text(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Parses the question.
pub(crate) fn question<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the question is not valid: {error}")))
}
