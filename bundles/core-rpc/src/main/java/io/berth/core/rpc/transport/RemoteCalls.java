package io.berth.core.rpc.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The calling end of calls to other processes. */
public final class RemoteCalls {

    /** Reads an answer. */
    @FunctionalInterface
    public interface Reader<R> {
        R read(byte[] answer) throws InvalidProtocolBufferException;
    }

    private final PeerChannels channels;
    private final Peers peers;
    private final Executor executor;
    private final int messageMaxBytes;

    public RemoteCalls(PeerChannels channels, Peers peers, Executor executor, int messageMaxBytes) {
        this.peers = peers;
        this.channels = channels;
        this.executor = executor;
        this.messageMaxBytes = messageMaxBytes;
    }

    /**
     * Makes a call. Never throws or blocks; the future fails only with {@link RpcException}.
     *
     * @param endpoint which the peer must be one to serve; empty: any process of the cluster may answer
     * @param what the call, for error texts
     */
    public <R> CompletableFuture<R> call(
            RpcAddress address,
            Optional<EndpointName> endpoint,
            MethodDescriptor<byte[], byte[]> method,
            ByteString header,
            byte[] request,
            Reader<R> answer,
            long deadlineMillis,
            String what) {
        CompletableFuture<R> result = new CompletableFuture<>();
        if (request.length > messageMaxBytes) {
            result.completeExceptionally(new RpcException(
                    Kind.REFUSED,
                    what + ": the message has " + request.length + " bytes, at most " + messageMaxBytes
                            + " are allowed (message.max.bytes of io.berth.core.rpc)"));
            return result;
        }
        Deadline deadline = Deadline.after(deadlineMillis, TimeUnit.MILLISECONDS);
        try {
            // The transport keeps buffers for each thread, so calls start only on threads of this bundle.
            executor.execute(() -> {
                PeerChannels.Peer peer;
                try {
                    peer = channels.acquire(address);
                } catch (RuntimeException failure) {
                    result.completeExceptionally(unreachable(what, String.valueOf(failure.getMessage())));
                    return;
                }
                Exchange<R> exchange = new Exchange<>(peer, answer, deadlineMillis, what, result);
                Metadata metadata = new Metadata();
                metadata.put(RpcProtocol.HEADER, header.toByteArray());
                CallOptions options = CallOptions.DEFAULT.withDeadline(deadline).withExecutor(executor);
                if (peers.credentials().isPresent()) {
                    options = options.withCallCredentials(new ServerCheck(endpoint));
                }
                ClientCall<byte[], byte[]> call = peer.channel().newCall(method, options);
                try {
                    call.start(exchange, metadata);
                    call.request(2);
                    call.sendMessage(request);
                    call.halfClose();
                } catch (RuntimeException failure) {
                    call.cancel("the call could not be sent", failure);
                }
            });
        } catch (RejectedExecutionException closed) {
            result.completeExceptionally(unreachable(what, "the RPC service of this process is closed"));
        }
        return result;
    }

    public static RpcException unreachable(String what, String reason) {
        return new RpcException(Kind.UNREACHABLE, what + ": " + reason);
    }

    public static RpcException deadline(String what, long deadlineMillis) {
        return new RpcException(Kind.DEADLINE, what + ": no answer within " + deadlineMillis + " ms");
    }

    /** Checks the peer of a connection before each call is sent. It adds nothing to the call. */
    private final class ServerCheck extends CallCredentials {

        private final Optional<EndpointName> endpoint;

        ServerCheck(Optional<EndpointName> endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public void applyRequestMetadata(RequestInfo request, Executor applier, MetadataApplier result) {
            try {
                if (endpoint.isPresent()) {
                    peers.requireServerOf(endpoint.get(), request.getTransportAttrs());
                } else {
                    peers.of(request.getTransportAttrs());
                }
                result.apply(new Metadata());
            } catch (RpcException denied) {
                result.fail(Status.PERMISSION_DENIED.withDescription(denied.getMessage()));
            }
        }
    }

    /** Receives the outcome of one call. */
    private final class Exchange<R> extends ClientCall.Listener<byte[]> {

        private final PeerChannels.Peer peer;
        private final Reader<R> answer;
        private final long deadlineMillis;
        private final String what;
        private final CompletableFuture<R> result;

        @SuppressWarnings("NullAway.Init")
        private byte[] message;

        Exchange(
                PeerChannels.Peer peer,
                Reader<R> answer,
                long deadlineMillis,
                String what,
                CompletableFuture<R> result) {
            this.peer = peer;
            this.answer = answer;
            this.deadlineMillis = deadlineMillis;
            this.what = what;
            this.result = result;
        }

        @Override
        public void onMessage(byte[] received) {
            message = received;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            Object outcome = outcome(status, trailers);
            Optional<Kind> kind =
                    outcome instanceof RpcException failure ? Optional.of(failure.kind()) : Optional.empty();
            channels.release(
                    peer,
                    kind.equals(Optional.of(Kind.UNREACHABLE)),
                    kind.equals(Optional.of(Kind.DENIED)) && peers.credentials().isPresent());
            if (outcome instanceof RpcException failure) {
                result.completeExceptionally(failure);
                return;
            }
            try {
                result.complete(answer.read(message));
            } catch (Exception malformed) {
                result.completeExceptionally(
                        new RpcException(Kind.FAILED, what + ": the answer is malformed: " + malformed.getMessage()));
            }
        }

        private Object outcome(Status status, Metadata trailers) {
            if (status.isOk()) {
                return message == null ? new RpcException(Kind.FAILED, what + ": the answer is empty") : status;
            }
            String text = status.getDescription() == null ? status.getCode().name() : status.getDescription();
            Optional<Kind> reported =
                    Optional.ofNullable(trailers.get(RpcProtocol.KIND)).map(this::kind);
            if (reported.isPresent()) {
                return new RpcException(reported.get(), reported.get() == Kind.FAILED ? text : what + ": " + text);
            }
            return switch (status.getCode()) {
                case DEADLINE_EXCEEDED -> deadline(what, deadlineMillis);
                case UNIMPLEMENTED ->
                    new RpcException(
                            Kind.REFUSED,
                            what + ": the peer has no such method; run the same release of Berth at both ends");
                case PERMISSION_DENIED -> new RpcException(Kind.DENIED, what + ": " + text);
                case RESOURCE_EXHAUSTED -> new RpcException(Kind.REFUSED, what + ": " + text);
                // The peer reported nothing itself, so the connection failed.
                default -> unreachable(what, text + reason(status));
            };
        }

        private String reason(Status status) {
            Throwable cause = status.getCause();
            return cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
        }

        private Kind kind(String name) {
            for (Kind kind : Kind.values()) {
                if (kind.name().equals(name)) {
                    return kind;
                }
            }
            return Kind.FAILED;
        }
    }
}
