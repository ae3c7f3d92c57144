package io.berth.core.api.time;

import io.berth.core.api.rpc.Failures;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process on an error after which its state cannot be trusted: memory or stack ran out, or a class of Berth
 * does not link. A damaged leader is worse than none, because a standby takes over only when the leader is gone.
 * Thread-safe.
 */
public final class FatalErrors {

    /** Memory ran out. A JVM with {@code -XX:+ExitOnOutOfMemoryError} exits with the same code. */
    public static final int EXIT_OUT_OF_MEMORY = 3;

    /** Another error in Berth's own code; the log says which. */
    public static final int EXIT_INTERNAL_ERROR = 7;

    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);

    private final IntConsumer halt;

    /** @param halt ends the process at once with an exit code */
    public FatalErrors(IntConsumer halt) {
        this.halt = halt;
    }

    /** Halts this process. No shutdown hooks run, because they could not be relied on. */
    public static FatalErrors halting() {
        return new FatalErrors(code -> Runtime.getRuntime().halt(code));
    }

    /** Ends the process if the failure is fatal; otherwise passes it to {@code other}. */
    public Consumer<Throwable> before(Consumer<? super Throwable> other) {
        return failure -> {
            if (!isFatal(failure)) {
                other.accept(failure);
                return;
            }
            int code = exitCode(failure);
            try {
                LOG.error("fatal: the process ends with exit code {}", code, failure);
            } finally {
                halt.accept(code);
            }
        };
    }

    /** Whether the process that threw it must not continue. */
    public static boolean isFatal(Throwable failure) {
        Throwable cause = Failures.cause(failure);
        return cause instanceof VirtualMachineError || cause instanceof LinkageError;
    }

    /** The exit code of a process that ends because of the failure, fatal or not. */
    public static int exitCode(Throwable failure) {
        return Failures.cause(failure) instanceof OutOfMemoryError ? EXIT_OUT_OF_MEMORY : EXIT_INTERNAL_ERROR;
    }
}
