//! The module `robots_dialects._native`: the library's [`Robots`] as a Python class.
//!
//! A thin layer: it converts arguments and results, and does not know the protocol. Results of
//! several fields are the named tuples of `robots_dialects._results`. Text is UTF-8, and bytes that
//! are not become surrogates (`surrogateescape`), in both directions, so nothing is lost. No
//! content and no URL raises an exception; wrong types raise `TypeError`.
//!
//! The class is immutable, so threads share it. Work that may take long releases the GIL.

use std::borrow::Cow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString};
use robots_dialects::access::Response;
use robots_dialects::comparison::DecidingRule;
use robots_dialects::dialect::{Dialect, MatchedRule};
use robots_dialects::{Robots, limit};

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::{PyRobots, compare};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python has for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}

/// A robots.txt as one dialect reads it, or the response that came instead.
///
/// body: the file, as bytes or str.
/// dialect: rep1994, koster1996, conner1996, rep2019, rfc9309 or google.
/// status: the HTTP status that the body came with, which may allow or disallow everything;
///     None if no response came.
/// limit: the bytes that are read; a longer body is cut after its last complete line. None reads
///     everything.
///
/// A crawler is named by its product token ("GPTBot"), with or without a version (for google,
/// without: its parser is called with the bare token). Only the path and the query of a URL count.
/// Tokens and URLs are str or bytes. The only exceptions are for an argument of the wrong type
/// (TypeError), an unknown dialect (ValueError) and a limit out of range (OverflowError).
#[pyclass(frozen, name = "Robots", module = "robots_dialects")]
struct PyRobots {
    robots: Robots,
    response: Response,
}

