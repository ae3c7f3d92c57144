package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.gateway.GatewayType;
import io.berth.core.rpc.transport.GatewayServer;
import io.berth.core.security.ClusterSecurity;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each method of each gateway over a real socket: arguments and answers arrive unchanged. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryMethodTest {

    private static final int ROUNDS = 25;

    private RunningRpc receiver;
    private RunningRpc sender;

    @BeforeAll
    void start() {
        receiver = RpcServices.start(RpcConfig.defaults("receiver"), ClusterSecurity.NONE);
        sender = RpcServices.start(RpcConfig.defaults("sender"), ClusterSecurity.NONE);
    }

    @AfterAll
    void end() {
        sender.close();
        receiver.close();
    }

    private record Gateway<G>(Class<G> type, TriServe<G> serve, BiFunction<RpcService, EndpointRef, G> stub) {}

    private interface TriServe<G> {
        RpcService.Served serve(RpcService rpc, EndpointName name, G gateway);
    }

    private static List<Gateway<?>> gateways() {
        return List.of(
                new Gateway<>(
                        ResourceManagerGateway.class,
                        (rpc, name, gateway) -> rpc.serve(name, Samples.token(1), gateway),
                        RpcService::resourceManager),
                new Gateway<>(
                        JobMasterGateway.class,
                        (rpc, name, gateway) -> rpc.serve(name, Samples.token(1), gateway),
                        RpcService::jobMaster),
                new Gateway<>(
                        JobMastersGateway.class,
                        (rpc, name, gateway) -> rpc.serve(name, Samples.token(1), gateway),
                        RpcService::jobMasters),
                new Gateway<>(
                        TaskExecutorGateway.class,
                        (rpc, name, gateway) -> rpc.serve(name, Samples.token(1), gateway),
                        RpcService::taskExecutor),
                new Gateway<>(
                        DispatcherGateway.class,
                        (rpc, name, gateway) -> rpc.serve(name, Samples.token(1), gateway),
                        RpcService::dispatcher));
    }

    static Stream<String> methods() {
        return gateways().stream()
                .flatMap(gateway -> Arrays.stream(gateway.type().getMethods())
                        .map(method -> gateway.type().getSimpleName() + "." + method.getName()));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void argumentsAndAnswersArriveAsTheyWereSent(String name) throws Exception {
        String type = name.substring(0, name.indexOf('.'));
        for (Gateway<?> gateway : gateways()) {
            if (gateway.type().getSimpleName().equals(type)) {
                for (Method method : gateway.type().getMethods()) {
                    if (name.endsWith("." + method.getName())) {
                        roundTrips(gateway, method);
                    }
                }
            }
        }
    }

    private <G> void roundTrips(Gateway<G> gateway, Method method) throws Exception {
        AtomicReference<List<Object>> arrived = new AtomicReference<>();
        AtomicReference<Object> answer = new AtomicReference<>();
        G served = gateway.type()
                .cast(Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {gateway.type()}, (proxy, called, arguments) -> {
                            assertThat(called).isEqualTo(method);
                            arrived.set(arguments == null ? List.of() : List.of(arguments));
                            return CompletableFuture.completedFuture(answer.get());
                        }));
        EndpointName name = new EndpointName(method.getName());
        Samples samples = new Samples(method.getName().hashCode());
        Type answerType = ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0];
        try (RpcService.Served endpoint = gateway.serve().serve(receiver, name, served)) {
            G stub = gateway.stub().apply(sender, endpoint.endpoint());
            for (int round = 0; round < ROUNDS; round++) {
                List<Object> sent = new ArrayList<>();
                for (Type parameter : method.getGenericParameterTypes()) {
                    sent.add(samples.of(parameter));
                }
                answer.set(samples.of(answerType));
                Object returned = ((CompletionStage<?>) method.invoke(stub, sent.toArray()))
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS);
                assertThat(arrived.get()).usingRecursiveComparison().isEqualTo(sent);
                assertThat(returned).usingRecursiveComparison().isEqualTo(answer.get());
            }
        }
    }

    @Test
    void schemaNamesExactlyTheMethodsThatAreServed() throws Exception {
        TreeSet<String> inSchema = new TreeSet<>();
        try (Stream<Path> files = Files.list(Path.of("src/main/protobuf"))) {
            for (Path file : files.toList()) {
                Matcher line = Pattern.compile("^service (\\w+)|^ {2}rpc (\\w+)\\(", Pattern.MULTILINE)
                        .matcher(Files.readString(file));
                String service = "";
                while (line.find()) {
                    if (line.group(1) != null) {
                        service = line.group(1);
                    } else {
                        inSchema.add("berth.rpc.v1." + service + "/" + line.group(2));
                    }
                }
            }
        }
        TreeSet<String> served = new TreeSet<>();
        GatewayType.methods().forEach(method -> served.add(method.descriptor().getFullMethodName()));
        served.add(GatewayServer.RESOLVE.getFullMethodName());
        assertThat(served).isEqualTo(inSchema).hasSize((int) methods().count() + 1);
    }
}
