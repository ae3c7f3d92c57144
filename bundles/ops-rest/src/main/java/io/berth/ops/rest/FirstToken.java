package io.berth.ops.rest;

import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.TokenOperations.NewToken;
import io.berth.core.api.rpc.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the first token of a cluster, which its operator finds in a file that nobody else can read. */
final class FirstToken {

    private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);

    private final TokenOperations tokens;
    private final Path file;

    FirstToken(TokenOperations tokens, Path file) {
        this.tokens = tokens;
        this.file = file;
    }

    /** Makes it unless an admin has one. Does not wait. */
    void make() {
        tokens.createFirst("the first start").whenComplete((made, failure) -> {
            if (failure != null) {
                LOG.error("Whether an admin has a token is not known, and none was made: {}", Failures.text(failure));
            } else {
                made.ifPresent(this::keep);
            }
        });
    }

    private void keep(NewToken made) {
        try {
            write(file, made.token());
            LOG.info("The first token of an admin is in {}", file);
        } catch (IOException | RuntimeException failure) {
            LOG.error("The first token of an admin cannot be written to {}: {}", file, failure.toString());
            tokens.revoke(made.details().id()).whenComplete((revoked, unrevoked) -> {
                if (unrevoked != null) {
                    LOG.error(
                            "Token {} may be valid, and nobody has it: revoke it",
                            made.details().id());
                }
            });
        }
    }

    /** The file is complete when it has its name, and never readable for others. */
    static void write(Path file, String token) throws IOException {
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent())
                .orElseThrow(() -> new IOException("it names no file"));
        Files.createDirectories(folder);
        Path part = folder.resolve(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(part, token + "\n");
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
