"""Certificates that a test makes for itself: authorities, clients' and servers' own, and expired ones."""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


class Certificate:
    """A P-256 key with its certificate, in two files."""

    def __init__(self, folder, name, issuer=None, is_authority=False, days=2, names=()):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = self._issued(issuer or self, is_authority, days, names)
        self.pem = folder / f"{name}.pem"
        self.key_file = folder / f"{name}.key"
        self.pem.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))
        self.key_file.write_bytes(self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    def _issued(self, issuer, is_authority, days, names):
        now = datetime.datetime.now(datetime.timezone.utc)
        # An expired one has been valid once.
        start = now - datetime.timedelta(days=30)
        builder = (
            x509.CertificateBuilder()
            .subject_name(self.subject).issuer_name(issuer.subject).public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start).not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        elif not is_authority:
            usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
            builder = builder.add_extension(usage, critical=False)
        return builder.sign(issuer.key, hashes.SHA256())
