package io.berth.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import io.berth.core.security.CredentialFiles;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth security}, which needs no control plane. */
class SecurityCommandTest {

    @TempDir
    private Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int security(String... arguments) {
        out.reset();
        err.reset();
        List<String> all = new ArrayList<>(List.of("security"));
        all.addAll(List.of(arguments));
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0,
                Map.of(),
                home,
                new SystemClock(),
                new CountDownLatch(1));
        return Berth.run(terminal, all.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private String folder() {
        return home.resolve("cluster").toString();
    }

    private String self(String process) throws Exception {
        return new CredentialFiles(home.resolve("cluster").resolve("processes").resolve(process))
                .read(new SystemClock().wallMillis())
                .self()
                .toString();
    }

    @Test
    void makesListsAndRevokesCertificates() throws Exception {
        assertThat(security("init", folder(), "--cluster", "main")).isZero();
        assertThat(out()).contains("made the authority of cluster main").contains("etc/io.berth.core.security.cfg");
        assertThat(self("control-plane")).isEqualTo("control-plane and job-master control-plane of cluster main");

        assertThat(security("issue", folder(), "w-1", "--days", "30")).isZero();
        assertThat(self("w-1")).isEqualTo("worker w-1 of cluster main");
        Path elsewhere = home.resolve("elsewhere");
        assertThat(security("issue", folder(), "b", "--role", "job-master", "--output", elsewhere.toString()))
                .isZero();
        assertThat(Files.exists(elsewhere.resolve(CredentialFiles.KEY))).isTrue();

        assertThat(security("issue", folder(), "control-plane")).isZero();
        assertThat(self("control-plane"))
                .as("the roles of before")
                .isEqualTo("control-plane and job-master control-plane of cluster main");

        assertThat(security("revoke", folder(), "w-1")).isZero();
        assertThat(out()).contains("revoked ").contains("updated ").contains("revoked.pem");
        assertThat(security("list", folder())).isZero();
        assertThat(out().lines().filter(line -> line.contains("worker w-1") && line.endsWith("revoked")))
                .hasSize(1);
        assertThat(out().lines().filter(line -> line.endsWith("valid"))).hasSize(3);
    }

    @Test
    void aRevokedProcessMayGetANewCertificate() throws Exception {
        security("init", folder());
        security("issue", folder(), "w-1");
        security("revoke", folder(), "w-1");
        assertThat(security("issue", folder(), "w-1")).isZero();
        assertThat(self("w-1")).isEqualTo("worker w-1 of cluster berth");
    }

    @Test
    void badInputNamesWhatIsAllowed() {
        assertThat(security("issue", folder(), "w-1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("has no authority");
        assertThat(security("init", folder(), "--cluster", "Main")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("cluster 'Main': allowed are 1 to 63 small letters");
        assertThat(Files.exists(home.resolve("cluster"))).isFalse();
        assertThat(security("init", folder(), "--days", "4000")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("option --days is '4000': allowed is 1 to 3650");
        assertThat(Files.exists(home.resolve("cluster"))).isFalse();
        assertThat(security("init", folder())).isZero();
        assertThat(security("init", folder())).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("is not empty");
        assertThat(security("issue", folder(), "w 1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("name 'w 1': allowed are");
        assertThat(security("issue", folder(), "w-1", "--role", "operator")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("'operator': allowed are control-plane, job-master, worker");
        assertThat(security("revoke", folder(), "w-9")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("'w-9' has no certificate that is not revoked yet");
    }
}
