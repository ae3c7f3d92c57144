package io.berth.core.api.role;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;

/**
 * A file with the address of a role's leader, for processes of the same machine: one line with epoch, id and address.
 * It may be outdated, but is never partly written. Thread-safe; the methods block on input and output.
 *
 * @param role the role
 */
public record LeaderFile(Path path, EndpointName role) {

    /**
     * Writes the leader, unless the file already has one with a greater epoch.
     *
     * @throws IOException when the file cannot be written; the message names it
     */
    public void write(EndpointRef leader) throws IOException {
        if (read().filter(current -> current.token().epoch() > leader.token().epoch())
                .isPresent()) {
            return;
        }
        Files.createDirectories(path.toAbsolutePath().getParent());
        Path unfinished =
                path.resolveSibling(path.getFileName() + "-" + leader.token().id());
        Files.writeString(
                unfinished, leader.token().epoch() + " " + leader.token().id() + " " + leader.address() + "\n");
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * The leader in the file; empty when there is no file or its content is invalid.
     *
     * @throws IOException when the file exists but cannot be read
     */
    public Optional<EndpointRef> read() throws IOException {
        String[] words;
        try {
            words = Files.readString(path).strip().split(" ");
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
        try {
            return words.length == 3
                    ? Optional.of(new EndpointRef(
                            RpcAddress.parse(words[2]),
                            role,
                            new FencingToken(Long.parseLong(words[0]), UUID.fromString(words[1]))))
                    : Optional.empty();
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }
}
