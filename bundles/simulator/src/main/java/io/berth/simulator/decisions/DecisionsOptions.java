package io.berth.simulator.decisions;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of {@link DecisionsCommand}. */
record DecisionsOptions(Path file, Optional<String> policy, List<Path> bundles, boolean json) {

    static DecisionsOptions read(List<String> arguments) {
        Optional<Path> file = Optional.empty();
        Optional<String> policy = Optional.empty();
        List<Path> bundles = new ArrayList<>();
        boolean json = false;
        for (int at = 0; at < arguments.size(); at += 2) {
            String option = arguments.get(at);
            if (at + 1 == arguments.size()) {
                throw new IllegalArgumentException("option " + option + " has no value");
            }
            String value = arguments.get(at + 1);
            switch (option) {
                case "--decisions" -> file = Optional.of(readable(option, value));
                case "--policy" -> policy = once(option, policy, value);
                case "--bundle" -> bundles.add(readable(option, value));
                case "-o" -> json = output(value);
                default ->
                    throw new IllegalArgumentException("option " + option
                            + " is not allowed with --decisions: allowed are --policy, --bundle and -o");
            }
        }
        return new DecisionsOptions(file.orElseThrow(), policy, bundles, json);
    }

    private static Optional<String> once(String option, Optional<String> before, String value) {
        if (before.isPresent()) {
            throw new IllegalArgumentException("option " + option + " is '" + before.get() + "' and '" + value
                    + "': allowed is one policy with --decisions");
        }
        return Optional.of(value);
    }

    private static Path readable(String option, String value) {
        Path file = Path.of(value);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(
                    "option " + option + " is '" + value + "': allowed is a file that can be read");
        }
        return file;
    }

    private static boolean output(String value) {
        return switch (value) {
            case "json" -> true;
            case "table" -> false;
            default -> throw new IllegalArgumentException("option -o is '" + value + "': allowed are json, table");
        };
    }
}
