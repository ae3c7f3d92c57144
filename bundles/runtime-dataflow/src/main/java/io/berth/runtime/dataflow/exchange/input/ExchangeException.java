package io.berth.runtime.dataflow.exchange.input;

/** Data of another task cannot be had: it or the way to it is lost. The message names partition and peer. */
public final class ExchangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExchangeException(String message) {
        super(message);
    }
}
