package io.berth.core.dispatcher;

import static io.berth.core.dispatcher.TestControlPlane.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.TokenOperations.NewToken;
import io.berth.core.api.access.TokenOperations.TokenDetails;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.dispatcher.store.RecordWriter;
import io.berth.spi.ha.Versioned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTokensTest {

    private static final User ANN = new User("ann", UserRole.SUBMITTER);
    private static final long DAY = 86_400_000;

    @TempDir
    Path directory;

    private TestControlPlane plane;

    @BeforeEach
    void open() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
    }

    private TokenOperations tokens() {
        return plane.term.tokens();
    }

    private NewToken create(User user) {
        return now(tokens().create(user, DAY, "adam")).orElseThrow();
    }

    private Optional<User> userOf(String token) {
        return now(tokens().authenticate(token));
    }

    @Test
    void aTokenNamesItsUserUntilItExpires() {
        NewToken made = create(ANN);
        assertThat(made.details())
                .isEqualTo(new TokenDetails(
                        made.details().id(), "ann", UserRole.SUBMITTER, plane.wall, "adam", plane.wall + DAY));
        assertThat(userOf(made.token())).contains(ANN);

        plane.wall += DAY - 1;
        assertThat(userOf(made.token())).contains(ANN);
        plane.wall++;
        assertThat(userOf(made.token())).as("expired").isEmpty();
        assertThat(now(tokens().tokens()))
                .as("it is listed until it is revoked")
                .hasSize(1);
    }

    @Test
    void whatIsNotExactlyATokenNamesNobody() {
        String token = create(ANN).token();
        String other = create(new User("bob", UserRole.ADMIN)).token();
        String id = token.substring(0, token.indexOf('_', 6) + 1);
        List<String> wrong = List.of(
                "",
                "berth_",
                "berth__",
                id,
                token + "A",
                token.substring(0, token.length() - 1),
                token.toUpperCase(java.util.Locale.ROOT),
                " " + token,
                token.substring(6),
                id + other.substring(other.indexOf('_', 6) + 1),
                "x".repeat(1_000_000),
                id + "x".repeat(1_000_000));
        for (String text : wrong) {
            assertThat(userOf(text))
                    .as(text.substring(0, Math.min(80, text.length())))
                    .isEmpty();
        }
    }

    @Test
    void tokensOutliveTheDispatcherAndRevokedOnesStayRevoked() throws IOException {
        NewToken kept = create(ANN);
        NewToken gone = create(ANN);
        assertThat(now(tokens().revoke(gone.details().id()))).containsExactly(gone.details());
        assertThat(userOf(gone.token())).isEmpty();

        plane.restart();
        assertThat(userOf(kept.token())).contains(ANN);
        assertThat(userOf(gone.token())).isEmpty();
        assertThat(now(tokens().tokens())).containsExactly(kept.details());
    }

    @Test
    void allTokensOfAUserAreRevokedByName() {
        NewToken one = create(ANN);
        NewToken two = create(ANN);
        NewToken other = create(new User("bob", UserRole.VIEWER));
        assertThat(now(tokens().revoke("ann"))).containsExactlyInAnyOrder(one.details(), two.details());
        assertThat(now(tokens().revoke("ann"))).isEmpty();
        assertThat(now(tokens().tokens())).containsExactly(other.details());
    }

    @Test
    void anIdIsMeantBeforeAName() {
        NewToken one = create(ANN);
        NewToken other = create(new User(one.details().id(), UserRole.VIEWER));
        assertThat(now(tokens().revoke(one.details().id()))).containsExactly(one.details());
        assertThat(now(tokens().revoke(one.details().id()))).containsExactly(other.details());
    }

    @Test
    void theStoreHasNothingThatLetsAnyoneIn() {
        String token = create(ANN).token();
        String secret = token.substring(token.indexOf('_', 6) + 1);
        assertThat(secret).hasSizeGreaterThanOrEqualTo(43);
        assertThat(plane.store.records).hasSizeGreaterThan(1);
        plane.store.records.forEach((key, record) -> {
            assertThat(key).doesNotContain(secret);
            assertThat(new String(record.value(), StandardCharsets.ISO_8859_1)).doesNotContain(secret);
        });
    }

    @Test
    void theFirstTokenIsMadeWhenNoAdminHasAValidOne() {
        create(ANN);
        NewToken first = now(tokens().createFirst("the first start")).orElseThrow();
        assertThat(userOf(first.token())).contains(new User("admin", UserRole.ADMIN));
        assertThat(now(tokens().createFirst("another start"))).isEmpty();

        now(tokens().revoke(first.details().id()));
        assertThat(now(tokens().createFirst("a start after that"))).isPresent();

        plane.wall += TokenOperations.MAX_VALID_MILLIS;
        assertThat(now(tokens().createFirst("when that has expired"))).isPresent();
    }

    @Test
    void thereAreNotMoreThanAllowed() {
        for (int i = 0; i < TokenOperations.MAX_TOKENS; i++) {
            create(ANN);
        }
        assertThat(now(tokens().create(ANN, DAY, "adam"))).isEmpty();
        Set<String> ids = new HashSet<>();
        now(tokens().tokens()).forEach(token -> ids.add(token.id()));
        assertThat(ids).hasSize(TokenOperations.MAX_TOKENS);
        now(tokens().revoke(ids.iterator().next()));
        assertThat(now(tokens().create(ANN, DAY, "adam"))).isPresent();

        assertThatThrownBy(() -> tokens().create(ANN, TokenOperations.MIN_VALID_MILLIS - 1, "adam"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tokens().create(ANN, TokenOperations.MAX_VALID_MILLIS + 1, "adam"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aChangeThatMayHaveBeenKeptIsReadAgain() {
        NewToken made = create(ANN);
        plane.store.failAfter = plane.store.changes + 1;
        assertThat(tokens().revoke("ann").toCompletableFuture()).isCompletedExceptionally();
        assertThat(userOf(made.token()))
                .as("it was revoked, although the answer failed")
                .isEmpty();

        plane.store.full = true;
        assertThat(tokens().create(ANN, DAY, "adam").toCompletableFuture()).isCompletedExceptionally();
        plane.store.full = false;
        assertThat(now(tokens().tokens())).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerLetsNobodyIn() throws IOException {
        String token = create(ANN).token();
        plane.restart();
        plane.store.unreadable = true;
        assertThat(tokens().authenticate(token).toCompletableFuture()).isCompletedExceptionally();
        plane.store.unreadable = false;
        assertThat(userOf(token)).contains(ANN);
    }

    @Test
    void aDamagedRecordCostsOnlyItsToken() throws IOException {
        NewToken damaged = create(ANN);
        NewToken unreadable = create(ANN);
        NewToken well = create(ANN);
        plane.store.damaged.add("tokens/" + damaged.details().id());
        String key = "tokens/" + unreadable.details().id();
        Versioned record = plane.store.records.get(key);
        plane.store.records.put(key, new Versioned(record.version(), new RecordWriter(1).bytes()));
        plane.restart();

        assertThat(userOf(damaged.token())).isEmpty();
        assertThat(userOf(unreadable.token())).isEmpty();
        assertThat(userOf(well.token())).contains(ANN);
    }

    @Test
    void aTermThatHasEndedAuthenticatesNobody() {
        String token = create(ANN).token();
        plane.term.close();
        assertThat(tokens().authenticate(token).toCompletableFuture()).isCompletedExceptionally();
        assertThat(tokens().tokens().toCompletableFuture()).isCompletedExceptionally();
    }
}
