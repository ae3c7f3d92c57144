package io.berth.core.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.security.fake.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveCredentialsTest {

    private static final String SELF = "spiffe://main/control-plane/a";
    private static final String WORKER = "spiffe://main/worker/w-1";

    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private final AtomicInteger changes = new AtomicInteger();
    private TestAuthority authority;
    private LiveCredentials live;
    private long written;

    @BeforeEach
    void begin() throws Exception {
        authority = new TestAuthority(Instant.ofEpochMilli(time.wallMillis()));
        live = LiveCredentials.open(authority.write(folder, authority.issue(SELF)), time, time);
        live.onChange(changes::incrementAndGet);
    }

    @AfterEach
    void end() {
        live.close();
    }

    /** Two writes within the resolution of the file system would look like one. */
    private void touch(String name) throws Exception {
        written += 10_000;
        Files.setLastModifiedTime(folder.resolve(name), FileTime.fromMillis(written));
    }

    @Test
    void anotherCertificateIsUsedWithinTwoSeconds() throws Exception {
        TestAuthority.Issued next = authority.issue(SELF);
        authority.write(folder, next);
        touch(CredentialFiles.KEY);
        time.advance(2_000);
        assertThat(live.current().chain()).containsExactly(next.certificate());
        assertThat(changes).hasValue(1);
        time.advance(10_000);
        assertThat(changes).hasValue(1);
    }

    @Test
    void aPeerIsNotTrustedAnyMoreOnceItsCertificateIsRevoked() throws Exception {
        TestAuthority.Issued worker = authority.issue(WORKER);
        assertThat(live.judge(List.of(worker.certificate())).name()).isEqualTo("w-1");
        authority.revoke(folder, List.of(worker));
        time.advance(2_000);
        assertThatThrownBy(() -> live.judge(List.of(worker.certificate()))).hasMessageContaining("is revoked");
        assertThat(changes).hasValue(1);
    }

    @Test
    void aListThatIsGoneOrEmptyLetsNobodyInAgain() throws Exception {
        TestAuthority.Issued worker = authority.issue(WORKER);
        authority.revoke(folder, List.of(worker));
        time.advance(2_000);
        Path list = folder.resolve(CredentialFiles.REVOKED);
        Files.writeString(list, "");
        touch(CredentialFiles.REVOKED);
        time.advance(5_000);
        assertThatThrownBy(() -> live.judge(List.of(worker.certificate()))).hasMessageContaining("is revoked");
        Files.delete(list);
        time.advance(5_000);
        assertThatThrownBy(() -> live.judge(List.of(worker.certificate()))).hasMessageContaining("is revoked");
    }

    @Test
    void filesThatAreNotValidChangeNothingUntilTheyAre() throws Exception {
        Credentials before = live.current();
        TestAuthority.Issued next = authority.issue(SELF);
        Files.writeString(folder.resolve(CredentialFiles.CERTIFICATE), "-----BEGIN CERTIFICATE-----");
        touch(CredentialFiles.CERTIFICATE);
        time.advance(5_000);
        assertThat(live.current()).isSameAs(before);
        authority.write(folder, next);
        touch(CredentialFiles.CERTIFICATE);
        time.advance(2_000);
        assertThat(live.current().chain()).containsExactly(next.certificate());
    }

    @Test
    void anotherIdentityIsNotTaken() throws Exception {
        Credentials before = live.current();
        authority.write(folder, authority.issue("spiffe://main/control-plane/b"));
        touch(CredentialFiles.KEY);
        time.advance(5_000);
        assertThat(live.current()).isSameAs(before);
        assertThat(changes).hasValue(0);
    }

    @Test
    void aHandshakeThatBeganGetsTheKeyOfItsCertificate() throws Exception {
        String chosen = live.keys().chooseEngineServerAlias("EC", null, null);
        assertThat(live.keys().chooseEngineServerAlias("RSA", null, null)).isNull();
        Credentials before = live.current();
        authority.write(folder, authority.issue(SELF));
        touch(CredentialFiles.KEY);
        time.advance(2_000);
        String next = live.keys().chooseEngineServerAlias("EC", null, null);
        assertThat(next).isNotEqualTo(chosen);
        assertThat(live.keys().getPrivateKey(chosen)).isSameAs(before.key());
        assertThat(live.keys().getCertificateChain(chosen))
                .containsExactly(before.chain().get(0));
        assertThat(live.keys().getPrivateKey(next)).isSameAs(live.current().key());
    }

    @Test
    void nothingIsLookedAtOnceItIsClosed() throws Exception {
        Credentials before = live.current();
        live.close();
        authority.write(folder, authority.issue(SELF));
        touch(CredentialFiles.KEY);
        time.advance(5_000);
        assertThat(live.current()).isSameAs(before);
        assertThat(time.pending()).isZero();
    }
}
