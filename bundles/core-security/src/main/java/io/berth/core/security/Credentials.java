package io.berth.core.security;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a process shows to its peers, and by what it judges theirs. Immutable.
 *
 * @param self the process, as its certificate names it
 * @param key private key of the certificate
 * @param chain the certificate, and those between it and an authority
 * @param authorities whose certificates are trusted
 * @param revocations lists of revoked certificates, each signed by an authority or a certificate of the chain
 */
public record Credentials(
        Peer self,
        PrivateKey key,
        List<X509Certificate> chain,
        List<X509Certificate> authorities,
        List<X509CRL> revocations) {

    public Credentials {
        chain = List.copyOf(chain);
        authorities = List.copyOf(authorities);
        revocations = List.copyOf(revocations);
    }

    static Credentials of(
            CredentialFiles files,
            PrivateKey key,
            List<X509Certificate> chain,
            List<X509Certificate> authorities,
            List<X509CRL> revocations,
            long wallMillis)
            throws CredentialException {
        Path certificate = files.folder().resolve(CredentialFiles.CERTIFICATE);
        Peer self;
        try {
            self = Peer.of(chain.get(0));
        } catch (IllegalArgumentException unnamed) {
            throw new CredentialException(certificate + ": " + unnamed.getMessage(), unnamed);
        }
        requirePair(files, key, chain.get(0).getPublicKey());
        requireSigned(files, revocations, authorities, chain);
        Credentials credentials = new Credentials(self, key, chain, authorities, revocations);
        try {
            credentials.judge(chain, wallMillis);
        } catch (CertificateException untrusted) {
            throw new CredentialException(
                    certificate + " is not valid for the authorities of " + CredentialFiles.AUTHORITIES + ": "
                            + untrusted.getMessage(),
                    untrusted);
        }
        return credentials;
    }

    /**
     * Who a peer is.
     *
     * @param peerChain its certificate first
     * @throws CertificateException when it does not belong to the cluster: the message says why
     */
    public Peer judge(List<X509Certificate> peerChain, long wallMillis) throws CertificateException {
        X509Certificate certificate = peerChain.get(0);
        requireTime(certificate, wallMillis);
        try {
            Set<TrustAnchor> anchors = authorities.stream()
                    .map(authority -> new TrustAnchor(authority, null))
                    .collect(Collectors.toSet());
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setDate(Date.from(Instant.ofEpochMilli(wallMillis)));
            // The lists are checked below: PKIX refuses each certificate once a list is older than its next update.
            parameters.setRevocationEnabled(false);
            List<X509Certificate> path =
                    peerChain.stream().filter(one -> !authorities.contains(one)).toList();
            if (path.isEmpty()) {
                throw new CertificateException("it shows the certificate of an authority");
            }
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
        } catch (GeneralSecurityException untrusted) {
            throw new CertificateException(
                    "no authority of this cluster signed certificate " + serial(certificate) + " ("
                            + untrusted.getMessage() + ")",
                    untrusted);
        }
        for (X509Certificate one : peerChain) {
            if (revocations.stream().anyMatch(list -> list.isRevoked(one))) {
                throw new CertificateException("certificate " + serial(one) + " is revoked");
            }
        }
        Peer peer;
        try {
            peer = Peer.of(certificate);
        } catch (IllegalArgumentException unnamed) {
            throw new CertificateException(unnamed.getMessage(), unnamed);
        }
        if (!peer.cluster().equals(self.cluster())) {
            throw new CertificateException(
                    peer + " shows a certificate of another cluster: this one is " + self.cluster());
        }
        return peer;
    }

    /** The end of the certificate of this process. */
    public Instant validUntil() {
        return chain.get(0).getNotAfter().toInstant();
    }

    private static void requireTime(X509Certificate certificate, long wallMillis) throws CertificateException {
        Instant now = Instant.ofEpochMilli(wallMillis);
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isBefore(from)) {
            throw new CertificateException("certificate " + serial(certificate) + " is valid from " + from
                    + " on, and it is " + now + ": compare the clocks of both hosts");
        }
        if (now.isAfter(until)) {
            throw new CertificateException("certificate " + serial(certificate) + " expired at " + until);
        }
    }

    private static void requirePair(CredentialFiles files, PrivateKey key, PublicKey certified)
            throws CredentialException {
        String message = files.folder().resolve(CredentialFiles.KEY) + " is not the key of "
                + CredentialFiles.CERTIFICATE + ", which begins with the certificate of this process";
        try {
            String algorithm = switch (key.getAlgorithm()) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> "Ed25519";
            };
            byte[] text = {1, 2, 3, 4};
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(text);
            if (!signature.verify(signed)) {
                throw new CredentialException(message);
            }
        } catch (GeneralSecurityException otherKind) {
            throw new CredentialException(message, otherKind);
        }
    }

    /** A list that nobody signed who may would let its writer lock out a peer, or hide that one is revoked. */
    private static void requireSigned(
            CredentialFiles files,
            List<X509CRL> revocations,
            List<X509Certificate> authorities,
            List<X509Certificate> chain)
            throws CredentialException {
        for (X509CRL list : revocations) {
            boolean signed = authorities.stream().anyMatch(issuer -> signed(list, issuer))
                    || chain.stream().skip(1).anyMatch(issuer -> signed(list, issuer));
            if (!signed) {
                throw new CredentialException(files.folder().resolve(CredentialFiles.REVOKED) + ": the list of "
                        + list.getIssuerX500Principal() + " is not signed by an authority of "
                        + CredentialFiles.AUTHORITIES);
            }
        }
    }

    private static boolean signed(X509CRL list, X509Certificate issuer) {
        try {
            list.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException other) {
            return false;
        }
    }

    private static String serial(X509Certificate certificate) {
        return certificate.getSerialNumber().toString(16);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return self + ", valid until " + validUntil();
    }
}
