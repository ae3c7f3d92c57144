package io.berth.core.rpc.gateway;

import io.berth.core.api.rpc.CalledBy;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.PeerRole;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.security.Peer;
import io.berth.spi.WorkerId;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Who may call a method from another process (FLIP-6: who speaks to whom).
 *
 * @param callers the roles that may
 * @param workers the workers that a call speaks for, by its arguments: those that they name, and those whose endpoints
 *     they register
 */
public record Access(Set<PeerRole> callers, List<Function<Object[], String>> workers) {

    private static final String WORKER = "worker";

    /** @throws IllegalStateException when the method does not say who may call it */
    static Access of(Method method) {
        CalledBy declared = method.getAnnotation(CalledBy.class);
        if (declared == null || declared.value().length == 0) {
            throw new IllegalStateException(method + " does not say who may call it: it needs @CalledBy");
        }
        Set<PeerRole> callers = EnumSet.copyOf(List.of(declared.value()));
        List<Function<Object[], String>> workers = new ArrayList<>();
        Class<?>[] types = method.getParameterTypes();
        for (int index = 0; index < types.length; index++) {
            int at = index;
            if (types[at] == WorkerId.class) {
                workers.add(arguments -> ((WorkerId) arguments[at]).value());
            } else if (types[at].isRecord()) {
                List<RecordComponent> components = List.of(types[at].getRecordComponents());
                if (components.stream().anyMatch(Access::isWorker)) {
                    components.stream()
                            .filter(component -> isWorker(component) || component.getType() == EndpointRef.class)
                            .forEach(component -> workers.add(arguments -> worker(component, arguments[at])));
                }
            }
        }
        return new Access(Set.copyOf(callers), List.copyOf(workers));
    }

    private static boolean isWorker(RecordComponent component) {
        return component.getName().equals(WORKER) && component.getType() == WorkerId.class;
    }

    /** The worker that a component names, or whose endpoint it is. */
    private static String worker(RecordComponent component, Object argument) {
        try {
            Object value = component.getAccessor().invoke(argument);
            return value instanceof EndpointRef endpoint
                    ? endpoint.name().workerId().orElse(endpoint.name().value())
                    : ((WorkerId) value).value();
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(component + " cannot be read", failure);
        }
    }

    /**
     * Checks who calls, before the message is read.
     *
     * @throws RpcException when the peer may not
     */
    void admit(Peer peer, String method) {
        if (!peer.hasOneOf(callers)) {
            throw new RpcException(
                    Kind.DENIED,
                    method + " is for processes of role "
                            + EnumSet.copyOf(callers).stream()
                                    .map(PeerRole::toString)
                                    .collect(Collectors.joining(" or "))
                            + ", and the caller is " + peer);
        }
    }

    /**
     * Checks whom a call speaks for.
     *
     * @throws RpcException when the peer is a worker, and the call names another
     */
    void admit(Peer peer, String method, Object[] arguments) {
        // Who may call for another reason, as an operator for example, may name any worker.
        if (callers.stream()
                .anyMatch(role -> role != PeerRole.WORKER && peer.roles().contains(role))) {
            return;
        }
        for (Function<Object[], String> named : workers) {
            String worker = named.apply(arguments);
            if (!worker.equals(peer.name())) {
                throw new RpcException(Kind.DENIED, method + " names worker " + worker + ", and the caller is " + peer);
            }
        }
    }
}
