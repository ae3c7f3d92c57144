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
 * A call on its way, in the hands of a {@link InProcessRpc.Carrier}. The carrier lets it arrive at a process as often as it
 * likes, and brings back an answer, another failure or nothing. The first of what is brought back counts; what comes
 * later has no effect. Any thread.
 *
 * @param <R> what is answered
 */
public final class InProcessCall<R> {

    /** Makes the call in the process that it reached. */
    interface Arrival<R> {
        CompletableFuture<R> at(Endpoints endpoints);
    }

    /** Writes an answer, and reads it again where it was asked for. */
    interface Answering<R> {

        byte[] write(R answer);

        R read(byte[] bytes) throws Exception;

        /** What is in an answer, for people. */
        default String text(R answer) {
            return answer.toString();
        }
    }

    private final EndpointRef target;
    private final String method;
    private final byte[] request;
    private final Supplier<String> text;
    private final Arrival<R> arrival;
    private final Answering<R> answering;
    private final boolean written;
    private final CompletableFuture<R> result = new CompletableFuture<>();

    /**
     * @param request as it was written; empty when messages are not written
     * @param text what is in it, for people
     * @param written whether answers are written and read
     */
    InProcessCall(
            EndpointRef target,
            String method,
            byte[] request,
            Supplier<String> text,
            Arrival<R> arrival,
            Answering<R> answering,
            boolean written) {
        this.target = target;
        this.method = method;
        this.request = request;
        this.text = text;
        this.arrival = arrival;
        this.answering = answering;
        this.written = written;
    }

    /** Whom it is for; of a question for an endpoint, the token means nothing. */
    public EndpointRef target() {
        return target;
    }

    /** Service and method, for example {@code TaskExecutor/RequestSlots}; see {@link InProcessRpc#methods}. */
    public String method() {
        return method;
    }

    /** Of what was written for it; the same for equal messages. 1 when messages are not written. */
    public int contentHash() {
        return hash(request);
    }

    /** What is in the request, for people, in one line. */
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
     * The call reaches a process, which acts on it.
     *
     * @param process that it reached: the one at the address of the target, as it is by now
     * @param answered told once what the process answers, on a thread of the process
     */
    public void arrive(InProcessRpc process, Consumer<InProcessAnswer> answered) {
        arrival.at(process.endpoints())
                .whenComplete((value, failure) ->
                        answered.accept(failure == null ? answer(value) : refusal(asRpcException(failure))));
    }

    private InProcessAnswer answer(R value) {
        if (!written) {
            return new InProcessAnswer(Optional.empty(), 1, () -> answering.text(value), () -> result.complete(value));
        }
        byte[] bytes;
        try {
            bytes = answering.write(value);
        } catch (RuntimeException failure) {
            return refusal(new RpcException(Kind.FAILED, "the answer cannot be written: " + failure));
        }
        return new InProcessAnswer(Optional.empty(), hash(bytes), () -> answering.text(value), () -> read(bytes));
    }

    private void read(byte[] bytes) {
        try {
            result.complete(answering.read(bytes));
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
        return cause instanceof RpcException told
                ? told
                : new RpcException(Kind.REFUSED, "the message is malformed: " + cause.getMessage());
    }

    /** The call failed on its way. */
    public void fail(Kind kind, String text) {
        result.completeExceptionally(
                new RpcException(kind, kind == Kind.FAILED ? text : method + " of " + target + ": " + text));
    }

    /** Whether its caller knows the outcome. */
    public boolean isDone() {
        return result.isDone();
    }

    CompletableFuture<R> result() {
        return result;
    }
}
