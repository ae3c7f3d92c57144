package io.berth.spi.signatures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the exported signatures of a bundle with its checked-in lists, one file for each package. With the system
 * property {@code berth.signatures=write} it updates the lists, but never for a change whose version is missing.
 */
public final class SignatureCheck {

    private static final String SUFFIX = ".txt";

    private final Path classes;
    private final Path lists;
    private final boolean write;

    SignatureCheck(Path classes, Path lists, boolean write) {
        this.classes = classes;
        this.lists = lists;
        this.write = write;
    }

    /** The check of the bundle that is being built. */
    public static SignatureCheck ofThisBundle() {
        return new SignatureCheck(
                Path.of("target", "classes"),
                Path.of("src", "test", "signatures"),
                "write".equals(System.getProperty("berth.signatures")));
    }

    /** What is wrong, one line for each change; empty when versions and lists are correct. */
    public List<String> problems() throws IOException {
        List<String> problems = new ArrayList<>();
        Set<String> listed = listed();
        for (PackageSignatures now : SignatureReader.read(classes)) {
            List<String> missing = List.of();
            boolean same = false;
            if (listed.remove(now.name())) {
                PackageSignatures before = PackageSignatures.parse(now.name(), Files.readAllLines(file(now.name())));
                missing = SignatureComparison.missingSteps(before, now);
                same = before.lines().equals(now.lines());
            }
            problems.addAll(missing);
            if (missing.isEmpty() && !same && write) {
                Files.createDirectories(lists);
                Files.write(file(now.name()), now.lines());
            } else if (missing.isEmpty() && !same) {
                problems.add(now.name() + ": version " + now.version() + " fits the change; update  " + file(now.name())
                        + " with ./mvnw -pl bundles/" + bundle() + " test -Dberth.signatures=write");
            }
        }
        for (String gone : listed) {
            problems.add(gone + ": is no longer exported, which is a major change; if this is intended, remove "
                    + file(gone));
        }
        return problems;
    }

    private Set<String> listed() throws IOException {
        if (!Files.isDirectory(lists)) {
            return new TreeSet<>();
        }
        try (Stream<Path> files = Files.list(lists)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Path bundle() {
        return Path.of("").toAbsolutePath().getFileName();
    }

    private Path file(String packageName) {
        return lists.resolve(packageName + SUFFIX);
    }
}
