package io.berth.ops.rest;

import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One user of each role, whose token is the name of the user. */
final class FakeTokens implements TokenOperations {

    static final Map<String, UserRole> USERS = Map.of(
            "vic", UserRole.VIEWER, "sue", UserRole.SUBMITTER, "olga", UserRole.OPERATOR, "adam", UserRole.ADMIN);

    final List<TokenDetails> made = new ArrayList<>();
    boolean full;
    boolean unreachable;

    @Override
    public CompletionStage<Optional<User>> authenticate(String token) {
        return unreachable
                ? CompletableFuture.failedFuture(new IOException("the disk does not answer"))
                : CompletableFuture.completedFuture(
                        Optional.ofNullable(USERS.get(token)).map(role -> new User(token, role)));
    }

    @Override
    public CompletionStage<Optional<NewToken>> create(User user, long validMillis, String by) {
        if (full) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        TokenDetails details = new TokenDetails("id-1", user.name(), user.role(), 0, by, validMillis);
        made.add(details);
        return CompletableFuture.completedFuture(Optional.of(new NewToken(details, "secret-of-" + user.name())));
    }

    @Override
    public CompletionStage<Optional<NewToken>> createFirst(String by) {
        return made.isEmpty()
                ? create(new User("admin", UserRole.ADMIN), MAX_VALID_MILLIS, by)
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletionStage<List<TokenDetails>> tokens() {
        return CompletableFuture.completedFuture(List.copyOf(made));
    }

    @Override
    public CompletionStage<List<TokenDetails>> revoke(String idOrName) {
        List<TokenDetails> meant = made.stream()
                .filter(token -> token.id().equals(idOrName) || token.name().equals(idOrName))
                .toList();
        made.removeAll(meant);
        return CompletableFuture.completedFuture(meant);
    }
}