#[pymethods]
impl PyRobots {
    #[new]
    #[pyo3(
        signature = (body, dialect = "rfc9309", status = Status(Response::Status(200)), *,
            limit = Some(limit::DEFAULT_LIMIT)),
        text_signature = "(body, dialect='rfc9309', status=200, *, limit=512000)"
    )]
    fn new(
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        dialect: &str,
        status: Status,
        limit: Option<usize>,
    ) -> PyResult<Self> {
        let body = bytes_of(body)?;
        let dialect = dialect_of(dialect)?;
        let body = limit.map_or(&*body, |limit| limit::cut(&body, limit));
        Ok(Self {
            robots: py.detach(|| Robots::read(body, dialect, status.0)),
            response: status.0,
        })
    }

    /// Whether the agent may fetch the URL.
    fn allowed(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.robots.allowed(bytes_of(agent)?, bytes_of(url)?))
    }

    /// Whether the agent may fetch each of the URLs, an iterable. Releases the GIL.
    fn allowed_many(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        urls: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<bool>> {
        if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err(
                "urls: expected an iterable of URLs, not one URL",
            ));
        }
        let agent = bytes_of(agent)?;
        let urls: Vec<Bound<'_, PyAny>> = urls.try_iter()?.collect::<PyResult<_>>()?;
        let urls: Vec<Cow<'_, [u8]>> = urls.iter().map(bytes_of).collect::<PyResult<_>>()?;
        let allowed = |url: &Cow<'_, [u8]>| self.robots.allowed(&agent, url);
        Ok(py.detach(|| urls.iter().map(allowed).collect()))
    }

    /// Whether the agent may fetch the URL, and why: a Verdict.
    fn verdict<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let verdict = self.robots.verdict(bytes_of(agent)?, bytes_of(url)?);
        let rule = verdict.rule.map(|rule| rule_text(py, rule)).transpose()?;
        result(py, "Verdict")?.call1((
            verdict.allowed,
            verdict.line,
            rule,
            verdict.reason.name(),
            verdict.choice.name(),
            verdict.is_interpretation,
        ))
    }

    /// How much of the site the agent is kept from: "none", "partial" or "full". Exact: decided
    /// over all possible paths, not by trying some.
    fn restriction(&self, py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let agent = bytes_of(agent)?;
        Ok(py.detach(|| self.robots.restriction(agent)).name())
    }

    /// Whether the content at the URL may be used for a category: "train-ai" or "search" of
    /// Content-Usage lines, "ai-train", "ai-input" or "search" of Content-Signal lines. None if no
    /// line answers, or the agent may not fetch the URL.
    #[pyo3(name = "use")]
    fn use_(
        &self,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        category: &Bound<'_, PyAny>,
    ) -> PyResult<Option<bool>> {
        let (agent, url, category) = (bytes_of(agent)?, bytes_of(url)?, bytes_of(category)?);
        let category = String::from_utf8_lossy(&category);
        let preference = self.robots.preference(agent, url, &category);
        Ok(preference.and_then(|preference| preference.allows))
    }

    /// The first Crawl-delay of directives(agent) that is a number from 0 on, in seconds.
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        Ok(self.robots.crawl_delay(bytes_of(agent)?))
    }

    /// The lines other than rules and sitemaps that apply to the agent, in order: Directives.
    /// Every dialect reads the groups for its whole product token here, or else the groups for *.
    /// With None, the lines that apply to the whole site, such as Host.
    fn directives<'py>(
        &self,
        py: Python<'py>,
        agent: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = result(py, "Directive")?;
        let lines = match agent {
            Some(agent) => self.robots.directives(bytes_of(agent)?),
            None => self.robots.site_directives(),
        };
        let lines = lines.into_iter().map(|line| {
            let name = text(py, &line.key.to_ascii_lowercase())?;
            class.call1((line.line_number, name, text(py, line.value)?))
        });
        lines.collect()
    }

    /// The groups of rules, in order.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = result(py, "Group")?;
        let document = self.robots.document();
        let groups = document.groups.iter().map(|group| {
            let agents = &document.user_agents[group.user_agents.clone()];
            let agents = texts(py, agents.iter().map(|line| line.value))?;
            let rules = document.rules[group.rules.clone()].iter().map(|rule| {
                let matched = MatchedRule {
                    rule_type: rule.rule_type,
                    value: rule.path_raw,
                };
                rule_text(py, matched)
            });
            class.call1((agents, rules.collect::<PyResult<Vec<_>>>()?))
        });
        groups.collect()
    }

    /// The values of the Sitemap lines, in order.
    #[getter]
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        texts(py, self.robots.sitemaps())
    }

    /// The product tokens that the file names, each once, as first written, including "*".
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        texts(py, self.robots.agents())
    }

    /// What is wrong in the file, line by line: Remarks.
    #[getter]
    fn remarks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = result(py, "Remark")?;
        let remarks = self.robots.remarks().into_iter();
        remarks
            .map(|remark| {
                let (kind, text) = (remark.kind, text(py, remark.text)?);
                class.call1((remark.line_number, kind.name(), text, kind.meaning()))
            })
            .collect()
    }

    /// The name of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.robots.dialect().name()
    }

    /// What the response means: "parse" if the rules of the body apply, else "allow_all",
    /// "disallow_all", "defer", "follow_redirect" or "use_cached". Nothing is allowed yet after
    /// the last three.
    #[getter]
    fn access(&self) -> &'static str {
        self.robots.access().name()
    }

    /// The bytes that were read; empty if the response has no rules.
    #[getter]
    fn body(&self) -> &[u8] {
        self.robots.body()
    }

    fn __repr__(&self) -> String {
        let (n_bytes, dialect) = (self.robots.body().len(), self.dialect());
        let access = self.access();
        format!("<Robots: {n_bytes} bytes, dialect={dialect:?}, access={access:?}>")
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<NewArguments<'py>> {
        let status = match self.response {
            Response::Status(status) => Some(status),
            Response::NoResponse | Response::TooManyRedirects => None,
        };
        let body = PyBytes::new(py, self.robots.body());
        let options = PyDict::new(py);
        options.set_item("limit", py.None())?; // it is cut already
        Ok(((body, self.dialect(), status), options))
    }
}

/// What a copy is made from: arguments by position and by name.
type NewArguments<'py> = (
    (Bound<'py, PyBytes>, &'static str, Option<u16>),
    Bound<'py, PyDict>,
);

