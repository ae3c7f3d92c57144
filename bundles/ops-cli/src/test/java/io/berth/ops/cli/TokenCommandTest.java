package io.berth.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens on the command line. */
class TokenCommandTest {

    private static final String MADE = """
            {"id": "abc", "name": "ann", "role": "submitter", "createdMillis": 0, "createdBy": "adam (REST)",
             "expiresMillis": 7776000000, "token": "berth_abc_secret"}
            """;

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ManualClock clock = new ManualClock();
    private final Map<String, String> environment = new TreeMap<>();
    private StubControlPlane plane;

    @BeforeEach
    void open() throws IOException {
        plane = new StubControlPlane();
    }

    @AfterEach
    void close() {
        plane.close();
    }

    private int berth(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--url")) {
            all.addAll(List.of("--url", plane.url()));
        }
        return Berth.run(
                new Terminal(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        0,
                        environment,
                        home,
                        clock,
                        clock.latch()),
                all.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Path tokenFile(String permissions) throws IOException {
        Path file = Files.writeString(home.resolve("mine.token"), "berth_id_secret\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void sendsTheTokenOfAFileThatOnlyItsOwnerCanRead() throws IOException {
        plane.on("GET /v1/jobs", 200, "[]");
        Path file = tokenFile("rw-------");
        assertThat(berth("jobs", "--token-file", file.toString())).isZero();
        environment.put("BERTH_TOKEN_FILE", file.toString());
        assertThat(berth("jobs")).isZero();
        assertThat(plane.authorizations()).containsExactly("Bearer berth_id_secret", "Bearer berth_id_secret");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(berth("jobs")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("mine.token can be read or changed by others: run chmod 600 on it");
        environment.put("BERTH_TOKEN_FILE", home.resolve("none").toString());
        assertThat(berth("jobs")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("none cannot be read").doesNotContain("secret");
        assertThat(plane.authorizations()).as("nothing more was sent").hasSize(2);
    }

    @Test
    void sendsNoTokenThatOthersCouldRead() throws IOException {
        environment.put("BERTH_TOKEN_FILE", tokenFile("rw-------").toString());
        for (String url : List.of("http://192.0.2.1:8181", "http://plane.example:8181/")) {
            assertThat(berth("jobs", "--url", url)).as(url).isEqualTo(ExitCode.BAD_INPUT);
        }
        assertThat(err())
                .contains("a token is sent to other hosts only over https")
                .doesNotContain("secret");
    }

    @Test
    void saysWhereATokenIsNamedWhenOneIsNeeded() {
        plane.on("GET /v1/jobs", 401, "{\"error\": \"a token is needed, and none was sent\"}");
        assertThat(berth("jobs")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("none was sent: name its file with --token-file or BERTH_TOKEN_FILE");
    }

    @Test
    void writesANewTokenToAFileForItsOwnerOnly() throws IOException {
        plane.on("POST /v1/tokens", 201, MADE);
        Path file = home.resolve("ann.token");
        assertThat(berth("token", "create", "ann", "--role", "submitter", "--output", file.toString()))
                .isZero();
        assertThat(file).hasContent("berth_abc_secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(out())
                .contains("wrote token abc of ann, valid until 1970-04-01T00:00:00Z")
                .doesNotContain("secret");
        assertThat(plane.requests().get(0).replaceAll("\\s", ""))
                .isEqualTo("POST/v1/tokens{\"name\":\"ann\",\"role\":\"submitter\",\"validFor\":\"90d\"}");

        assertThat(berth("token", "create", "ann", "--role", "submitter", "--output", file.toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("ann.token exists: name another with --output");
        assertThat(plane.requests()).as("no token is made that would be lost").hasSize(1);
    }

    @Test
    void leavesNoFileWhenNoTokenWasMade() {
        plane.on("POST /v1/tokens", 403, "{\"error\": \"POST /v1/tokens needs the role admin\"}");
        Path file = home.resolve("ann.token");
        assertThat(berth("token", "create", "ann", "--role", "admin", "--output", file.toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(file).doesNotExist();
        assertThat(err()).contains("needs the role admin").doesNotContain("--token-file");
        assertThat(berth("token", "create", "../ann", "--role", "viewer")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("NAME is '../ann': allowed are 1 to 64 letters");
        assertThat(berth("token", "create", "ann", "--role", "king")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("--role is 'king': allowed are viewer, submitter, operator, admin");
    }

    @Test
    void printsATokenOnlyWhenAsked() {
        plane.on("POST /v1/tokens", 201, MADE);
        assertThat(berth("token", "create", "ann", "--role", "submitter", "--output", "-"))
                .isZero();
        assertThat(out()).isEqualTo("berth_abc_secret\n");
    }

    @Test
    void listsAndRevokesTokens() {
        String token = MADE.replace(", \"token\": \"berth_abc_secret\"", "");
        plane.on("GET /v1/tokens", 200, "[" + token + "]");
        plane.on("DELETE /v1/tokens/ann", 200, "{\"revoked\": [" + token + "]}");
        assertThat(berth("token", "list")).isZero();
        assertThat(out().lines().toList().get(1))
                .startsWith("abc  ann   submitter  adam (REST)")
                .endsWith("valid");
        assertThat(berth("token", "revoke", "ann")).isZero();
        assertThat(out()).contains("revoked abc of ann");
        assertThat(berth("token", "revoke", "bob")).isEqualTo(ExitCode.BAD_INPUT);
    }
}
