//! Accepts only requests of the page itself, of bounded size and time.
//!
//! A page of another origin could send requests to this machine. Therefore the `Host` must be a
//! name of this server (a foreign name that resolves to it is refused), an `Origin` must also be
//! this server, and a body must be declared as JSON, which a form of a foreign page cannot do
//! without a preflight request.

use std::{net::SocketAddr, str::FromStr, sync::Arc, time::Duration};

use anyhow::anyhow;
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
            X_CONTENT_TYPE_OPTIONS,
        },
        request::Parts,
    },
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::replies::Refused;
use mineflow_answers::Refusal;

/// Maximum length of a body in bytes, several times the size of the largest board with its moves.
pub(crate) const LONGEST_BODY: usize = 2 << 20;
/// Time limit for receiving a body.
const BODY_TIME: Duration = Duration::from_secs(10);

const PAGE_POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// A host name of the server, as browsers use it.
pub(crate) struct ServerName {
    host: String,
    /// `None` matches every port.
    port: Option<u16>,
}

impl ServerName {
    /// Returns true if a `Host` header or the end of an `Origin` is this name. Browsers leave out
    /// the default port of the scheme, 80 or 443.
    fn is(&self, given: &str) -> bool {
        let (host, port) = split(given);
        host.eq_ignore_ascii_case(&self.host)
            && match (self.port, port) {
                (None, _) => true,
                (Some(own), None) => matches!(own, 80 | 443),
                (Some(own), Some(port)) => port.parse() == Ok(own),
            }
    }
}

impl FromStr for ServerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}` is not a name; write HOST or HOST:PORT, such as mines.example.org")
        };
        let (host, port) = split(text);
        if host.is_empty()
            || host.contains(['/', '@'])
            || (host.contains(':') && !host.starts_with('['))
        {
            return Err(wrong());
        }
        let port = port.map(str::parse).transpose().map_err(|_| wrong())?;
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

/// Splits a name from its port, if it has one. A number in brackets is an IPv6 address; its colons
/// do not start a port.
fn split(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (name, None),
    }
}

/// Returns the host names of a server that listens on `address`.
pub(crate) fn names_of(address: SocketAddr, given: &[String]) -> anyhow::Result<Vec<ServerName>> {
    let port = address.port();
    let mut names = vec![address.to_string()];
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        names.extend(["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{host}:{port}")));
    }
    names
        .iter()
        .chain(given)
        .map(|name| {
            name.parse::<ServerName>()
                .map_err(|why| anyhow!("--name: {why}"))
        })
        .collect()
}

/// Accepts or refuses a request, and adds the security headers to every answer.
pub(crate) async fn guard(
    State(names): State<Arc<[ServerName]>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match admit(&names, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => Refused(refusal).into_response(),
    };
    let headers = response.headers_mut();
    let mut default = |name: HeaderName, value: &'static str| {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    };
    default(CONTENT_SECURITY_POLICY, PAGE_POLICY);
    default(X_CONTENT_TYPE_OPTIONS, "nosniff");
    default(REFERRER_POLICY, "no-referrer");
    default(CACHE_CONTROL, "no-store");
    default(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    response
}

async fn admit(names: &[ServerName], request: Request) -> Result<Request, Refusal> {
    let (parts, body) = request.into_parts();
    check_names(names, &parts)?;
    if parts.method != Method::POST {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    let kind = header(&parts.headers, &CONTENT_TYPE).unwrap_or("");
    if !kind
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .eq_ignore_ascii_case("application/json")
    {
        return Err(Refusal::new(
            415,
            "a question must be sent as application/json",
        ));
    }
    let bytes = match tokio::time::timeout(BODY_TIME, to_bytes(body, LONGEST_BODY)).await {
        Err(_) => {
            return Err(Refusal::new(408, "the question took too long to come"));
        }
        Ok(Err(_)) => {
            let message =
                format!("the question has more than {LONGEST_BODY} bytes or is incomplete");
            return Err(Refusal::new(413, message));
        }
        Ok(Ok(bytes)) => bytes,
    };
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn check_names(names: &[ServerName], Parts { uri, headers, .. }: &Parts) -> Result<(), Refusal> {
    let is_ours = |given: &str| names.iter().any(|name| name.is(given));
    let hosts = headers.get_all(HOST).iter().count();
    // A request of a proxy has the form `GET http://HOST/PATH`: it names the host once more.
    let is_other = uri.authority().is_some_and(|host| !is_ours(host.as_str()));
    if hosts != 1 || is_other || !header(headers, &HOST).is_some_and(is_ours) {
        let message = "the Host of the question is not a name of this server; `pipeline serve --name HOST` adds one";
        return Err(Refusal::new(403, message));
    }
    let is_ours_or_none = headers.get_all(ORIGIN).iter().all(|origin| {
        let origin = origin.to_str().unwrap_or("");
        origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"))
            .is_some_and(is_ours)
    });
    if !is_ours_or_none {
        let message = "the question comes from a page of another origin; behind a proxy, `pipeline serve --name HOST` \
            with the name in the browser's address line lets it in";
        return Err(Refusal::new(403, message));
    }
    Ok(())
}

fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_the_default_port_is_reached_without_it() {
        let names = names_of("127.0.0.1:80".parse().unwrap(), &[]).unwrap();
        for host in ["127.0.0.1", "localhost", "[::1]", "localhost:80"] {
            assert!(names.iter().any(|name| name.is(host)), "{host}");
        }
        let names = names_of("127.0.0.1:8650".parse().unwrap(), &[]).unwrap();
        assert!(!names.iter().any(|name| name.is("localhost")));
    }
}
