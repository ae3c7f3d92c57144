package io.berth.runtime.process;

import io.berth.core.api.task.FailureKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as a shell does, so that one that is missing is named before anything starts. */
final class Executables {

    private Executables() {}

    /**
     * The path of a program.
     *
     * @param name a path when it has a slash, else a name in one of the folders of {@code searchPath}
     * @param directory that a relative path is meant from
     */
    static Optional<String> find(String name, String searchPath, Path directory) {
        if (name.contains("/")) {
            return Optional.of(directory.resolve(name))
                    .filter(Executables::isProgram)
                    .map(Path::toString);
        }
        for (String folder : searchPath.split(":")) {
            Path candidate = directory.resolve(folder).resolve(name);
            if (isProgram(candidate)) {
                return Optional.of(candidate.toString());
            }
        }
        return Optional.empty();
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** The path of a program that must be there; it may be on another worker. */
    static String require(String name, String searchPath, Path directory, String worker) {
        return find(name, searchPath, directory)
                .orElseThrow(() -> new UnusableException(
                        "program '" + name + "' is not on worker " + worker
                                + (name.contains("/") ? ", or it is no executable file" : ": PATH is " + searchPath),
                        FailureKind.TRANSIENT));
    }
}
