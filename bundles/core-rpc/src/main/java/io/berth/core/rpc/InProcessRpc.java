package io.berth.core.rpc;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.Endpoints;
import io.berth.core.rpc.gateway.GatewayType;
import io.berth.core.rpc.gateway.RpcMethod;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.wire.Codecs;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * The gateways of one process over a transport that the caller provides. Stubs, message format and the checks of the
 * receiver are the same as over sockets, but there are no sockets, threads or deadlines. For simulations, which
 * control each call.
 */
public final class InProcessRpc implements RpcService {

    private static final String RESOLVE = "Directory/Resolve";
    private static final byte[] NOT_WRITTEN = {};
    private static final FencingToken NO_TOKEN = new FencingToken(0, new UUID(0, 0));

    /** Receives the calls of a process, and must give each of them an outcome at some time. */
    @FunctionalInterface
    public interface Carrier {
        void carry(InProcessCall<?> call);
    }

    private final RpcAddress address;
    private final Carrier carrier;
    private final boolean written;
    private final Endpoints endpoints = new Endpoints();

    /**
     * @param address address of the process
     * @param written whether messages are serialized; otherwise they are passed as objects, which is faster but tests
     *     less
     */
    public InProcessRpc(RpcAddress address, Carrier carrier, boolean written) {
        this.address = address;
        this.carrier = carrier;
        this.written = written;
    }

    /**
     * The gateways of a process that calls only itself: one call or answer after the other arrives on {@code calls}, in the
     * order in which they are sent. Messages are serialized.
     *
     * @param calls runs one action at a time, in the order of submission
     */
    public static InProcessRpc loopback(RpcAddress address, Executor calls) {
        InProcessRpc[] itself = new InProcessRpc[1];
        itself[0] = new InProcessRpc(
                address,
                call -> calls.execute(() -> call.arrive(itself[0], answer -> calls.execute(answer::deliver))),
                true);
        return itself[0];
    }

    /** Service and method of all possible calls, including resolving an endpoint, in a fixed order. */
    public static List<String> methods() {
        return Stream.concat(GatewayType.methods().map(InProcessRpc::name), Stream.of(RESOLVE))
                .toList();
    }

    private static String name(RpcMethod method) {
        String full = method.descriptor().getFullMethodName();
        return full.substring(full.lastIndexOf('.', full.indexOf('/')) + 1);
    }

    /** Whether this process serves the endpoint under its token. */
    public boolean serves(EndpointRef endpoint) {
        return endpoints.isServed(endpoint.name(), endpoint.token());
    }

    Endpoints endpoints() {
        return endpoints;
    }

    /** Stops serving all endpoints, because the process has ended. */
    public void close() {
        endpoints.removeAll();
    }

    @Override
    public RpcAddress address() {
        return address;
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        Endpoints.Entry entry = endpoints.add(name, token, type, gateway);
        return new ServedEndpoint(new EndpointRef(address, name, token), () -> endpoints.remove(entry));
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress process, EndpointName name) {
        InProcessCall<EndpointRef> call = new InProcessCall<>(
                new EndpointRef(process, name, NO_TOKEN),
                RESOLVE,
                NOT_WRITTEN,
                name::toString,
                receiver -> {
                    try {
                        return CompletableFuture.completedFuture(new EndpointRef(process, name, receiver.token(name)));
                    } catch (RpcException notServed) {
                        return CompletableFuture.failedFuture(notServed);
                    }
                },
                new InProcessCall.AnswerCodec<>() {
                    @Override
                    public byte[] write(EndpointRef answer) {
                        return Codecs.to(answer.token()).toByteArray();
                    }

                    @Override
                    public EndpointRef read(byte[] bytes) throws Exception {
                        return new EndpointRef(process, name, Codecs.from(CommonProto.FencingToken.parseFrom(bytes)));
                    }
                },
                written);
        carrier.carry(call);
        return call.result();
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        return GatewayType.stub(type, endpoint, this::call);
    }

    /** Passes a call to the carrier. */
    private CompletionStage<Object> call(EndpointRef target, RpcMethod method, Object[] arguments) {
        byte[] message = NOT_WRITTEN;
        if (written) {
            try {
                message = method.request().write(arguments).toByteArray();
            } catch (RuntimeException failure) {
                return CompletableFuture.failedFuture(
                        new RpcException(Kind.REFUSED, method.name() + ": the message cannot be written: " + failure));
            }
        }
        byte[] sent = message;
        InProcessCall<Object> call = new InProcessCall<>(
                target,
                name(method),
                sent,
                () -> MessageText.of(method.request().write(arguments)),
                receiver -> arrive(receiver, target, method, arguments, sent),
                new InProcessCall.AnswerCodec<>() {
                    @Override
                    public byte[] write(Object answer) {
                        return method.answer().write(answer).toByteArray();
                    }

                    @Override
                    public Object read(byte[] bytes) throws Exception {
                        return method.answer().read(bytes);
                    }

                    @Override
                    public String text(Object answer) {
                        return MessageText.of(method.answer().write(answer));
                    }
                },
                written);
        carrier.carry(call);
        return call.result();
    }

    private CompletableFuture<Object> arrive(
            Endpoints receiver, EndpointRef target, RpcMethod method, Object[] sent, byte[] message) {
        Object[] arguments = sent;
        try {
            // As over sockets, the token is checked before the message is read.
            receiver.admit(target.name(), target.token(), method.gateway());
            if (written) {
                arguments = (Object[]) method.request().read(message);
            }
        } catch (Exception refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return receiver.invoke(target.name(), target.token(), method, arguments).toCompletableFuture();
    }
}
