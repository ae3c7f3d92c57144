package io.berth.simulator.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file that an option names for a plot.
 *
 * @param option for messages
 */
public record PlotFile(String option, Path path) {

    /** @throws IllegalArgumentException when a plot cannot be written to it */
    public static PlotFile named(String option, String name) {
        if (!name.endsWith(".svg")) {
            throw new IllegalArgumentException(
                    "option " + option + " is '" + name + "': allowed is the name of a file that ends in .svg");
        }
        Path directory = Path.of(name).toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException("option " + option + " is '" + name + "': directory " + directory
                    + " does not exist; create it first");
        }
        return new PlotFile(option, Path.of(name));
    }

    /** @throws IllegalArgumentException when it cannot be written */
    public void write(String svg) {
        try {
            Files.writeString(path, svg);
        } catch (IOException failure) {
            throw new IllegalArgumentException(
                    "option " + option + " is '" + path + "': it cannot be written:  " + failure);
        }
    }
}