/// Compare what two files allow an agent, exactly: a Comparison.
///
/// old, new: Robots, or bodies, which are read in the dialect.
/// dialect: None for the dialect of the Robots, or else rfc9309.
#[pyfunction]
#[pyo3(signature = (old, new, agent, dialect = None))]
fn compare<'py>(
    py: Python<'py>,
    old: &Bound<'py, PyAny>,
    new: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyAny>,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let read_by = |side: &Bound<'py, PyAny>| Some(side.cast::<PyRobots>().ok()?.get().dialect());
    let dialect = dialect.or(read_by(old)).or(read_by(new));
    let dialect = dialect.unwrap_or("rfc9309");
    let (old, new) = (robots_of(old, dialect)?, robots_of(new, dialect)?);
    let (old, new, agent) = (&old.get().robots, &new.get().robots, bytes_of(agent)?);
    let comparison = py.detach(|| old.compare(new, agent));
    let class = result(py, "Reason")?;
    let reasons = comparison.reasons.iter().map(|reason| {
        let rule = |deciding: Option<DecidingRule<'_>>| {
            deciding.map(|it| rule_text(py, it.rule)).transpose()
        };
        class.call1((
            reason.direction.name(),
            reason.old.map(|deciding| deciding.line),
            rule(reason.old)?,
            reason.new.map(|deciding| deciding.line),
            rule(reason.new)?,
            text(py, &reason.witness)?,
            texts(py, reason.patterns.iter().map(Vec::as_slice))?,
        ))
    });
    let reasons = reasons.collect::<PyResult<Vec<_>>>()?;
    let witness = comparison.reasons.first();
    let witness = witness
        .map(|reason| text(py, &reason.witness))
        .transpose()?;
    result(py, "Comparison")?.call1((
        comparison.class.name(),
        reasons,
        witness,
        comparison.is_complete,
    ))
}

/// The response with a status, from an argument that is an int or None.
#[derive(Clone, Copy)]
struct Status(Response);

impl<'py> FromPyObject<'_, 'py> for Status {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_none() {
            Ok(Self(Response::NoResponse))
        } else if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
            // A number that is not a status is not HTTP: it counts as no response.
            let status = value
                .extract()
                .map_or(Response::NoResponse, Response::Status);
            Ok(Self(status))
        } else {
            Err(wrong_type("an int or None", &value))
        }
    }
}

fn dialect_of(name: &str) -> PyResult<Dialect> {
    name.parse()
        .map_err(|error: robots_dialects::dialect::UnknownDialect| {
            PyValueError::new_err(error.to_string())
        })
}

/// A Robots of the dialect, as it is or made of a body.
fn robots_of<'py>(value: &Bound<'py, PyAny>, dialect: &str) -> PyResult<Bound<'py, PyRobots>> {
    let dialect = dialect_of(dialect)?.name();
    if let Ok(robots) = value.cast::<PyRobots>() {
        let known = robots.get().dialect();
        if known != dialect {
            let message = format!("a Robots read by {known} cannot be compared by {dialect}");
            return Err(PyValueError::new_err(message));
        }
        return Ok(robots.clone());
    }
    let (limit, status) = (Some(limit::DEFAULT_LIMIT), Status(Response::Status(200)));
    Bound::new(
        value.py(),
        PyRobots::new(value.py(), value, dialect, status, limit)?,
    )
}

/// The bytes of a str or bytes object.
fn bytes_of<'v>(value: &'v Bound<'_, PyAny>) -> PyResult<Cow<'v, [u8]>> {
    if let Ok(value) = value.cast::<PyString>() {
        if let Ok(text) = value.to_str() {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        // Surrogates for bytes that are not UTF-8, or surrogates without a meaning.
        let encode = |errors: &str| value.call_method1("encode", ("utf-8", errors));
        let bytes = encode("surrogateescape").or_else(|_| encode("surrogatepass"))?;
        Ok(Cow::Owned(bytes.extract()?))
    } else if let Ok(value) = value.cast::<PyBytes>() {
        Ok(Cow::Borrowed(value.as_bytes()))
    } else {
        Err(wrong_type("str or bytes", value))
    }
}

fn wrong_type(expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    match value.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("expected {expected}, not {name}")),
        Err(error) => error,
    }
}

fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => PyString::from_encoded_object(
            &PyBytes::new(py, bytes),
            Some(c"utf-8"),
            Some(c"surrogateescape"),
        ),
    }
}

fn texts<'py, 'b>(
    py: Python<'py>,
    values: impl IntoIterator<Item = &'b [u8]>,
) -> PyResult<Vec<Bound<'py, PyString>>> {
    values.into_iter().map(|value| text(py, value)).collect()
}

/// A rule as it would be written: `disallow: /path`.
fn rule_text<'py>(py: Python<'py>, rule: MatchedRule<'_>) -> PyResult<Bound<'py, PyString>> {
    text(
        py,
        &[rule.rule_type.name().as_bytes(), b": ", rule.value].concat(),
    )
}

/// A name of `robots_dialects._results`.
fn result<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let import = || Ok::<_, PyErr>(py.import("robots_dialects._results")?.unbind());
    MODULE.get_or_try_init(py, import)?.bind(py).getattr(name)
}
