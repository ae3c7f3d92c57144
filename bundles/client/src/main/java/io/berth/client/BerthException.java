package io.berth.client;

import java.util.List;

/** The control plane did not do what it was asked. */
public final class BerthException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why not. */
    public enum Kind {
        /** The request is not allowed as it is; {@link #problems} may have more. */
        REFUSED,
        /** The user has no valid token, or may not do that; or the request came from where none is allowed. */
        DENIED,
        /** What it names does not exist. */
        NOT_FOUND,
        /** Another change came first, or the job has ended. */
        CONFLICT,
        /** No control plane answers, or it cannot answer now: the same request may succeed later. */
        UNREACHABLE,
        /** The control plane failed. */
        FAILED,
        /** The thread was interrupted while it waited. */
        INTERRUPTED
    }

    /**
     * What is wrong with a job description.
     *
     * @param field where, such as {@code vertices[2].operator}
     * @param given what stands there
     * @param allowed what may stand there
     */
    public record Problem(String field, String given, String allowed) {}

    private final Kind kind;
    private final transient List<Problem> problems;

    public BerthException(Kind kind, String message) {
        this(kind, message, List.of());
    }

    public BerthException(Kind kind, String message, List<Problem> problems) {
        super(message);
        this.kind = kind;
        this.problems = List.copyOf(problems);
    }

    public Kind kind() {
        return kind;
    }

    /** All problems of a description that was refused; otherwise empty. */
    public List<Problem> problems() {
        return problems;
    }
}
