package io.berth.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of {@code features/src/main/cfg}. Its first block says what it configures; each further block explains the keys
 * at its end, which stand there as comments with their defaults. Lines {@code Allowed:} and {@code A change:} of a block
 * say which values are allowed and when a change takes effect; that of the first block holds for all keys without one.
 *
 * @param about what is configured, in sentences
 * @param change when a change takes effect, beginning with a verb
 */
record ConfigurationFile(String pid, String about, String change, List<Key> keys) {

    /** Where the files are. */
    static final Path FOLDER = Path.of("..", "features", "src", "main", "cfg");

    private static final String SUFFIX = ".cfg";
    private static final String ALLOWED = "# Allowed: ";
    private static final String CHANGE = "# A change: ";
    private static final Pattern KEY = Pattern.compile("# ([a-z][a-z0-9.]*) =(.*)");

    /**
     * A key.
     *
     * @param about what it means, in sentences; several keys may share it
     * @param change empty: as in the whole file
     */
    record Key(String name, String value, String about, Optional<String> allowed, Optional<String> change) {}

    /** The files by name. */
    static List<ConfigurationFile> all() throws IOException {
        List<ConfigurationFile> files = new ArrayList<>();
        try (var paths = Files.list(FOLDER)) {
            for (Path path : paths.sorted().toList()) {
                files.add(read(path));
            }
        }
        return files;
    }

    private static ConfigurationFile read(Path path) throws IOException {
        String name = path.getFileName().toString();
        String[] blocks = Files.readString(path).strip().split("\n{2,}");
        List<Key> keys = new ArrayList<>();
        for (int i = 1; i < blocks.length; i++) {
            List<String> lines = blocks[i].lines().toList();
            List<Matcher> here =
                    lines.stream().map(KEY::matcher).filter(Matcher::matches).toList();
            if (here.isEmpty()) {
                throw new AssertionError(name + " explains nothing with: " + blocks[i]);
            }
            for (Matcher key : here) {
                keys.add(new Key(
                        key.group(1),
                        key.group(2).strip(),
                        sentences(lines),
                        value(lines, ALLOWED),
                        value(lines, CHANGE)));
            }
        }
        List<String> first = blocks[0].lines().toList();
        String change = value(first, CHANGE)
                .orElseThrow(() -> new AssertionError(
                        name + " does not say when a change takes effect: its first lines need one with " + CHANGE));
        return new ConfigurationFile(
                name.substring(0, name.length() - SUFFIX.length()), sentences(first), change, List.copyOf(keys));
    }

    private static Optional<String> value(List<String> lines, String label) {
        return lines.stream()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).strip())
                .findFirst();
    }

    private static String sentences(List<String> lines) {
        String text = String.join(
                " ",
                lines.stream()
                        .filter(line -> !line.startsWith(ALLOWED) && !line.startsWith(CHANGE))
                        .filter(line -> !KEY.matcher(line).matches())
                        .map(line -> line.replaceFirst("^#\\s*", ""))
                        .toList());
        return text.isEmpty() || text.endsWith(".") ? text : text + ".";
    }
}
