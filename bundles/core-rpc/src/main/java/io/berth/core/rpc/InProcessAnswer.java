package io.berth.core.rpc;

import io.berth.core.api.rpc.RpcException;
import java.util.Optional;
import java.util.function.Supplier;

/** The answer of a process to an {@link InProcessCall}, not yet delivered. Thread-safe. */
public final class InProcessAnswer {

    private final Optional<RpcException> failure;
    private final int contentHash;
    private final Supplier<String> text;
    private final Runnable delivery;

    InProcessAnswer(Optional<RpcException> failure, int contentHash, Supplier<String> text, Runnable delivery) {
        this.failure = failure;
        this.contentHash = contentHash;
        this.text = text;
        this.delivery = delivery;
    }

    /** Why the process rejected the call or failed; empty when it succeeded. */
    public Optional<RpcException> failure() {
        return failure;
    }

    /** Hash of the serialized answer; 1 when messages are not serialized. */
    public int contentHash() {
        return contentHash;
    }

    /** The content in one line for people. */
    public String text() {
        return text.get();
    }

    /** Delivers the answer to the caller. It has no effect when the caller already has an outcome. */
    public void deliver() {
        delivery.run();
    }
}
