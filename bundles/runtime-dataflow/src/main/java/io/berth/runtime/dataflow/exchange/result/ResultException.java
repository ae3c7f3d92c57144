package io.berth.runtime.dataflow.exchange.result;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A result cannot be written: the disk or its limit does not allow it. The message says which and what uses it. */
public final class ResultException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ResultException(String message, @Nullable IOException cause) {
        super(message, cause);
    }
}
