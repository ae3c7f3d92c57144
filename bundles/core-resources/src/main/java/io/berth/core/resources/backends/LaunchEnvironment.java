package io.berth.core.resources.backends;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What worker processes get beside their arguments.
 *
 * @param variables of their environment
 * @param secretsFile one {@code NAME=VALUE} a line, read for each worker that starts; empty: no secrets
 */
public record LaunchEnvironment(SortedMap<String, String> variables, Optional<Path> secretsFile) {

    /** Nothing. */
    public static final LaunchEnvironment NONE = new LaunchEnvironment(new TreeMap<>(), Optional.empty());

    private static final long MAX_BYTES = 1 << 20;
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final Pattern VARIABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,127})=(.*)");
    private static final Pattern SECRET = Pattern.compile("([A-Za-z0-9._-]{1,128})=(.*)");

    public LaunchEnvironment {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
    }

    /** @throws IllegalArgumentException names the key, the value and what is allowed */
    static LaunchEnvironment of(String variables, String secretsFile) {
        return new LaunchEnvironment(
                variables(variables),
                Optional.of(secretsFile.strip())
                        .filter(file -> !file.isEmpty())
                        .map(file -> Path.of(file).toAbsolutePath()));
    }

    private static SortedMap<String, String> variables(String text) {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String item : text.isBlank() ? new String[0] : text.split(",", -1)) {
            Matcher variable = VARIABLE.matcher(item.strip());
            if (!variable.matches() || variables.put(variable.group(1), variable.group(2)) != null) {
                throw new IllegalArgumentException("worker.environment has '" + item.strip()
                        + "': allowed is NAME=VALUE, separated by commas, each name once; a name has 1 to 128 letters,"
                        + " digits and '_', and no digit first");
            }
        }
        return variables;
    }

    /**
     * The secrets as they are now.
     *
     * @throws IllegalStateException when the file cannot be used; names it and what is allowed, but nothing of its content
     */
    SortedMap<String, String> secrets() {
        SortedMap<String, String> secrets = new TreeMap<>();
        if (secretsFile.isEmpty()) {
            return secrets;
        }
        Path file = secretsFile.get();
        List<String> lines = lines(file);
        for (int number = 0; number < lines.size(); number++) {
            String line = lines.get(number);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            Matcher secret = SECRET.matcher(line);
            if (!secret.matches() || secrets.put(secret.group(1), secret.group(2)) != null) {
                throw refused(
                        file,
                        "line " + (number + 1) + " is not allowed: NAME=VALUE is, each name once; a name has 1"
                                + " to 128 letters, digits, '.', '_' and '-'");
            }
        }
        return secrets;
    }

    private static List<String> lines(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw refused(file, Files.exists(file) ? "that is no file" : "there is no such file");
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER.containsAll(permissions)) {
                throw refused(
                        file,
                        "its permissions are " + PosixFilePermissions.toString(permissions)
                                + ": allowed is rw------- at most");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw refused(file, "it has " + Files.size(file) + " bytes: up to " + MAX_BYTES + " are allowed");
            }
            return Files.readAllLines(file);
        } catch (NoSuchFileException gone) {
            throw refused(file, "there is no such file");
        } catch (CharacterCodingException binary) {
            throw refused(file, "it is not text in UTF-8");
        } catch (IOException failure) {
            throw refused(file, "it cannot be read: " + failure);
        }
    }

    private static IllegalStateException refused(Path file, String why) {
        return new IllegalStateException("worker.secrets.file is " + file + ": " + why);
    }
}
