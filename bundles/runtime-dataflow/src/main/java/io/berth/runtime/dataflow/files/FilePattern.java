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

/** Names files: by path, by directory, or by a pattern in the last part of a path. */
final class FilePattern {

    private static final Pattern SEPARATOR = Pattern.compile("[\\r\\n" + Pattern.quote(File.pathSeparator) + "]+");

    private final List<String> parts;

    private FilePattern(List<String> parts) {
        this.parts = parts;
    }

    static FilePattern parse(Configuration configuration, String key) {
        List<String> parts = new ArrayList<>();
        for (String part : SEPARATOR.split(configuration.text(key))) {
            if (!part.isBlank()) {
                parts.add(part.trim());
            }
        }
        if (parts.isEmpty()) {
            throw configuration.refused(key, "paths separated by '" + File.pathSeparator + "'");
        }
        try {
            parts.forEach(part -> Path.of(part.replace('*', 'x').replace('?', 'x')));
        } catch (InvalidPathException e) {
            throw configuration.refused(key, "paths of this platform (" + e.getMessage() + ")");
        }
        return new FilePattern(List.copyOf(parts));
    }

    /** The files, in the order of the parts and by name within a part. */
    List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String part : parts) {
            int name = part.lastIndexOf('/') + 1;
            boolean pattern = part.indexOf('*', name) >= 0 || part.indexOf('?', name) >= 0;
            Path path = Path.of(pattern ? part.substring(0, name) : part);
            if (pattern) {
                PathMatcher matcher = path.getFileSystem().getPathMatcher("glob:" + part.substring(name));
                List<Path> found = list(path, file -> matcher.matches(file.getFileName()));
                if (found.isEmpty()) {
                    throw new NoSuchFileException(part, null, "no file fits this pattern");
                }
                files.addAll(found);
            } else if (Files.isDirectory(path)) {
                files.addAll(list(path, file -> true));
            } else if (Files.isRegularFile(path)) {
                files.add(path);
            } else {
                throw new NoSuchFileException(part, null, "neither a file nor a directory on this worker");
            }
        }
        return files;
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
        return String.join(File.pathSeparator, parts);
    }
}
