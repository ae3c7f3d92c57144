package io.berth.runtime.dataflow.exchange.buffer;

/** What can travel between records. Barriers and watermarks have a number, but are rejected until they are used. */
public enum EventKind {
    NONE(0),
    END_OF_PARTITION(1),
    BARRIER(2),
    WATERMARK(3);

    private final int code;

    EventKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
