package io.berth.core.rpc.gateway;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.MainThread;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of this process. A call is admitted only for the current token, and the gateway is looked up for each
 * call. This holds for calls from peers and from this process. Thread-safe.
 */
public final class Endpoints {

    private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

    private final Map<EndpointName, Entry> entries = new ConcurrentHashMap<>();

    /** @throws IllegalStateException when the name is already served */
    public Entry add(EndpointName name, FencingToken token, Class<?> type, Object gateway) {
        Entry entry = new Entry(name, token, type, gateway);
        Entry present = entries.putIfAbsent(name, entry);
        if (present != null) {
            throw new IllegalStateException("endpoint " + name + " is served under token " + present.token()
                    + " already: close that one before it is served under " + token);
        }
        return entry;
    }

    public void remove(Entry entry) {
        entries.remove(entry.name(), entry);
    }

    public void removeAll() {
        entries.clear();
    }

    /**
     * The current token of a served name.
     *
     * @throws RpcException when it is not served
     */
    public FencingToken token(EndpointName name) {
        return served(name).token();
    }

    /** Whether a name is served under that token. */
    public boolean isServed(EndpointName name, FencingToken token) {
        Entry entry = entries.get(name);
        return entry != null && entry.token().equals(token);
    }

    /**
     * Checks a call, and returns the gateway.
     *
     * @throws RpcException when the endpoint is not served, or not under that token
     */
    public Object admit(EndpointName name, FencingToken token, Class<?> type) {
        Entry entry = served(name);
        if (!type.equals(entry.type())) {
            throw new RpcException(
                    Kind.NOT_FOUND,
                    "endpoint " + name + " is a " + entry.type().getSimpleName() + ", not a " + type.getSimpleName());
        }
        if (!entry.token().equals(token)) {
            throw new RpcException(
                    Kind.FENCED,
                    "endpoint " + name + " is served under token " + entry.token() + ", the call is for " + token
                            + ": resolve it again");
        }
        return entry.gateway();
    }

    private Entry served(EndpointName name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new RpcException(Kind.NOT_FOUND, "endpoint " + name + " is not served: resolve it again");
        }
        return entry;
    }

    /** Makes a call on the endpoint. Never throws; the stage fails only with {@link RpcException}. */
    public CompletionStage<Object> invoke(EndpointName name, FencingToken token, RpcMethod method, Object[] arguments) {
        Object gateway;
        try {
            gateway = admit(name, token, method.gateway());
        } catch (RpcException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
        CompletionStage<Object> answer;
        try {
            answer = method.invoke(gateway, arguments);
            if (answer == null) {
                throw new IllegalStateException(name + " answered " + method.name() + " with null instead of a stage");
            }
        } catch (Throwable failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        return answer.handle((value, failure) -> {
            if (failure != null) {
                throw failed(name, method.name(), failure);
            }
            if (value == null) {
                throw failed(
                        name,
                        method.name(),
                        new IllegalStateException(name + " answered " + method.name() + " with null"));
            }
            return value;
        });
    }

    private static RpcException failed(EndpointName name, String method, Throwable failure) {
        Throwable cause = Failures.cause(failure);
        if (cause instanceof MainThread.ClosedException) {
            // Its action was dropped, so the call had no effect. The name will soon no longer be served.
            return new RpcException(Kind.NOT_FOUND, "endpoint " + name + " has ended: resolve it again");
        }
        String text = Failures.text(cause);
        if (cause instanceof RpcException
                || cause instanceof MainThread.RefusedException
                || cause instanceof IllegalArgumentException
                || cause instanceof IllegalStateException) {
            LOG.info("{} of endpoint {} failed: {}", method, name, text);
        } else {
            // The caller gets only the text, so only this log line shows the cause.
            LOG.warn("{} of endpoint {} failed", method, name, cause);
        }
        return new RpcException(
                Kind.FAILED, text.length() <= RpcProtocol.MAX_TEXT ? text : text.substring(0, RpcProtocol.MAX_TEXT));
    }

    /** A served endpoint. */
    public record Entry(EndpointName name, FencingToken token, Class<?> type, Object gateway) {}
}
