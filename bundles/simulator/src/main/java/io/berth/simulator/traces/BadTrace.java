package io.berth.simulator.traces;

import java.nio.file.Path;

/** A trace cannot be replayed as it is; the message names file, line, column, field, value and what is allowed. */
public final class BadTrace extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Something about the file as a whole. */
    BadTrace(Path file, String what) {
        super(file + ": " + what);
    }

    /**
     * @param line of the file, from 1
     * @param column of the first character that is wrong, from 1
     */
    BadTrace(Path file, int line, int column, String what) {
        super(file + ":" + line + ":" + column + ": " + what);
    }
}
