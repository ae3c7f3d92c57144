package io.berth.ops.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {

    private static final Path DOCS = Path.of("../../docs");
    private static final Pattern PATH = Pattern.compile("  /(\\S+):");
    private static final Pattern METHOD = Pattern.compile("    (get|put|post|delete):");
    private static final Pattern ROW = Pattern.compile("\\| `([A-Z]+) /v1/(\\S+)` +\\| ([a-z]+) +\\|.*");

    private final FakeTokens tokens = new FakeTokens();
    private final Access on = new Access(tokens, true, AccessTest::now);

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static RestRequest request(String method, String path, Optional<String> authorization) {
        return new RestRequest(
                method,
                List.of(path.split("/")),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                authorization,
                Optional.empty(),
                InputStream.nullInputStream());
    }

    /** By method and path, the role that docs/users.md states. */
    private static SortedMap<String, UserRole> stated() throws IOException {
        SortedMap<String, UserRole> roles = new TreeMap<>();
        for (String line : Files.readAllLines(DOCS.resolve("users.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                roles.put(
                        row.group(1) + " " + row.group(2),
                        UserRole.of(row.group(3)).orElseThrow());
            }
        }
        return roles;
    }

    private static SortedMap<String, String> routes() throws IOException {
        SortedMap<String, String> routes = new TreeMap<>();
        String path = "";
        for (String line : Files.readAllLines(DOCS.resolve("openapi.yaml"))) {
            Matcher ofPath = PATH.matcher(line);
            Matcher ofMethod = METHOD.matcher(line);
            if (ofPath.matches()) {
                path = ofPath.group(1);
            } else if (ofMethod.matches()) {
                String method = ofMethod.group(1).toUpperCase(Locale.ROOT);
                routes.put(method + " " + path, path.replaceAll("\\{\\w+}", "x"));
            }
        }
        return routes;
    }

    @Test
    void eachRouteIsForTheRolesThatTheDocsState() throws IOException {
        SortedMap<String, UserRole> stated = stated();
        SortedMap<String, String> routes = routes();
        assertThat(routes).hasSizeGreaterThan(30);
        assertThat(stated.keySet()).containsExactlyElementsOf(routes.keySet());
        routes.forEach((route, path) -> FakeTokens.USERS.forEach((user, role) -> {
            RestRequest request = request(route.substring(0, route.indexOf(' ')), path, Optional.of("Bearer " + user));
            if (role.includes(stated.get(route))) {
                assertThat(on.checked(request).user()).as(route).contains(new User(user, role));
            } else {
                assertThatThrownBy(() -> on.checked(request))
                        .as(route)
                        .asInstanceOf(type(RefusedException.class))
                        .returns(403, RefusedException::status)
                        .extracting(Throwable::getMessage)
                        .asString()
                        .contains("needs the role " + stated.get(route).label())
                        .contains(user + " has the role " + role.label());
            }
        }));
    }

    @Test
    void whatNoRouteStatesIsForAdmins() {
        for (String request : List.of("POST status", "PATCH new", "DELETE roles/x", "POST x")) {
            String[] parts = request.split(" ");
            assertThat(Access.needed(parts[0], List.of(parts[1].split("/"))))
                    .as(request)
                    .isEqualTo(UserRole.ADMIN);
        }
        assertThat(Access.needed("HEAD", List.of("jobs"))).isEqualTo(UserRole.VIEWER);
    }

    @Test
    void refusesWhoHasNoValidToken() {
        Map<Optional<String>, String> refusals = Map.of(
                Optional.empty(),
                "a token is needed, and none was sent",
                Optional.of("Basic YTpi"),
                "must be 'Bearer TOKEN'",
                Optional.of("Bearer nobody"),
                "the token is not valid",
                Optional.of("Bearer "),
                "the token is not valid");
        refusals.forEach(
                (authorization, why) -> assertThatThrownBy(() -> on.checked(request("GET", "status", authorization)))
                        .asInstanceOf(type(RefusedException.class))
                        .returns(401, RefusedException::status)
                        .extracting(Throwable::getMessage)
                        .asString()
                        .contains(why)
                        .doesNotContain("nobody"));
        assertThatCode(() -> on.checked(request("GET", "status", Optional.of("bearer vic"))))
                .as("the scheme has no case (RFC 7235)")
                .doesNotThrowAnyException();
    }

    @Test
    void asksNobodyWhenItIsOff() {
        Access off = new Access(tokens, false, AccessTest::now);
        RestRequest request = request("DELETE", "jobs/x", Optional.empty());
        assertThat(off.checked(request)).isSameAs(request);
        for (String method : List.of("GET", "POST", "DELETE")) {
            assertThatThrownBy(() -> off.checked(request(method, "tokens", Optional.empty())))
                    .as("who made a token now would be let in later")
                    .asInstanceOf(type(RefusedException.class))
                    .returns(409, RefusedException::status);
        }
    }

    @Test
    void theFirstTokenIsInAFileForItsOwnerOnly(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("data/berth/admin.token");
        new FirstToken(tokens, file).make();
        assertThat(file).hasContent("secret-of-admin\n");
        assertThat(file.getParent()).isDirectoryNotContaining(other -> !other.equals(file));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        Files.delete(file);
        new FirstToken(tokens, file).make();
        assertThat(file).as("an admin has one already").doesNotExist();
    }

    @Test
    void aFirstTokenThatCannotBeWrittenIsRevoked(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("no-folder"), "").resolve("admin.token");
        new FirstToken(tokens, file).make();
        assertThat(tokens.made).isEmpty();
    }
}
