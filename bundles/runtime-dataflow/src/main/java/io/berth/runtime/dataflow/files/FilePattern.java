package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.Configuration;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names files: by path, by directory, or by a pattern in the last part of a path. If a line is the path of an existing
 * file, it is used literally, whatever characters it contains.
 */
public final class FilePattern {

    private static final Pattern LINE_END = Pattern.compile("[\\r\\n]+");
    private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
    private static final Pattern SPECIAL = Pattern.compile("[\\[\\]{}\\\\]");

    private final List<String> lines;

    private FilePattern(List<String> lines) {
        this.lines = lines;
    }

    /** The files that {@code key} names. */
    public static FilePattern parse(Configuration configuration, String key) {
        List<String> lines = split(LINE_END, configuration.text(key));
        List<String> parts =
                lines.stream().flatMap(line -> split(SEPARATOR, line).stream()).toList();
        if (parts.isEmpty()) {
            throw configuration.refused(key, "paths separated by '" + File.pathSeparator + "'");
        }
        try {
            for (String part : parts) {
                Path unused = Path.of(part.replace('*', 'x').replace('?', 'x'));
            }
        } catch (InvalidPathException e) {
            throw configuration.refused(key, "paths of this platform (" + e.getMessage() + ")");
        }
        return new FilePattern(lines);
    }

    private static List<String> split(Pattern separator, String text) {
        return separator
                .splitAsStream(text)
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** The files, in the order of the parts and by name within a part. */
    List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String line : lines) {
            for (String part : Files.exists(Path.of(line)) ? List.of(line) : split(SEPARATOR, line)) {
                files.addAll(files(part));
            }
        }
        return files;
    }

    private static List<Path> files(String part) throws IOException {
        Path path = Path.of(part);
        if (Files.isDirectory(path)) {
            return list(path, file -> true);
        }
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        int name = part.lastIndexOf('/') + 1;
        if (part.indexOf('*', name) < 0 && part.indexOf('?', name) < 0) {
            throw new NoSuchFileException(part, null, "neither a file nor a directory on this worker");
        }
        String glob = SPECIAL.matcher(part.substring(name)).replaceAll("\\\\$0");
        PathMatcher matcher = path.getFileSystem().getPathMatcher("glob:" + glob);
        List<Path> found = list(Path.of(part.substring(0, name)), file -> matcher.matches(file.getFileName()));
        if (found.isEmpty()) {
            throw new NoSuchFileException(part, null, "no file matches this pattern");
        }
        return found;
    }

    private static List<Path> list(Path directory, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> entries = Files.list(directory.toString().isEmpty() ? Path.of(".") : directory)) {
            return entries.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(wanted)
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public String toString() {
        return String.join(File.pathSeparator, lines);
    }
}
