//! Replies and refusals.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The reason why a request has no answer.
#[derive(Debug)]
pub(crate) struct Refusal(mineflow_answers::Refusal);

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl ToString) -> Self {
        Self(mineflow_answers::Refusal::new(status.as_u16(), message))
    }

    /// Creates a refusal of a valid request that has no answer.
    pub(crate) fn unanswerable(message: impl ToString) -> Self {
        Self(mineflow_answers::Refusal::unanswerable(message))
    }

    pub(crate) fn not_found(message: impl ToString) -> Self {
        Self(mineflow_answers::Refusal::not_found(message))
    }

    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }
}

impl From<mineflow_answers::Refusal> for Refusal {
    fn from(refusal: mineflow_answers::Refusal) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        text(status, "application/json", self.0.json().to_string())
    }
}

/// An answer, or the reason why there is none.
pub(crate) type Reply = Result<Response, Refusal>;

pub(crate) fn json_reply(value: &impl Serialize) -> Reply {
    let body = serde_json::to_vec(value)
        .map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
    Ok(text(StatusCode::OK, "application/json", body))
}

/// Creates a response with this status and content type.
pub(crate) fn text(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
