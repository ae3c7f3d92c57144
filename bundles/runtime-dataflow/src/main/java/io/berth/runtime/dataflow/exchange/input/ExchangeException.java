package io.berth.runtime.dataflow.exchange.input;

/**
 * The data of another task is not available: the task or the connection to it is lost. The message names partition and
 * peer.
 */
public final class ExchangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExchangeException(String message) {
        super(message);
    }
}
