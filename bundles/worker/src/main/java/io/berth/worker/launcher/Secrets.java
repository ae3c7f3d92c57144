package io.berth.worker.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the file with the secrets of a worker: one {@code NAME=VALUE} a line, which only its user may read. */
final class Secrets {

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final Pattern LINE = Pattern.compile("([A-Za-z0-9._-]{1,128})=(.*)");

    private Secrets() {}

    /**
     * Refuses a file that others may read, or that is none.
     *
     * @return the secrets by name
     * @throws IOException names the file and what is allowed, but nothing of its content
     */
    static SortedMap<String, String> read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("--secrets names " + file + ", which is no file");
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!OWNER.containsAll(permissions)) {
            throw new IOException("the secrets in " + file + " have the permissions "
                    + PosixFilePermissions.toString(permissions) + ": allowed is rw------- at most");
        }
        SortedMap<String, String> secrets = new TreeMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int number = 0; number < lines.size(); number++) {
            Matcher line = LINE.matcher(lines.get(number));
            if (!line.matches() || secrets.put(line.group(1), line.group(2)) != null) {
                throw new IOException("line " + (number + 1) + " of the secrets in " + file
                        + " is not allowed: NAME=VALUE is, each name once");
            }
        }
        return secrets;
    }
}
