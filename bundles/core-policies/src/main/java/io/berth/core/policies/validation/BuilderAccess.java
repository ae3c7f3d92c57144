package io.berth.core.policies.validation;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a builder may still be used, and the first rule that its user broke. A builder is confined to the thread of
 * one call.
 */
public final class BuilderAccess {

    private volatile @Nullable Thread user;
    private volatile boolean closed;

    @SuppressWarnings("NullAway.Init")
    private volatile String violation;

    /** The call begins, on this thread. */
    public void begin() {
        user = Thread.currentThread();
    }

    /** The call is over; later uses have no effect. */
    public void end() {
        closed = true;
        user = null;
    }

    /** Whether the builder may be used now. */
    public boolean open() {
        if (closed || violation != null) {
            return false;
        }
        if (Thread.currentThread() != user) {
            violated("uses its result from another thread");
            return false;
        }
        return true;
    }

    public void violated(String text) {
        if (violation == null) {
            violation = text;
        }
    }

    public Optional<String> violation() {
        return Optional.ofNullable(violation);
    }
}
