package io.berth.core.rpc;

import io.berth.core.api.rpc.RpcException;
import java.util.Optional;
import java.util.function.Supplier;

/** What a process answered to a {@link InProcessCall}, on its way back. Any thread. */
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

    /** How the process refused the call or failed in it; empty when it did neither. */
    public Optional<RpcException> failure() {
        return failure;
    }

    /** Of what was written for it. 1 when messages are not written. */
    public int contentHash() {
        return contentHash;
    }

    /** What is in it, for people, in one line. */
    public String text() {
        return text.get();
    }

    /** Tells the caller; no effect when the caller knows an outcome already. */
    public void deliver() {
        delivery.run();
    }
}
