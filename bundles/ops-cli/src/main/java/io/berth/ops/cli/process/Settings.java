package io.berth.ops.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A configuration file of a control plane. Keys are set in place; comments stay. */
final class Settings {

    private Settings() {}

    /** The value of a key; empty when the file does not set it. */
    static Optional<String> get(Path file, String key) throws IOException {
        Pattern live = Pattern.compile("\\s*" + Pattern.quote(key) + "\\s*=\\s*(.*?)\\s*");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Files.readAllLines(file).stream()
                .map(live::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .reduce((first, last) -> last);
    }

    /** Sets {@code key = value} in the line of the key, even if that is a comment, or in a new line at the end. */
    static void put(Path file, String key, Object value) throws IOException {
        List<String> lines = Files.exists(file) ? new ArrayList<>(Files.readAllLines(file)) : new ArrayList<>();
        Pattern live = Pattern.compile("\\s*" + Pattern.quote(key) + "\\s*=.*");
        String line = key + " = " + value;
        for (int i = 0; i < lines.size(); i++) {
            if (live.matcher(lines.get(i)).matches()) {
                lines.set(i, line);
                Files.write(file, lines);
                return;
            }
        }
        lines.add(line);
        Files.write(file, lines);
    }
}
