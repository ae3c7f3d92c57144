package io.berth.security.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.rpc.PeerRole;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.core.security.CredentialFiles;
import io.berth.core.security.Credentials;
import io.berth.core.security.Peer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {

    private static final Peer WORKER = new Peer("main", Set.of(PeerRole.WORKER), "w-1");
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir
    private Path temporary;

    private final Clock clock = new SystemClock();
    private Path folder;
    private CertificateAuthority authority;

    @BeforeEach
    void begin() throws Exception {
        folder = temporary.resolve("authority");
        authority = CertificateAuthority.create(folder, "main", clock);
    }

    private Credentials read(Path process) throws Exception {
        return new CredentialFiles(process).read(clock.wallMillis());
    }

    @Test
    void aProcessCanUseWhatWasIssued() throws Exception {
        Path process = temporary.resolve("w-1");
        authority.issue(WORKER, YEAR, process);
        Credentials credentials = read(process);
        assertThat(credentials.self()).isEqualTo(WORKER);
        assertThat(credentials.judge(credentials.chain(), clock.wallMillis())).isEqualTo(WORKER);
    }

    @Test
    void itGoesOnFromItsFolder() throws Exception {
        CertificateAuthority again = CertificateAuthority.open(folder, clock);
        assertThat(again.cluster()).isEqualTo("main");
        again.issue(WORKER, YEAR, temporary.resolve("w-1"));
        assertThat(authority.issued())
                .extracting(CertificateAuthority.Issued::peer)
                .containsExactly(WORKER);
    }

    @Test
    void aRevokedCertificateIsRefusedByThoseWhoHaveTheList() throws Exception {
        Path process = temporary.resolve("w-1");
        Path other = temporary.resolve("a");
        var issued = authority.issue(WORKER, YEAR, process);
        authority.issue(new Peer("main", Set.of(PeerRole.CONTROL_PLANE), "a"), YEAR, other);
        List<java.security.cert.X509Certificate> chain = read(process).chain();
        authority.revoke(Set.of(issued.serial()));
        assertThat(read(other).judge(chain, clock.wallMillis())).isEqualTo(WORKER);
        authority.distribute(other);
        assertThatThrownBy(() -> read(other).judge(chain, clock.wallMillis()))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("certificate " + issued.serial() + " is revoked");
        assertThat(authority.issued())
                .extracting(CertificateAuthority.Issued::revoked)
                .containsExactlyInAnyOrder(true, false);
        authority.issue(WORKER, YEAR, process);
        assertThat(read(other).judge(read(process).chain(), clock.wallMillis())).isEqualTo(WORKER);
    }

    @Test
    void onlyTheOwnerCanReadWhatIsSecret() throws Exception {
        Path process = temporary.resolve("w-1");
        authority.issue(WORKER, YEAR, process);
        for (Path secret : List.of(folder.resolve("ca-key.pem"), process.resolve(CredentialFiles.KEY))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                    .isEqualTo("rw-------");
        }
        for (Path closed : List.of(folder, process)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(closed)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void saysWhatIsAllowed() {
        assertThatThrownBy(() -> CertificateAuthority.create(folder, "main", clock))
                .isInstanceOf(AuthorityException.class)
                .hasMessageContaining("'" + folder + "' is not empty");
        assertThatThrownBy(() -> CertificateAuthority.open(temporary.resolve("none"), clock))
                .hasMessageContaining("has no authority: `berth security init` makes one");
        assertThatThrownBy(() -> authority.issue(WORKER, Duration.ofDays(3651), temporary.resolve("x")))
                .hasMessageContaining("days is '3651': allowed is 1 to 3650");
        assertThatThrownBy(() -> authority.issue(
                        new Peer("other", Set.of(PeerRole.WORKER), "w-1"), YEAR, temporary.resolve("x")))
                .hasMessageContaining("cluster is 'other': allowed is that of the authority, main");
        assertThatThrownBy(() -> authority.revoke(Set.of("12"))).hasMessageContaining("serial is '12'");
    }
}
