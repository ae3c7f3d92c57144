package io.berth.core.rpc;

import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.Endpoints;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A call in transit, controlled by an {@link InProcessRpc.Carrier}. The carrier lets it arrive at a process any number
 * of times, and delivers an answer, a failure or nothing. The first outcome counts; later ones have no effect.
 * Thread-safe.
 *
 * @param <R> type of the answer
 */
public final class InProcessCall<R> {

    /** Makes the call in the process at which it arrives. */
    interface Arrival<R> {
        CompletableFuture<R> at(Endpoints endpoints);
    }

    /** Serializes an answer, and reads it in the calling process. */
    interface AnswerCodec<R> {

        byte[] write(R answer);

        R read(byte[] bytes) throws Exception;

        /** The content of an answer, for people. */
        default String text(R answer) {
            return answer.toString();
        }
    }

    private final EndpointRef target;
    private final String method;
    private final byte[] request;
    private final Supplier<String> text;
    private final Arrival<R> arrival;
    private final AnswerCodec<R> answerCodec;
    private final boolean written;
    private final CompletableFuture<R> result = new CompletableFuture<>();

    /**
     * @param request the serialized request; empty when messages are not serialized
     * @param text the content of the request, for people
     * @param written whether answers are serialized
     */
    InProcessCall(
            EndpointRef target,
            String method,
            byte[] request,
            Supplier<String> text,
            Arrival<R> arrival,
            AnswerCodec<R> answerCodec,
            boolean written) {
        this.target = target;
        this.method = method;
        this.request = request;
        this.text = text;
        this.arrival = arrival;
        this.answerCodec = answerCodec;
        this.written = written;
    }

    /** The called endpoint. When the call resolves an endpoint, the token has no meaning. */
    public EndpointRef target() {
        return target;
    }

    /** Service and method, for example {@code TaskExecutor/RequestSlots}; see {@link InProcessRpc#methods}. */
    public String method() {
        return method;
    }

    /** Hash of the serialized request, the same for equal messages; 1 when messages are not serialized. */
    public int contentHash() {
        return hash(request);
    }

    /** The content of the request in one line for people. */
    public String text() {
        return text.get();
    }

    private static int hash(byte[] bytes) {
        int hash = 1;
        for (byte one : bytes) {
            hash = 31 * hash + one;
        }
        return hash;
    }

    /**
     * The call arrives at a process, which executes it.
     *
     * @param process the process that is now at the address of the target
     * @param answered receives the answer of the process once, on a thread of the process
     */
    public void arrive(InProcessRpc process, Consumer<InProcessAnswer> answered) {
        arrival.at(process.endpoints())
                .whenComplete((value, failure) ->
                        answered.accept(failure == null ? answer(value) : refusal(asRpcException(failure))));
    }

    private InProcessAnswer answer(R value) {
        if (!written) {
            return new InProcessAnswer(
                    Optional.empty(), 1, () -> answerCodec.text(value), () -> result.complete(value));
        }
        byte[] bytes;
        try {
            bytes = answerCodec.write(value);
        } catch (RuntimeException failure) {
            return refusal(new RpcException(Kind.FAILED, "the answer cannot be written: " + failure));
        }
        return new InProcessAnswer(Optional.empty(), hash(bytes), () -> answerCodec.text(value), () -> read(bytes));
    }

    private void read(byte[] bytes) {
        try {
            result.complete(answerCodec.read(bytes));
        } catch (Exception malformed) {
            fail(Kind.FAILED, "the answer is malformed: " + malformed.getMessage());
        }
    }

    private InProcessAnswer refusal(RpcException failure) {
        return new InProcessAnswer(
                Optional.of(failure),
                1,
                () -> failure.kind() + " " + failure.getMessage(),
                () -> fail(failure.kind(), String.valueOf(failure.getMessage())));
    }

    private static RpcException asRpcException(Throwable failure) {
        Throwable cause = Failures.cause(failure);
        return cause instanceof RpcException rpcFailure
                ? rpcFailure
                : new RpcException(Kind.REFUSED, "the message is malformed: " + cause.getMessage());
    }

    /** Fails the call. */
    public void fail(Kind kind, String text) {
        result.completeExceptionally(
                new RpcException(kind, kind == Kind.FAILED ? text : method + " of " + target + ": " + text));
    }

    /** Whether the caller has an outcome. */
    public boolean isDone() {
        return result.isDone();
    }

    CompletableFuture<R> result() {
        return result;
    }
}
