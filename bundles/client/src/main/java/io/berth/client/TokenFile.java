package io.berth.client;

import io.berth.client.BerthException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.regex.Pattern;

/** The file with the token of a user. */
final class TokenFile {

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{1,8192}");
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private TokenFile() {}

    /** @throws BerthException when there is no token in it, or others can read or change it; without the token */
    static String read(Path file) {
        String token;
        try {
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw new BerthException(
                        Kind.REFUSED, "token file " + file + " can be read or changed by others: run chmod 600 on it");
            }
            token = Files.readString(file).strip();
        } catch (IOException failure) {
            throw new BerthException(Kind.REFUSED, "token file " + file + " cannot be read (" + failure + ")");
        }
        if (!TOKEN.matcher(token).matches()) {
            throw new BerthException(Kind.REFUSED, "token file " + file + " has no token: allowed is one line with it");
        }
        return token;
    }
}
