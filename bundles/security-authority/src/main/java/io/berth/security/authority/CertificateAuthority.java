package io.berth.security.authority;

import io.berth.core.api.time.Clock;
import io.berth.core.security.CredentialFiles;
import io.berth.core.security.Peer;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The authority of a cluster: a folder with its key, its certificate, each certificate that it issued, and the list of
 * those that it revoked. Whoever has the key can be any process of the cluster, so keep the folder where only operators
 * come. Not thread-safe.
 */
public final class CertificateAuthority {

    /** The longest time that a certificate is valid: ten years. */
    public static final Duration MAX_VALID = Duration.ofDays(3650);

    private static final String KEY = "ca-key.pem";
    private static final String ISSUED = "issued";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final String CURVE = "secp256r1";
    private static final String COMMON_NAME = "CN=Berth cluster ";
    /** Clocks of hosts may differ. */
    private static final Duration EARLIER = Duration.ofHours(1);

    private final Path folder;
    private final PrivateKey key;
    private final X509Certificate certificate;
    private final Clock clock;

    /**
     * A certificate that was issued.
     *
     * @param serial number, hexadecimal
     * @param peer whose it is
     * @param validUntil its end
     * @param revoked whether it is revoked
     */
    public record Issued(String serial, Peer peer, Instant validUntil, boolean revoked) {}

    private CertificateAuthority(Path folder, PrivateKey key, X509Certificate certificate, Clock clock) {
        this.folder = folder;
        this.key = key;
        this.certificate = certificate;
        this.clock = clock;
    }

    /**
     * Makes the authority of a cluster.
     *
     * @param folder that does not exist yet, or is empty
     * @param cluster its name
     * @throws AuthorityException when the folder cannot be used
     */
    public static CertificateAuthority create(Path folder, String cluster, Clock clock) throws AuthorityException {
        try {
            PrivateFiles.createFolder(folder);
            try (Stream<Path> there = Files.list(folder)) {
                if (there.findAny().isPresent()) {
                    throw new AuthorityException(
                            "folder '" + folder + "' is not empty: allowed is one that is, or does not exist");
                }
            }
            KeyPair keys = pair();
            X500Principal name = new X500Principal(COMMON_NAME + cluster);
            Instant now = Instant.ofEpochMilli(clock.wallMillis());
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    serial(),
                    Date.from(now.minus(EARLIER)),
                    Date.from(now.plus(MAX_VALID)),
                    name,
                    keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
            X509Certificate certificate = sign(builder, keys.getPrivate());
            PrivateFiles.createFolder(folder.resolve(ISSUED));
            PrivateFiles.write(folder.resolve(CredentialFiles.AUTHORITIES), pem(certificate));
            PrivateFiles.write(folder.resolve(KEY), pem(new JcaPKCS8Generator(keys.getPrivate(), null)));
            CertificateAuthority authority = new CertificateAuthority(folder, keys.getPrivate(), certificate, clock);
            authority.writeRevoked(Set.of());
            return authority;
        } catch (IOException failure) {
            throw PrivateFiles.failed(folder, failure);
        } catch (GeneralSecurityException | OperatorCreationException failure) {
            throw new AuthorityException("the authority could not be made: " + failure.getMessage(), failure);
        }
    }

