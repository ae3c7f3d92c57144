package io.berth.core.rpc.transport;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.rpc.proto.CommonProto.CallHeader;
import io.berth.core.security.Peer;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving end of each call. Header, protocol version and token are checked before the message is read, and the
 * message is checked before a gateway is called. Answers and failures are sent on the executor, never on a gateway's
 * main thread.
 */
final class AdmittedCalls {

    private static final Logger LOG = LoggerFactory.getLogger(AdmittedCalls.class);

    private final int protocolVersion;
    private final int messageMaxBytes;
    private final Peers peers;
    private final Executor executor;
    private final RefusalLog log;

    AdmittedCalls(int protocolVersion, int messageMaxBytes, Peers peers, Executor executor, RefusalLog log) {
        this.peers = peers;
        this.protocolVersion = protocolVersion;
        this.messageMaxBytes = messageMaxBytes;
        this.executor = executor;
        this.log = log;
    }

    /** The receiver of a call. */
    interface Receiver {

        /**
         * Checks the call before the message is read.
         *
         * @param peer who calls; empty when peers are not known by certificates
         * @throws RpcException when the call is rejected
         */
        void admit(CallHeader header, Optional<Peer> peer);

        /**
         * Handles the call. The stage fails with {@link RpcException}.
         *
         * @param peer as it was admitted
         * @throws InvalidProtocolBufferException when the bytes are no message
         * @throws RpcException when the peer may not make the call with this message
         * @throws RuntimeException when a field of the message has a value that is not allowed
         */
        CompletionStage<MessageLite> receive(CallHeader header, Optional<Peer> peer, byte[] message)
                throws InvalidProtocolBufferException;
    }

    ServerCallHandler<byte[], byte[]> handler(MethodDescriptor<byte[], byte[]> method, Receiver receiver) {
        return (call, metadata) -> {
            Exchange exchange = new Exchange(call, method, receiver);
            exchange.open(metadata);
            return exchange;
        };
    }

    /** One call. Its methods never run at the same time. */
    private final class Exchange extends ServerCall.Listener<byte[]> {

        private final ServerCall<byte[], byte[]> call;
        private final MethodDescriptor<byte[], byte[]> method;
        private final Receiver receiver;
        private CallHeader header = CallHeader.getDefaultInstance();
        private Optional<Peer> peer = Optional.empty();
        private byte @Nullable [] message;
        private boolean refused;

        Exchange(ServerCall<byte[], byte[]> call, MethodDescriptor<byte[], byte[]> method, Receiver receiver) {
            this.call = call;
            this.method = method;
            this.receiver = receiver;
        }

        void open(Metadata metadata) {
            try {
                peer = peers.of(call.getAttributes());
                header = header(metadata);
                if (header.getProtocolVersion() != protocolVersion) {
                    throw new RpcException(
                            Kind.FENCED,
                            "the receiver speaks protocol version " + protocolVersion + ", the caller version "
                                    + header.getProtocolVersion() + ": run the same release of Berth at both ends");
                }
                receiver.admit(header, peer);
                // Two are requested, so that a second message is noticed and rejected.
                call.request(2);
            } catch (RpcException refusal) {
                refuse(refusal);
            } catch (InvalidProtocolBufferException | IllegalArgumentException malformed) {
                refuse(new RpcException(
                        Kind.REFUSED, "the header of the call is malformed: " + malformed.getMessage()));
            }
        }

        private CallHeader header(Metadata metadata) throws InvalidProtocolBufferException {
            byte[] bytes = metadata.get(RpcProtocol.HEADER);
            if (bytes == null) {
                throw new RpcException(Kind.REFUSED, "the call has no header");
            }
            return CallHeader.parseFrom(bytes);
        }

        @Override
        public void onMessage(byte[] received) {
            if (refused) {
                return;
            }
            if (message != null) {
                refuse(new RpcException(Kind.REFUSED, "the call has more than one message"));
                return;
            }
            message = received;
        }

        @Override
        public void onHalfClose() {
            if (refused) {
                return;
            }
            if (message == null) {
                refuse(new RpcException(Kind.REFUSED, "the call has no message"));
                return;
            }
            CompletionStage<MessageLite> answer;
            try {
                answer = receiver.receive(header, peer, message);
            } catch (RpcException denied) {
                refuse(denied);
                return;
            } catch (InvalidProtocolBufferException | RuntimeException malformed) {
                refuse(new RpcException(Kind.REFUSED, "the message is malformed: " + malformed.getMessage()));
                return;
            } finally {
                message = null;
            }
            answer.whenCompleteAsync(this::answer, executor);
        }

        private void answer(MessageLite answer, Throwable failure) {
            Throwable cause = Failures.cause(failure);
            if (cause instanceof RpcException rpcFailure) {
                if (rpcFailure.kind() == Kind.FAILED) {
                    close(rpcFailure);
                } else {
                    refuse(rpcFailure);
                }
                return;
            }
            if (cause != null) {
                // The answer could not be written: the gateway returned a value that a message cannot contain.
                LOG.warn(
                        "the answer to {} of endpoint {} cannot be written",
                        method.getBareMethodName(),
                        header.getEndpoint(),
                        cause);
                close(new RpcException(Kind.FAILED, "the answer cannot be written: " + cause.getMessage()));
                return;
            }
            byte[] bytes = answer.toByteArray();
            if (bytes.length > messageMaxBytes) {
                String text = "the answer to " + method.getBareMethodName() + " of endpoint " + header.getEndpoint()
                        + " has " + bytes.length + " bytes, at most " + messageMaxBytes + " are allowed";
                LOG.warn("{} (message.max.bytes of io.berth.core.rpc)", text);
                close(new RpcException(Kind.FAILED, text));
                return;
            }
            send(() -> {
                call.sendHeaders(new Metadata());
                call.sendMessage(bytes);
                call.close(Status.OK, new Metadata());
            });
        }

        private void refuse(RpcException refusal) {
            refused = true;
            log.call(
                    call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                    peer.map(Peer::toString).orElse(header.getCaller()),
                    method.getFullMethodName(),
                    refusal.kind(),
                    String.valueOf(refusal.getMessage()));
            close(refusal);
        }

        private void close(RpcException rpcFailure) {
            Metadata trailers = new Metadata();
            trailers.put(RpcProtocol.KIND, rpcFailure.kind().name());
            Status status = switch (rpcFailure.kind()) {
                case NOT_FOUND -> Status.NOT_FOUND;
                case FENCED -> Status.FAILED_PRECONDITION;
                case REFUSED -> Status.INVALID_ARGUMENT;
                case DENIED -> Status.PERMISSION_DENIED;
                case UNREACHABLE, DEADLINE, FAILED -> Status.UNKNOWN;
            };
            send(() -> call.close(status.withDescription(rpcFailure.getMessage()), trailers));
        }

        private void send(Runnable action) {
            if (call.isCancelled()) {
                return;
            }
            try {
                action.run();
            } catch (IllegalStateException gone) {
                LOG.debug("the caller of {} is gone", method.getFullMethodName(), gone);
            }
        }
    }
}
