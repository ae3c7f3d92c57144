package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.GatewayType;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Calls through a carrier: which arrive, which are rejected, and which outcome counts. */
class InProcessRpcTest {

    private static final RpcAddress HERE = new RpcAddress("here", 1);
    private static final RpcAddress THERE = new RpcAddress("there", 2);
    private static final FencingToken TOKEN = new FencingToken(3, new UUID(3, 3));

    private final List<InProcessCall<?>> carried = new ArrayList<>();
    private final InProcessRpc sender = new InProcessRpc(HERE, carried::add, true);
    private final InProcessRpc receiver = new InProcessRpc(THERE, carried::add, true);
    private final List<String> asked = new ArrayList<>();

    @SuppressWarnings("unused")
    private final class Reads {

        CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
            asked.add(sha256 + "@" + offset);
            return CompletableFuture.completedFuture(new BundleChunk(new byte[] {1, 2, 3}));
        }
    }

    private DispatcherGateway dispatcher() {
        return PartialGateway.of(DispatcherGateway.class, new Reads());
    }

    private CompletableFuture<BundleChunk> read(FencingToken token) {
        return sender.dispatcher(new EndpointRef(THERE, EndpointName.DISPATCHER, token))
                .readBundle("abc", 7, 9)
                .toCompletableFuture();
    }

    @Test
    void aCallArrivesAsOftenAsItIsCarriedAndIsAnsweredOnce() {
        receiver.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());
        CompletableFuture<BundleChunk> outcome = read(TOKEN);
        List<InProcessAnswer> answers = new ArrayList<>();

        carried.get(0).arrive(receiver, answers::add);
        carried.get(0).arrive(receiver, answers::add);

        assertThat(asked).containsExactly("abc@7", "abc@7");
        assertThat(outcome).isNotDone();
        carried.get(0).fail(Kind.DEADLINE, "late");
        answers.forEach(InProcessAnswer::deliver);
        assertThat(kind(outcome)).isEqualTo(Kind.DEADLINE);
    }

    @Test
    void aProcessCallsItselfInTheOrderOfTheCalls() {
        Queue<Runnable> calls = new ArrayDeque<>();
        InProcessRpc loopback = InProcessRpc.loopback(HERE, calls::add);
        loopback.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());
        EndpointRef itself = new EndpointRef(HERE, EndpointName.DISPATCHER, TOKEN);
        CompletableFuture<BundleChunk> first =
                loopback.dispatcher(itself).readBundle("abc", 1, 9).toCompletableFuture();
        loopback.dispatcher(itself).readBundle("def", 2, 9);

        assertThat(asked).as("nothing runs on the thread of the caller").isEmpty();
        while (!calls.isEmpty()) {
            calls.remove().run();
        }

        assertThat(asked).containsExactly("abc@1", "def@2");
        assertThat(first.join().content()).containsExactly(1, 2, 3);
    }

    @Test
    void messagesCanBeRead() {
        receiver.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());
        List<InProcessAnswer> answers = new ArrayList<>();
        read(TOKEN);
        sender.resourceManager(new EndpointRef(THERE, EndpointName.RESOURCE_MANAGER, TOKEN))
                .slotFreed(new SlotFreed(new InstanceId(5), new AllocationId(36, 7), new JobId("words"), "idle"));

        carried.get(0).arrive(receiver, answers::add);

        assertThat(carried.get(0).text()).isEqualTo("length 9 offset 7 sha256 abc");
        assertThat(carried.get(1).text()).isEqualTo("allocation 10-7 cause idle instance 5 job words");
        assertThat(answers.get(0).text()).startsWith("content ");
    }

    @Test
    void anEndpointIsServedUnderItsTokenOnly() {
        receiver.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());

        assertThat(receiver.serves(new EndpointRef(THERE, EndpointName.DISPATCHER, TOKEN)))
                .isTrue();
        assertThat(receiver.serves(
                        new EndpointRef(THERE, EndpointName.DISPATCHER, new FencingToken(3, new UUID(3, 4)))))
                .isFalse();
        assertThat(receiver.serves(new EndpointRef(THERE, EndpointName.JOB_MASTERS, TOKEN)))
                .isFalse();
    }

    @Test
    void anAnswerIsThatOfTheReceiver() {
        receiver.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());
        CompletableFuture<BundleChunk> outcome = read(TOKEN);

        carried.get(0).arrive(receiver, InProcessAnswer::deliver);

        assertThat(outcome.join().content()).containsExactly(1, 2, 3);
        assertThat(carried.get(0).method()).isEqualTo("Dispatcher/ReadBundle").isIn(InProcessRpc.methods());
    }

    @Test
    void aCallForAnotherTokenNeverReachesTheReceiver() {
        receiver.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());
        CompletableFuture<BundleChunk> outcome = read(new FencingToken(2, new UUID(3, 3)));

        carried.get(0).arrive(receiver, InProcessAnswer::deliver);

        assertThat(asked).isEmpty();
        assertThat(kind(outcome)).isEqualTo(Kind.FENCED);
    }

    @Test
    void c95_aMessageForAnotherResourceManagerIsFencedAndDoesNotReachThisOne() {
        EndpointName name = EndpointName.RESOURCE_MANAGER;
        receiver.serve(name, TOKEN, (ResourceManagerGateway) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ResourceManagerGateway.class},
                (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
                }));
        List<CompletableFuture<Acknowledge>> outcomes = new ArrayList<>();
        FencingToken sameEpoch = new FencingToken(3, new UUID(4, 4));
        for (FencingToken token : List.of(new FencingToken(2, new UUID(2, 2)), sameEpoch, TOKEN)) {
            outcomes.add(sender.resourceManager(new EndpointRef(THERE, name, token))
                    .disconnectJobMaster(new JobId("count"), new JobMasterId(TOKEN), "finished")
                    .toCompletableFuture());
        }
        carried.forEach(call -> call.arrive(receiver, InProcessAnswer::deliver));

        assertThat(kind(outcomes.get(0))).isEqualTo(Kind.FENCED);
        assertThat(kind(outcomes.get(1))).isEqualTo(Kind.FENCED);
        assertThat(outcomes.get(2)).isCompleted();
        assertThat(asked).containsExactly("disconnectJobMaster");
    }

    @Test
    void anEndpointIsFoundWhileItIsServed() {
        CompletableFuture<EndpointRef> before =
                sender.resolve(THERE, EndpointName.DISPATCHER).toCompletableFuture();
        carried.get(0).arrive(receiver, InProcessAnswer::deliver);
        receiver.serve(EndpointName.DISPATCHER, TOKEN, dispatcher());
        CompletableFuture<EndpointRef> after =
                sender.resolve(THERE, EndpointName.DISPATCHER).toCompletableFuture();
        carried.get(1).arrive(receiver, InProcessAnswer::deliver);

        assertThat(kind(before)).isEqualTo(Kind.NOT_FOUND);
        assertThat(after.join()).isEqualTo(new EndpointRef(THERE, EndpointName.DISPATCHER, TOKEN));
    }

    @Test
    void namesOfMethodsAreDifferent() {
        assertThat(InProcessRpc.methods())
                .doesNotHaveDuplicates()
                .hasSize((int) GatewayType.methods().count() + 1);
    }

    private static Kind kind(CompletableFuture<?> outcome) {
        assertThat(outcome).isCompletedExceptionally();
        return ((RpcException) outcome.handle((value, failure) -> failure).join()).kind();
    }
}