    /**
     * Opens one that {@link #create} made.
     *
     * @throws AuthorityException when the folder has none
     */
    public static CertificateAuthority open(Path folder, Clock clock) throws AuthorityException {
        Path file = folder.resolve(KEY);
        try (PEMParser parser = new PEMParser(Files.newBufferedReader(file))) {
            var block = parser.readPemObject();
            if (block == null) {
                throw new AuthorityException(file + " has no private key: it is damaged");
            }
            PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(block.getContent()));
            return new CertificateAuthority(
                    folder, key, certificate(folder.resolve(CredentialFiles.AUTHORITIES)), clock);
        } catch (NoSuchFileException missing) {
            throw new AuthorityException(
                    "folder '" + folder + "' has no authority: `berth security init` makes one", missing);
        } catch (IOException failure) {
            throw PrivateFiles.failed(file, failure);
        } catch (GeneralSecurityException failure) {
            throw new AuthorityException(file + " cannot be read: " + failure.getMessage(), failure);
        }
    }

    /** Name of the cluster. */
    public String cluster() {
        return certificate.getSubjectX500Principal().getName().substring(COMMON_NAME.length());
    }

    /**
     * Makes a key and a certificate, and writes the folder of a process with them. One that is there already gets a new key
     * and a new certificate, which the process uses at once.
     *
     * @param valid for how long, at most {@link #MAX_VALID}
     * @throws AuthorityException when the folder cannot be written
     */
    public Issued issue(Peer peer, Duration valid, Path to) throws AuthorityException {
        if (valid.isNegative() || valid.isZero() || valid.compareTo(MAX_VALID) > 0) {
            throw new AuthorityException("days is '" + valid.toDays() + "': allowed is 1 to " + MAX_VALID.toDays());
        }
        if (!peer.cluster().equals(cluster())) {
            throw new AuthorityException(
                    "cluster is '" + peer.cluster() + "': allowed is that of the authority, " + cluster());
        }
        try {
            KeyPair keys = pair();
            X509Certificate issued = certify(peer, keys.getPublic(), valid);
            // First what is needed to revoke it.
            PrivateFiles.write(folder.resolve(ISSUED).resolve(text(issued) + ".pem"), pem(issued));
            PrivateFiles.createFolder(to);
            PrivateFiles.write(to.resolve(CredentialFiles.AUTHORITIES), pem(certificate));
            PrivateFiles.write(
                    to.resolve(CredentialFiles.REVOKED), Files.readString(folder.resolve(CredentialFiles.REVOKED)));
            PrivateFiles.write(to.resolve(CredentialFiles.KEY), pem(new JcaPKCS8Generator(keys.getPrivate(), null)));
            PrivateFiles.write(to.resolve(CredentialFiles.CERTIFICATE), pem(issued));
            return new Issued(text(issued), peer, issued.getNotAfter().toInstant(), false);
        } catch (IOException failure) {
            throw PrivateFiles.failed(to, failure);
        } catch (GeneralSecurityException | OperatorCreationException failure) {
            throw new AuthorityException("the certificate could not be made: " + failure.getMessage(), failure);
        }
    }

    private X509Certificate certify(Peer peer, PublicKey subject, Duration valid)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                certificate,
                serial(),
                Date.from(now.minus(EARLIER)),
                Date.from(now.plus(valid)),
                new X500Principal("CN=" + peer.name()),
                subject);
        JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
            KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
        }));
        builder.addExtension(
                Extension.authorityKeyIdentifier,
                false,
                extensions.createAuthorityKeyIdentifier(certificate.getPublicKey()));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(peer.uris().stream()
                        .map(uri -> new GeneralName(GeneralName.uniformResourceIdentifier, uri))
                        .toArray(GeneralName[]::new)));
        return sign(builder, key);
    }

    /** All certificates that were issued, in the order of their ends. */
    public List<Issued> issued() throws AuthorityException {
        Path all = folder.resolve(ISSUED);
        try (Stream<Path> files = Files.list(all)) {
            Set<String> revoked = revoked();
            List<Issued> issued = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                X509Certificate one = certificate(file);
                issued.add(new Issued(
                        text(one), Peer.of(one), one.getNotAfter().toInstant(), revoked.contains(text(one))));
            }
            issued.sort(Comparator.comparing(Issued::validUntil).thenComparing(Issued::serial));
            return issued;
        } catch (IOException failure) {
            throw PrivateFiles.failed(all, failure);
        } catch (GeneralSecurityException failure) {
            throw new AuthorityException(all + " cannot be read: " + failure.getMessage(), failure);
        }
    }

    /**
     * Revokes certificates for good. The list must then come into the folder of each process.
     *
     * @param serials of certificates that were issued
     * @throws AuthorityException when one was not issued, or the list cannot be written
     */
    public void revoke(Set<String> serials) throws AuthorityException {
        List<String> known = issued().stream().map(Issued::serial).toList();
        for (String serial : serials) {
            if (!known.contains(serial)) {
                throw new AuthorityException("serial is '" + serial + "': allowed is one of " + known);
            }
        }
        try {
            Set<String> all = new TreeSet<>(revoked());
            all.addAll(serials);
            writeRevoked(all);
        } catch (IOException failure) {
            throw PrivateFiles.failed(folder.resolve(CredentialFiles.REVOKED), failure);
        } catch (GeneralSecurityException | OperatorCreationException failure) {
            throw new AuthorityException("the list could not be made: " + failure.getMessage(), failure);
        }
    }

    /** Writes the current list of revoked certificates into the folder of a process. */
    public void distribute(Path to) throws AuthorityException {
        try {
            PrivateFiles.write(
                    to.resolve(CredentialFiles.REVOKED), Files.readString(folder.resolve(CredentialFiles.REVOKED)));
        } catch (IOException failure) {
            throw PrivateFiles.failed(to, failure);
        }
    }

    private Set<String> revoked() throws IOException, GeneralSecurityException {
        try (var bytes = Files.newInputStream(folder.resolve(CredentialFiles.REVOKED))) {
            X509CRL list = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(bytes);
            Set<String> serials = new TreeSet<>();
            Set<? extends X509CRLEntry> entries = list.getRevokedCertificates();
            if (entries != null) {
                entries.forEach(entry -> serials.add(entry.getSerialNumber().toString(16)));
            }
            return serials;
        }
    }

    private void writeRevoked(Set<String> serials)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        Date now = Date.from(Instant.ofEpochMilli(clock.wallMillis()));
        JcaX509v2CRLBuilder builder = new JcaX509v2CRLBuilder(certificate.getSubjectX500Principal(), now);
        builder.setNextUpdate(certificate.getNotAfter());
        serials.forEach(serial -> builder.addCRLEntry(new BigInteger(serial, 16), now, CRLReason.unspecified));
        X509CRL list =
                new JcaX509CRLConverter().getCRL(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
        PrivateFiles.write(folder.resolve(CredentialFiles.REVOKED), pem(list));
    }

    private static X509Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (var bytes = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
        }
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
    }

    private static KeyPair pair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE));
        return generator.generateKeyPair();
    }

    private static BigInteger serial() {
        return new BigInteger(127, new SecureRandom()).add(BigInteger.ONE);
    }

    private static String text(X509Certificate certificate) {
        return certificate.getSerialNumber().toString(16);
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
