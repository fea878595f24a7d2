//! Lets in only questions of the page itself, of bounded size and time.
//!
//! A page of another origin could send questions to this machine. So the `Host` must be a name of this server (a foreign name that
//! resolves to it is refused), an `Origin` must be this server too, and a body must be declared as JSON, which a form of a foreign page
//! cannot do without a preflight request.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::replies::Refusal;

/// The longest body, several times the size of the largest board with its moves.
pub(crate) const LONGEST_BODY: usize = 2 << 20;
/// How long a body may take to come.
const BODY_TIME: Duration = Duration::from_secs(10);

const PAGE_POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The names of a server that listens on `address`.
pub(crate) fn names_of(address: SocketAddr, given: &[String]) -> Vec<String> {
    let port = address.port();
    let mut names = vec![address.to_string()];
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        names.extend([format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
    }
    names.extend(given.iter().map(|name| name.to_ascii_lowercase()));
    names
}

/// Lets a question in or refuses it, and adds the security headers to every answer.
pub(crate) async fn guard(State(names): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&names, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let mut default = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    default(CONTENT_SECURITY_POLICY, PAGE_POLICY);
    default(X_CONTENT_TYPE_OPTIONS, "nosniff");
    default(REFERRER_POLICY, "no-referrer");
    default(CACHE_CONTROL, "no-store");
    default(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

async fn admit(names: &[String], request: Request) -> Result<Request, Refusal> {
    let (parts, body) = request.into_parts();
    check_names(names, &parts.headers, parts.uri.host().is_some())?;
    if parts.method != Method::POST {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    let kind = header(&parts.headers, &CONTENT_TYPE).unwrap_or("");
    if !kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a question must be sent as application/json"));
    }
    let bytes = match tokio::time::timeout(BODY_TIME, to_bytes(body, LONGEST_BODY)).await {
        Err(_) => return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the question took too long to come")),
        Ok(Err(_)) => {
            let message = format!("the question has more than {LONGEST_BODY} bytes or is incomplete");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        Ok(Ok(bytes)) => bytes,
    };
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn check_names(names: &[String], headers: &HeaderMap, names_a_host: bool) -> Result<(), Refusal> {
    let is_ours = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let hosts = headers.get_all(HOST).iter().count();
    if hosts != 1 || names_a_host || !header(headers, &HOST).is_some_and(is_ours) {
        let message =
            "the Host of the question is not a name of this server; `pipeline serve --name HOST:PORT` adds one";
        return Err(Refusal::new(StatusCode::FORBIDDEN, message));
    }
    let is_ours_or_none = headers.get_all(ORIGIN).iter().all(|origin| {
        let origin = origin.to_str().unwrap_or("");
        origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).is_some_and(is_ours)
    });
    if !is_ours_or_none {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "the question comes from a page of another origin"));
    }
    Ok(())
}

fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
