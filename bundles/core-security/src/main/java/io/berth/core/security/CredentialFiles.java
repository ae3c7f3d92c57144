package io.berth.core.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a process with what it needs to speak to others, in one folder, all of them PEM.
 *
 * @param folder that has them
 */
public record CredentialFiles(Path folder) {

    /** Private key of the process, PKCS #8, readable by its owner only. */
    public static final String KEY = "key.pem";

    /** Certificate of the process, followed by those between it and an authority. */
    public static final String CERTIFICATE = "certificate.pem";

    /** Certificates of the authorities whose certificates the process trusts. */
    public static final String AUTHORITIES = "ca.pem";

    /** Revoked certificates: lists (CRLs) of the authorities. The file may be missing. */
    public static final String REVOKED = "revoked.pem";

    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    /** The paths of all files, also of one that is missing. */
    List<Path> all() {
        return List.of(
                folder.resolve(KEY), folder.resolve(CERTIFICATE), folder.resolve(AUTHORITIES), folder.resolve(REVOKED));
    }

    /**
     * Reads and checks all files.
     *
     * @param wallMillis the time at which certificates must be valid
     * @throws CredentialException when they cannot be used
     */
    public Credentials read(long wallMillis) throws CredentialException {
        List<X509Certificate> chain = certificates(CERTIFICATE);
        return Credentials.of(this, key(), chain, certificates(AUTHORITIES), revocations(), wallMillis);
    }

    private PrivateKey key() throws CredentialException {
        Path file = folder.resolve(KEY);
        byte[] bytes = bytes(file);
        requirePrivate(file);
        Matcher block = PRIVATE_KEY.matcher(new String(bytes, StandardCharsets.US_ASCII));
        Arrays.fill(bytes, (byte) 0);
        if (!block.find()) {
            throw new CredentialException(file + " has no private key: allowed is PEM with PKCS #8, which begins with"
                    + " '-----BEGIN PRIVATE KEY-----'; `openssl pkcs8 -topk8 -nocrypt` writes one");
        }
        byte[] encoded;
        try {
            encoded = Base64.getMimeDecoder().decode(block.group(1));
        } catch (IllegalArgumentException malformed) {
            throw new CredentialException(file + ": the private key is not Base64: " + malformed.getMessage());
        }
        try {
            for (String algorithm : ALGORITHMS) {
                Optional<PrivateKey> key = key(algorithm, encoded);
                if (key.isPresent()) {
                    return key.get();
                }
            }
        } catch (GeneralSecurityException failure) {
            throw new CredentialException(file + ": the private key cannot be read: " + failure.getMessage(), failure);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
        throw new CredentialException(
                file + ": the private key cannot be read: allowed are keys of " + String.join(", ", ALGORITHMS));
    }

    /** The key, when it is one of the algorithm. */
    private static Optional<PrivateKey> key(String algorithm, byte[] encoded) throws GeneralSecurityException {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded)));
        } catch (InvalidKeySpecException other) {
            return Optional.empty();
        }
    }

    /** Windows has no such permissions; nothing is checked there. */
    private static void requirePrivate(Path file) throws CredentialException {
        try {
            Set<PosixFilePermission> others = new TreeSet<>(Files.getPosixFilePermissions(file));
            others.retainAll(OTHERS);
            if (!others.isEmpty()) {
                throw new CredentialException(file + " is open to others (" + others
                        + "): only its owner may read it, `chmod 600 " + file + "`");
            }
        } catch (UnsupportedOperationException noPosix) {
            return;
        } catch (IOException failure) {
            throw unreadable(file, failure);
        }
    }

    private List<X509Certificate> certificates(String name) throws CredentialException {
        Path file = folder.resolve(name);
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate certificate : parse(file, CertificateFactory::generateCertificates)) {
            certificates.add((X509Certificate) certificate);
        }
        if (certificates.isEmpty()) {
            throw new CredentialException(file + " has no certificate: allowed is PEM with at least one");
        }
        return certificates;
    }

    private List<X509CRL> revocations() throws CredentialException {
        Path file = folder.resolve(REVOKED);
        if (!Files.exists(file)) {
            return List.of();
        }
        List<X509CRL> lists = new ArrayList<>();
        for (CRL list : parse(file, CertificateFactory::generateCRLs)) {
            lists.add((X509CRL) list);
        }
        if (lists.isEmpty()) {
            throw new CredentialException(
                    file + " has no list of revoked certificates: allowed is PEM with at least one, or" + " no file");
        }
        return lists;
    }

    /**
     * A list that is missing, or was copied only in part, must not let in again who was revoked.
     *
     * @throws CredentialException when a list is missing that was in use, or is older
     */
    void requireNoOlderLists(Credentials used, Credentials read) throws CredentialException {
        for (X509CRL before : used.revocations()) {
            boolean followed = read.revocations().stream()
                    .anyMatch(list -> list.getIssuerX500Principal().equals(before.getIssuerX500Principal())
                            && !list.getThisUpdate()
                                    .toInstant()
                                    .isBefore(before.getThisUpdate().toInstant()));
            boolean trusted = read.authorities().stream()
                    .anyMatch(authority -> authority.getSubjectX500Principal().equals(before.getIssuerX500Principal()));
            if (trusted && !followed) {
                throw new CredentialException(folder.resolve(REVOKED) + " has no list of "
                        + before.getIssuerX500Principal() + " as new as the one in use, of "
                        + before.getThisUpdate().toInstant());
            }
        }
    }

    /** One of the readers of {@link CertificateFactory}. */
    @FunctionalInterface
    private interface Reader<T> {
        Collection<? extends T> read(CertificateFactory factory, ByteArrayInputStream bytes)
                throws GeneralSecurityException;
    }

    private static <T> Collection<? extends T> parse(Path file, Reader<T> reader) throws CredentialException {
        byte[] bytes = bytes(file);
        if (bytes.length == 0) {
            return List.of();
        }
        try {
            return reader.read(CertificateFactory.getInstance("X.509"), new ByteArrayInputStream(bytes));
        } catch (GeneralSecurityException malformed) {
            throw new CredentialException(file + " cannot be read as PEM: " + malformed.getMessage(), malformed);
        }
    }

    private static byte[] bytes(Path file) throws CredentialException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CredentialException(file + " has more than " + MAX_BYTES + " bytes, which are allowed");
            }
            return Files.readAllBytes(file);
        } catch (IOException failure) {
            throw unreadable(file, failure);
        }
    }

    private static CredentialException unreadable(Path file, IOException failure) {
        return new CredentialException(
                file + " cannot be read: "
                        + (failure instanceof NoSuchFileException
                                ? "it does not exist"
                                : String.valueOf(failure.getMessage())),
                failure);
    }
}
