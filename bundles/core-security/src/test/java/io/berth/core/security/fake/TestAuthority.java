package io.berth.core.security.fake;

import io.berth.core.security.CredentialFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority that signs certificates of tests. */
public final class TestAuthority {

    private static final X500Principal NAME = new X500Principal("CN=authority");

    private final KeyPair keys;
    private final X509Certificate certificate;
    private final Instant now;
    private long serial = 100;
    private String others = "";

    public TestAuthority(Instant now) throws Exception {
        this.now = now;
        this.keys = pair("EC");
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                NAME,
                BigInteger.ONE,
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(3650))),
                NAME,
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(1));
        certificate = sign(builder);
    }

    private X509Certificate sign(JcaX509v3CertificateBuilder builder)
            throws OperatorCreationException, GeneralSecurityException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    }

    private static KeyPair pair(String algorithm) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("EC")) {
            generator.initialize(new ECGenParameterSpec("secp256r1"));
        }
        return generator.generateKeyPair();
    }

    /** Processes that are written from now on trust those of the other one too. */
    public void alsoTrusts(TestAuthority other) throws IOException {
        others += pem(other.certificate);
    }

    /** A certificate and its key. */
    public record Issued(X509Certificate certificate, KeyPair keys) {}

    /** Valid from yesterday until {@code days} from now. */
    public Issued issue(String algorithm, long days, String... uris) throws Exception {
        KeyPair subject = pair(algorithm);
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                NAME,
                BigInteger.valueOf(serial++),
                Date.from(now.minus(Duration.ofDays(2))),
                Date.from(now.plus(Duration.ofDays(days))),
                new X500Principal("CN=process"),
                subject.getPublic());
        if (uris.length > 0) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(Stream.of(uris)
                            .map(uri -> new GeneralName(GeneralName.uniformResourceIdentifier, uri))
                            .toArray(GeneralName[]::new)));
        }
        return new Issued(sign(builder), subject);
    }

    public Issued issue(String... uris) throws Exception {
        return issue("EC", 100, uris);
    }

    /** Writes what a process with this certificate has in its folder. */
    public CredentialFiles write(Path folder, Issued issued) throws Exception {
        Files.createDirectories(folder);
        String key = pem(new JcaPKCS8Generator(issued.keys().getPrivate(), null));
        Path file = folder.resolve(CredentialFiles.KEY);
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, key);
        Files.writeString(folder.resolve(CredentialFiles.CERTIFICATE), pem(issued.certificate()));
        Files.writeString(folder.resolve(CredentialFiles.AUTHORITIES), pem(certificate) + others);
        return new CredentialFiles(folder);
    }

    /** Writes the list of revoked certificates. */
    public void revoke(Path folder, List<Issued> revoked) throws Exception {
        JcaX509v2CRLBuilder builder = new JcaX509v2CRLBuilder(NAME, Date.from(now));
        revoked.forEach(one ->
                builder.addCRLEntry(one.certificate().getSerialNumber(), Date.from(now), CRLReason.keyCompromise));
        Files.writeString(
                folder.resolve(CredentialFiles.REVOKED),
                pem(new JcaX509CRLConverter()
                        .getCRL(builder.build(
                                new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())))));
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
