//! Replies and refusals.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use mineflow_answers::Refusal;

pub(crate) const JSON: &str = "application/json";

/// The reason why a request has no answer, as a response.
pub(crate) struct Refused(pub(crate) Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        text(status, JSON, self.0.json().to_string())
    }
}

/// An answer, or the reason why there is none.
pub(crate) type Reply = Result<Response, Refused>;

pub(crate) fn json_reply(value: &impl Serialize) -> Reply {
    let body = serde_json::to_vec(value).map_err(|error| Refusal::new(500, error))?;
    Ok(text(StatusCode::OK, JSON, body))
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
