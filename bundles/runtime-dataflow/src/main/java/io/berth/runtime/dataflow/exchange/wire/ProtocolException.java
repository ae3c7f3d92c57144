package io.berth.runtime.dataflow.exchange.wire;

/** A peer violated the protocol of the exchange. Its connection is closed. */
public final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
