package io.berth.simulator.traces;

import java.nio.file.Path;

/** A trace cannot be replayed. The message names file, line, column, field, value and what is allowed. */
public final class BadTrace extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A problem of the whole file. */
    BadTrace(Path file, String what) {
        super(file + ": " + what);
    }

    /**
     * @param line of the file, from 1
     * @param column of the first wrong character, from 1
     */
    BadTrace(Path file, int line, int column, String what) {
        super(file + ":" + line + ":" + column + ": " + what);
    }
}
