internal import SwitchyardHTTP

extension Request {
    /// Whether it was a page of this origin that made the browser send this, as far as the browser says
    /// (Fetch Metadata); one that says nothing is given the benefit of the doubt.
    var isFromOwnSite: Bool {
        guard let site = field("sec-fetch-site") else { return true }
        return site == "same-origin" || site == "none"
    }
}
