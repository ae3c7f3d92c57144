package io.berth.core.rpc.gateway;

import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.wire.Codecs;
import io.berth.core.rpc.wire.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A gateway interface and its methods, which are the methods of the service of the same name in the schema. All are
 * derived once, when this class is loaded.
 */
public final class GatewayType<G> {

    private static final Map<Class<?>, GatewayType<?>> ALL = Stream.of(
                    ResourceManagerGateway.class,
                    JobMasterGateway.class,
                    JobMastersGateway.class,
                    TaskExecutorGateway.class,
                    DispatcherGateway.class)
            .collect(Collectors.toMap(type -> type, GatewayType::new, (one, other) -> one, LinkedHashMap::new));

    private final Class<G> type;
    /** Methods by their names in the interface, in the order of the schema. */
    private final Map<String, RpcMethod> methods = new LinkedHashMap<>();

    private GatewayType(Class<G> type) {
        this.type = type;
        String service = type.getSimpleName().replace("Gateway", "");
        Map<String, Method> declared =
                Stream.of(type.getMethods()).collect(Collectors.toMap(Method::getName, method -> method));
        Codecs codecs = new Codecs();
        for (Schema.Rpc rpc : Schema.service(service)) {
            String name = rpc.name().substring(0, 1).toLowerCase(Locale.ROOT)
                    + rpc.name().substring(1);
            Method method = Optional.ofNullable(declared.remove(name))
                    .orElseThrow(() -> new IllegalStateException(type + " has no method " + name + " of its service"));
            methods.put(
                    name,
                    new RpcMethod(
                            RpcProtocol.descriptor(service, rpc.name()),
                            type,
                            handle(method),
                            codecs.request(method, rpc.request()),
                            codecs.answer(method, rpc.answer()),
                            Access.of(method)));
        }
        if (!declared.isEmpty()) {
            throw new IllegalStateException("service " + service + " has no methods for " + declared.keySet());
        }
    }

    private static MethodHandle handle(Method method) {
        try {
            return MethodHandles.publicLookup()
                    .unreflect(method)
                    .asSpreader(Object[].class, method.getParameterCount())
                    .asType(MethodType.methodType(CompletionStage.class, Object.class, Object[].class));
        } catch (IllegalAccessException failure) {
            throw new IllegalStateException(method + " is not public", failure);
        }
    }

    /** The methods of all gateways, in a fixed order. */
    public static Stream<RpcMethod> methods() {
        return ALL.values().stream().flatMap(gateway -> gateway.methods.values().stream());
    }

    /** A gateway whose calls go to an endpoint. Stubs of the same caller and endpoint are equal. */
    public static <G> G stub(Class<G> type, EndpointRef endpoint, Caller caller) {
        GatewayType<?> gateway = Optional.<GatewayType<?>>ofNullable(ALL.get(type))
                .orElseThrow(() -> new IllegalArgumentException(type + " is not a gateway"));
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, new Stub(endpoint, caller, gateway)));
    }

    private record Stub(EndpointRef endpoint, Caller caller, GatewayType<?> gateway) implements InvocationHandler {

        private static final Object[] NO_ARGUMENTS = {};

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            RpcMethod rpc = gateway.methods.get(method.getName());
            if (rpc != null) {
                return caller.call(endpoint, rpc, arguments == null ? NO_ARGUMENTS : arguments);
            }
            return switch (method.getName()) {
                case "equals" -> arguments != null && isSame(arguments[0]);
                case "hashCode" -> hashCode();
                default -> gateway.type.getSimpleName() + " of " + endpoint;
            };
        }

        private boolean isSame(@Nullable Object other) {
            return other != null && Proxy.isProxyClass(other.getClass()) && equals(Proxy.getInvocationHandler(other));
        }
    }
}
