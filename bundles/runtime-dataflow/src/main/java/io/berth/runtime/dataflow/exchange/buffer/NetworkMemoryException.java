package io.berth.runtime.dataflow.exchange.buffer;

/** A channel needs more network memory than the worker has left. */
public final class NetworkMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NetworkMemoryException(String message) {
        super(message);
    }
}
