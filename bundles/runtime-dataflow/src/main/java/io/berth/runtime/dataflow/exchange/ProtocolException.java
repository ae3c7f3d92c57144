package io.berth.runtime.dataflow.exchange;

/** A peer sent what the exchange's protocol does not allow; its connection is closed. */
final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
