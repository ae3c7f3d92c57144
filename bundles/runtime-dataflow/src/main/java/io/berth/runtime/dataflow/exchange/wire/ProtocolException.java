package io.berth.runtime.dataflow.exchange.wire;

/** A peer sent what the exchange's protocol does not allow; its connection is closed. */
public final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
