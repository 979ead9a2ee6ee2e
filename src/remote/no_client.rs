//! Replaces the client in a program that was built without the feature `remote`.

use std::convert::Infallible;

use super::address::Address;
use super::failure::Failure;
use super::options::RemoteOptions;
use super::pace::Pace;
use super::reply::Reply;
use crate::error::Error;

pub(super) struct Client {
    pub(super) pace: Pace,
    pub(super) options: RemoteOptions,
    never: Infallible,
}

impl Client {
    pub(super) fn new(_: &RemoteOptions) -> Result<Self, Error> {
        let message = "this robostat was built without the feature `remote`, which reads http://, \
            https:// and s3://; install it with that feature (cargo's default), or fetch the files \
            by other means";
        Err(Error::Failed(message.to_owned()))
    }

    pub(super) fn get(
        &self,
        _: &Address,
        _: Option<&str>,
        _: Option<&str>,
        _: &dyn Fn() -> bool,
    ) -> Result<Reply, Failure> {
        match self.never {}
    }

    pub(super) fn list(&self, _: &str, _: &str) -> Result<Vec<Address>, Failure> {
        match self.never {}
    }
}
