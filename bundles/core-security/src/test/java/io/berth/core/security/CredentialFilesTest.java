package io.berth.core.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.rpc.PeerRole;
import io.berth.core.security.fake.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialFilesTest {

    private static final Instant NOW = Instant.parse("2030-05-01T12:00:00Z");
    private static final String WORKER = "spiffe://main/worker/w-1";

    @TempDir
    private Path folder;

    private TestAuthority authority;

    @BeforeEach
    void begin() throws Exception {
        authority = new TestAuthority(NOW);
    }

    private Credentials read() throws CredentialException {
        return new CredentialFiles(folder).read(NOW.toEpochMilli());
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void readsKeysOfEachAlgorithm(String algorithm) throws Exception {
        authority.write(folder, authority.issue(algorithm, 30, WORKER));
        assertThat(read().self()).isEqualTo(new Peer("main", Set.of(PeerRole.WORKER), "w-1"));
    }

    @Test
    void aProcessMayHaveSeveralRoles() throws Exception {
        authority.write(folder, authority.issue("spiffe://main/control-plane/a", "spiffe://main/job-master/a"));
        assertThat(read().self())
                .isEqualTo(new Peer("main", Set.of(PeerRole.CONTROL_PLANE, PeerRole.JOB_MASTER), "a"))
                .hasToString("control-plane and job-master a of cluster main");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://main/worker/w-1",
                "spiffe://main/worker",
                "spiffe://main/worker/w-1/x",
                "spiffe://main/worker/w-1?x",
                "spiffe://main/operator/w-1",
                "spiffe://Main/worker/w-1",
                "spiffe://main/worker/.w",
                "spiffe:///worker/w-1"
            })
    void namesAProcessThatCannotBe(String uri) throws Exception {
        authority.write(folder, authority.issue(uri));
        assertThatThrownBy(this::read)
                .isInstanceOf(CredentialException.class)
                .hasMessageContaining(CredentialFiles.CERTIFICATE)
                .hasMessageContaining("'" + uri + "'")
                .hasMessageContaining("allowed");
    }

    @Test
    void aCertificateNamesOneProcess() throws Exception {
        authority.write(folder, authority.issue(WORKER, "spiffe://main/worker/w-2"));
        assertThatThrownBy(this::read)
                .hasMessageContaining("names two processes")
                .hasMessageContaining("w-2");
        authority.write(folder, authority.issue());
        assertThatThrownBy(this::read).hasMessageContaining("no alternative name");
    }

    @Test
    void aKeyThatOthersCanReadIsNotUsed() throws Exception {
        authority.write(folder, authority.issue(WORKER));
        Path key = folder.resolve(CredentialFiles.KEY);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(this::read).hasMessageContaining("open to others").hasMessageContaining("chmod 600 " + key);
    }

    @Test
    void saysWhichFileIsMissingOrMalformed() throws Exception {
        authority.write(folder, authority.issue(WORKER));
        Path authorities = folder.resolve(CredentialFiles.AUTHORITIES);
        Files.writeString(authorities, "-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(this::read).hasMessageContaining(authorities + " cannot be read as PEM");
        Files.writeString(authorities, "");
        assertThatThrownBy(this::read).hasMessageContaining(authorities + " has no certificate");
        Files.delete(authorities);
        assertThatThrownBy(this::read).hasMessageContaining(authorities + " cannot be read: it does not exist");
        Path key = folder.resolve(CredentialFiles.KEY);
        Files.writeString(key, "-----BEGIN EC PRIVATE KEY-----\n");
        assertThatThrownBy(this::read)
                .hasMessageContaining(key + " has no private key")
                .hasMessageContaining("PKCS #8");
    }

    @Test
    void keyAndCertificateBelongTogether() throws Exception {
        TestAuthority.Issued other = authority.issue(WORKER);
        authority.write(folder, new TestAuthority.Issued(authority.issue(WORKER).certificate(), other.keys()));
        assertThatThrownBy(this::read).hasMessageContaining("is not the key of");
    }

    @Test
    void theOwnCertificateMustBeValid() throws Exception {
        authority.write(folder, authority.issue("EC", -1, WORKER));
        assertThatThrownBy(this::read).hasMessageContaining("expired at 2030-04-30T12:00:00Z");
        authority.write(folder, authority.issue(WORKER));
        assertThatThrownBy(() -> new CredentialFiles(folder)
                        .read(NOW.minusSeconds(30 * 86_400).toEpochMilli()))
                .hasMessageContaining("compare the clocks");
        new TestAuthority(NOW).write(folder, authority.issue(WORKER));
        assertThatThrownBy(this::read).hasMessageContaining("no authority of this cluster signed");
    }

    @Test
    void judgesPeers() throws Exception {
        authority.write(folder, authority.issue("spiffe://main/control-plane/a"));
        Credentials credentials = read();
        assertThat(judge(credentials, authority.issue(WORKER)).name()).isEqualTo("w-1");
        assertRefused(credentials, authority.issue("spiffe://other/worker/w-1"), "of another cluster");
        assertRefused(credentials, new TestAuthority(NOW).issue(WORKER), "no authority of this cluster");
        assertRefused(credentials, authority.issue("EC", -1, WORKER), "expired");
        assertRefused(credentials, authority.issue(), "no alternative name");
    }

    @Test
    void aRevokedCertificateIsRefused() throws Exception {
        TestAuthority.Issued revoked = authority.issue(WORKER);
        authority.write(folder, authority.issue("spiffe://main/control-plane/a"));
        authority.revoke(folder, List.of(revoked));
        Credentials credentials = read();
        assertRefused(credentials, revoked, "is revoked");
        assertThat(judge(credentials, authority.issue(WORKER)).name()).isEqualTo("w-1");
        new TestAuthority(NOW).revoke(folder, List.of());
        assertThatThrownBy(this::read).hasMessageContaining("is not signed by an authority");
    }

    private static Peer judge(Credentials credentials, TestAuthority.Issued peer) throws CertificateException {
        return credentials.judge(List.of(peer.certificate()), NOW.toEpochMilli());
    }

    private static void assertRefused(Credentials credentials, TestAuthority.Issued peer, String message) {
        assertThatThrownBy(() -> judge(credentials, peer))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining(message);
    }
}
