package io.berth.runtime.dataflow.exchange.buffer;

/** The partition or gate was released while its task still used it: the task is being canceled. */
public final class ReleasedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ReleasedException(String message) {
        super(message);
    }
}
