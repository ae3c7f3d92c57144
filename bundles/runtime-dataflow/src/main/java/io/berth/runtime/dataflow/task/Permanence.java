package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.PermanentException;
import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Tells the failures that another attempt would meet again. */
final class Permanence {

    private static final int MAX_DEPTH = 20;

    private Permanence() {}

    /** @param setUp whether records flow: from then on only what says so itself is permanent */
    static boolean of(Throwable thrown, boolean setUp) {
        Throwable cause = thrown;
        for (int depth = 0; depth < MAX_DEPTH && cause != null; depth++) {
            if (cause instanceof PermanentException
                    || cause instanceof ConfigurationException
                    || !setUp && (isOfTheProgram(cause) || isOfAFile(cause))) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isOfTheProgram(Throwable cause) {
        return cause instanceof NullPointerException
                || cause instanceof ClassCastException
                || cause instanceof IllegalArgumentException
                || cause instanceof IndexOutOfBoundsException
                || cause instanceof ArithmeticException
                || cause instanceof UnsupportedOperationException
                || cause instanceof LinkageError;
    }

    private static boolean isOfAFile(Throwable cause) {
        return cause instanceof NoSuchFileException
                || cause instanceof FileNotFoundException
                || cause instanceof AccessDeniedException
                || cause instanceof NotDirectoryException;
    }
}
