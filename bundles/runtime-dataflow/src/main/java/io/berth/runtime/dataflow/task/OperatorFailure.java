package io.berth.runtime.dataflow.task;

import io.berth.core.api.rpc.Failures;
import io.berth.runtime.dataflow.exchange.buffer.NetworkMemoryException;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import io.berth.runtime.dataflow.exchange.result.ResultException;

/** The code of an operator failed. */
final class OperatorFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private OperatorFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * The exception to throw after a call of an operator threw. Failures of the runtime itself are returned unchanged.
     */
    static RuntimeException of(OperatorName name, Throwable thrown) {
        if (thrown instanceof OperatorFailure failure) {
            return failure;
        }
        if (thrown instanceof ExchangeException
                || thrown instanceof ReleasedException
                || thrown instanceof NetworkMemoryException
                || thrown instanceof ResultException
                || thrown instanceof TaskCanceledException) {
            return (RuntimeException) thrown;
        }
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new TaskCanceledException();
        }
        return new OperatorFailure(name + " failed: " + describe(thrown), thrown);
    }

    /** The stack trace of what the operator threw. */
    static String stack(Throwable thrown) {
        return Failures.stack(
                thrown instanceof OperatorFailure && thrown.getCause() != null ? thrown.getCause() : thrown);
    }

    /** The messages of the whole chain of causes, and where the innermost one was thrown. */
    static String describe(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.toString());
        Throwable innermost = thrown;
        for (int depth = 0; depth < 8 && innermost.getCause() != null; depth++) {
            innermost = innermost.getCause();
            text.append("; caused by ").append(innermost);
        }
        StackTraceElement[] trace = innermost.getStackTrace();
        if (trace.length > 0) {
            text.append(" (at ").append(trace[0]).append(')');
        }
        return text.toString();
    }
}
