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
 * A file that says where a role is served, for processes of the same machine: one line of epoch, id and address. It may
 * be outdated, never half written. Thread-safe; the methods block on input and output.
 *
 * @param role that is served
 */
public record LeaderFile(Path path, EndpointName role) {

    /**
     * Says where the role is served from now on, unless a greater epoch of it is said to have begun.
     *
     * @throws IOException names the file
     */
    public void write(EndpointRef leader) throws IOException {
        if (read().filter(there -> there.token().epoch() > leader.token().epoch())
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
     * Where the role is served, as far as is known; empty when the file is not there or says nothing that can be read.
     *
     * @throws IOException when the file is there and cannot be read
     */
    public Optional<EndpointRef> read() throws IOException {
        String[] words;
        try {
            words = Files.readString(path).strip().split(" ");
        } catch (NoSuchFileException nobody) {
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
