/// A self-signed certificate. Its key was thrown away.
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

    /// Self-signed too, for login.contoso.com, *.apps.contoso.com, 127.0.0.1 and ::1; its common name is
    /// cn.contoso.com.
    static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBnzCCAUWgAwIBAgIUdab50Z0Rm26SlpjdLwrru+sNhkswCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOY24uY29udG9zby5jb20wHhcNMjYxMTIyMDIyOTMyWhcNMjYx
        MjIyMDIyOTMyWjAZMRcwFQYDVQQDDA5jbi5jb250b3NvLmNvbTBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABJYpuQPrdxft/Nnh2llK55KvmnpzSbBa7azlSAiWE78b
        ZIxM6Z8/NzWv0gszgvPeSmDKNOd8ar1KRSBRrCQX2EujazBpMEgGA1UdEQRBMD+C
        EWxvZ2luLmNvbnRvc28uY29tghIqLmFwcHMuY29udG9zby5jb22HBH8AAAGHEAAA
        AAAAAAAAAAAAAAAAAAEwHQYDVR0OBBYEFBPvg2Lz9I1n5NplyyZvbd+yjdeeMAoG
        CCqGSM49BAMCA0gAMEUCIQCQ3NPcVU1Q+F/4UVtF4svP223u5aj3tJSTzy3oCid7
        QAIgMmxxwenx9D11QBmGcsFn+3w4BTjUs6UMwWtQBT+2Rfs=
        -----END CERTIFICATE-----

        """

    /// When ``server`` begins to be valid and when it ends, in seconds since 1970.
    static let serverDates = (from: Int64(1_795_314_572), until: Int64(1_797_906_572))
}
