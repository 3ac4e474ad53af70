/// A self-signed certificate whose key nobody has.
enum SampleCertificate {
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBiTCCAS+gAwIBAgIUWHXON0hrR5inc5vIXVk9fQcahlcwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOY2xpZW50LmV4YW1wbGUwIBcNMjYxMTIxMDcwNzQ1WhgPMjEy
        NjEwMjgwNzA3NDVaMBkxFzAVBgNVBAMMDmNsaWVudC5leGFtcGxlMFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAETyyDKYQaPVVEKcJJn5j6QwXkB2IJ40SrE4Uuk2e0
        Wk/2tswizWlJDI5Z4AYYCHQib12il3ByGURt/b70MaYGWqNTMFEwHQYDVR0OBBYE
        FDoOevtIdr3qRguL3AcXEiP7ZqCkMB8GA1UdIwQYMBaAFDoOevtIdr3qRguL3AcX
        EiP7ZqCkMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAKIrf/BL
        MT827L6isdfXBStwcexrHcl7ToFBsamLMG4zAiAfA8Xo/u+5UYMtCd0StcDUh3k1
        OZPR7JWJi+KEAMGemQ==
        -----END CERTIFICATE-----

        """
}
