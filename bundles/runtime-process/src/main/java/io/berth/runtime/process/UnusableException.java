package io.berth.runtime.process;

import io.berth.core.api.task.FailureKind;

/** What a task needs is not as it should be. The message is for people. */
final class UnusableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    /** @param kind whether another attempt, perhaps on another worker, would find the same */
    UnusableException(String message, FailureKind kind) {
        super(message);
        this.kind = kind;
    }

    FailureKind kind() {
        return kind;
    }
}
