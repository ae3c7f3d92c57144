package io.berth.ops.cli.process;

import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The control plane of this installation, in {@code .berth/master}. Another assembly replaces only the program. {@code
 * data} stays, except for the caches of the program, and so does every file in {@code etc} that was edited. An
 * interrupted update is repeated by the next one. Blocks.
 */
final class Installation {

    private static final String DATA = "data";
    private static final String ETC = "etc";
    /** {@code etc} as it was shipped: a file that differs from it was edited. */
    private static final String SHIPPED = "etc.shipped";
    /** Says which assembly was unpacked. Times do not: a newer one may be built before the older one is unpacked. */
    private static final String UNPACKED = "unpacked.txt";
    /** What Karaf derives from the program, and would run in its place. */
    private static final List<String> CACHES = List.of("cache", "tmp", "generated-bundles");

    private static final Pattern OF_BERTH = Pattern.compile("io\\.berth\\..*\\.cfg");
    private static final Pattern OF_KARAF =
            Pattern.compile("#|# Generated command shutdown|karaf\\.shutdown\\.command .*");

    private final Terminal terminal;
    private final Path directory;

    Installation(Terminal terminal) {
        this.terminal = terminal;
        directory = terminal.home().resolve(".berth").resolve("master");
    }

    Path directory() {
        return directory;
    }

    boolean exists() {
        return Files.isRegularFile(directory.resolve("bin").resolve("karaf"));
    }

    /** The process that runs in this directory. */
    Optional<ProcessHandle> process() {
        return ControlPlane.processIn(directory);
    }

    /** Unpacks the assembly if there is none. Replaces another one that does not run. */
    void update() {
        Path archive = ControlPlane.assembly(terminal.home());
        boolean there = exists();
        if (there && (isUnpacked(archive) || process().isPresent())) {
            return;
        }
        terminal.progress(
                there
                        ? "updating the control plane in " + directory + "; its data and its edited settings stay"
                        : "unpacking the control plane into " + directory);
        Path newer = directory.resolveSibling("master.unpacked");
        ControlPlane.delete(newer);
        new ControlPlane(terminal, newer).unpack();
        try {
            replace(newer);
            Files.writeString(directory.resolve(UNPACKED), named(archive));
        } catch (IOException failure) {
            throw new UncheckedIOException(directory + " cannot be updated", failure);
        }
        ControlPlane.delete(newer);
    }

    private boolean isUnpacked(Path archive) {
        try {
            return Files.readString(directory.resolve(UNPACKED)).equals(named(archive));
        } catch (NoSuchFileException unpackedByAnEarlierVersion) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(directory.resolve(UNPACKED) + " cannot be read", failure);
        }
    }

    private static String named(Path archive) {
        return archive.getFileName() + " " + archive.toFile().length() + " bytes, "
                + Instant.ofEpochMilli(archive.toFile().lastModified()) + "\n";
    }

    /** bin/karaf comes last: until it is there, nothing counts as unpacked, and the next update repeats all steps. */
    private void replace(Path newer) throws IOException {
        Files.createDirectories(directory);
        Files.deleteIfExists(directory.resolve("bin").resolve("karaf"));
        for (String cache : CACHES) {
            ControlPlane.delete(directory.resolve(DATA).resolve(cache));
        }
        settings(newer.resolve(ETC));
        for (Path part : list(newer)) {
            String name = part.getFileName().toString();
            if (!List.of(ETC, DATA, "bin").contains(name)) {
                move(part, directory.resolve(name));
            }
        }
        if (!Files.exists(directory.resolve(DATA)) && Files.exists(newer.resolve(DATA))) {
            move(newer.resolve(DATA), directory.resolve(DATA));
        }
        move(newer.resolve(ETC), directory.resolve(SHIPPED));
        move(newer.resolve("bin"), directory.resolve("bin"));
    }

    private static void move(Path from, Path to) throws IOException {
        ControlPlane.delete(to);
        Files.move(from, to);
    }

    private void settings(Path newer) throws IOException {
        List<String> kept = new ArrayList<>();
        if (!Files.exists(directory.resolve(SHIPPED)) && Files.exists(directory.resolve(ETC))) {
            setAside();
        }
        Path etc = Files.createDirectories(directory.resolve(ETC));
        for (Path file : files(newer)) {
            Path name = newer.relativize(file);
            Path mine = etc.resolve(name.toString());
            Path shipped = directory.resolve(SHIPPED).resolve(name.toString());
            if (!Files.exists(mine) || same(mine, shipped)) {
                Files.createDirectories(mine.getParent());
                Files.copy(file, mine, StandardCopyOption.REPLACE_EXISTING);
            } else if (!same(mine, file)) {
                kept.add(name.toString());
            }
        }
        // A file that was shipped, is no longer shipped and was not edited belongs to the older program.
        for (Path file : files(directory.resolve(SHIPPED))) {
            Path name = directory.resolve(SHIPPED).relativize(file);
            Path mine = etc.resolve(name.toString());
            if (!Files.exists(newer.resolve(name.toString())) && same(mine, file)) {
                Files.delete(mine);
            }
        }
        if (!kept.isEmpty()) {
            terminal.progress("kept as edited in " + etc + ": " + String.join(", ", kept) + "; " + SHIPPED
                    + " beside it is the shipped file");
        }
    }

    /**
     * Version 0.1.0 did not keep what it shipped. Only Berth's own settings files can be compared: they set nothing as
     * shipped, so a file that sets something was edited.
     */
    private void setAside() throws IOException {
        Path etc = directory.resolve(ETC);
        Path before = directory.resolve("etc.before");
        if (Files.exists(before)) {
            // An interrupted update: etc is its result.
            ControlPlane.delete(etc);
        } else {
            Files.move(etc, before);
        }
        Files.createDirectories(etc);
        for (Path file : list(before)) {
            String name = file.getFileName().toString();
            if (OF_BERTH.matcher(name).matches() && sets(file)) {
                Files.copy(file, etc.resolve(name));
            }
        }
        terminal.progress("which other settings were edited is not known: all are in " + before
                + "; copy those that you want to keep, such as users and ports, into etc");
    }

    private static boolean sets(Path file) throws IOException {
        return content(file).stream().anyMatch(line -> !line.stripLeading().startsWith("#"));
    }

    private static boolean same(Path one, Path other) throws IOException {
        try {
            return content(one).equals(content(other));
        } catch (NoSuchFileException missing) {
            return false;
        }
    }

    /**
     * The content of a settings file that counts. Karaf adds empty lines to some files when it starts, and its
     * shutdown command to one.
     */
    private static List<String> content(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty() && !OF_KARAF.matcher(line).matches())
                .toList();
    }

    private static List<Path> files(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
