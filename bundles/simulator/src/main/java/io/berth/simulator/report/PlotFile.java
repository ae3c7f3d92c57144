package io.berth.simulator.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of option {@code --plot}. */
public final class PlotFile {

    private PlotFile() {}

    /** @throws IllegalArgumentException when a plot cannot be written to it */
    public static Path named(String name) {
        if (!name.endsWith(".svg")) {
            throw new IllegalArgumentException(
                    "option --plot is '" + name + "': allowed is the name of a file that ends in .svg");
        }
        Path directory = Path.of(name).toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException(
                    "option --plot is '" + name + "': directory " + directory + " does not exist; create it first");
        }
        return Path.of(name);
    }

    /** @throws IllegalArgumentException when it cannot be written */
    public static void write(Path file, Chart chart) {
        try {
            Files.writeString(file, chart.text());
        } catch (IOException failure) {
            throw new IllegalArgumentException("option --plot is '" + file + "': it cannot be written:  " + failure);
        }
    }
}
