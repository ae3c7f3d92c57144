package io.berth.spi.backend;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * Why a worker could not be started. Immutable; {@link #of} begins one:
 *
 * <pre>{@code
 * context.startFailed("gpu", StartFailure.of(StartFailure.Kind.QUOTA, "8 of 8 GPUs are used").retryMillis(60_000).build());
 * }</pre>
 */
public final class StartFailure {

    /** What failed, and so what the ResourceManager does next. */
    public enum Kind {
        /** The cluster manager has no room for a worker of the spec now. */
        NO_CAPACITY(true),
        /** A limit of the account or of the queue is reached. */
        QUOTA(true),
        /** The cluster manager does not accept requests for the spec, for example because its image is missing. */
        REJECTED(true),
        /** Anything else: the request may succeed when it is repeated at once. */
        FAILED(false);

        private final boolean pausesSpec;

        Kind(boolean pausesSpec) {
            this.pausesSpec = pausesSpec;
        }

        /**
         * Whether the ResourceManager withdraws the requests for workers of the spec that were not granted, and uses
         * other specs until the pause ends. Otherwise it requests the worker again, and pauses the backend only after too
         * many failures in a minute.
         */
        public boolean pausesSpec() {
            return pausesSpec;
        }
    }

    /** The longest pause that a backend can ask for, in milliseconds: one hour. */
    public static final long MAX_RETRY_MILLIS = 3_600_000;

    private final Kind kind;
    private final String diagnostics;
    private final OptionalLong retryMillis;

    private StartFailure(Builder from) {
        kind = from.kind;
        diagnostics = from.diagnostics;
        retryMillis = from.retryMillis;
    }

    /**
     * Begins a failure without a hint when to try again.
     *
     * @param diagnostics one line for people
     */
    public static Builder of(Kind kind, String diagnostics) {
        return new Builder(kind, diagnostics);
    }

    /** Sets what is not the default, and builds the failure. For one thread. */
    public static final class Builder {

        private final Kind kind;
        private final String diagnostics;
        private OptionalLong retryMillis = OptionalLong.empty();

        private Builder(Kind kind, String diagnostics) {
            this.kind = Objects.requireNonNull(kind, "kind");
            this.diagnostics = Objects.requireNonNull(diagnostics, "diagnostics");
        }

        /**
         * In how many milliseconds a start of the spec may succeed, 1 to {@link #MAX_RETRY_MILLIS}. Without it, the
         * ResourceManager pauses the spec for {@code worker.start.pause.ms}, doubled with each failure in a row, up to a
         * minute. Of a kind that does not pause the spec it has no effect.
         */
        public Builder retryMillis(long millis) {
            retryMillis = OptionalLong.of(millis);
            return this;
        }

        /** @throws IllegalArgumentException names what is not allowed */
        public StartFailure build() {
            if (retryMillis.isPresent()
                    && (retryMillis.getAsLong() < 1 || retryMillis.getAsLong() > MAX_RETRY_MILLIS)) {
                throw new IllegalArgumentException("retry hint of a failed start is " + retryMillis.getAsLong()
                        + " ms: allowed is 1 to " + MAX_RETRY_MILLIS);
            }
            return new StartFailure(this);
        }
    }

    public Kind kind() {
        return kind;
    }

    /** One line for people. */
    public String diagnostics() {
        return diagnostics;
    }

    /** In how many milliseconds a start may succeed; empty: not known. */
    public OptionalLong retryMillis() {
        return retryMillis;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StartFailure that
                && kind == that.kind
                && diagnostics.equals(that.diagnostics)
                && retryMillis.equals(that.retryMillis);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, diagnostics, retryMillis);
    }

    @Override
    public String toString() {
        return kind + ": " + diagnostics;
    }
}
