package io.berth.core.policies.framework;

import io.berth.core.api.time.Pools;
import io.berth.spi.ConfigurationKey;
import java.util.Hashtable;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.metatype.MetaTypeProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a metatype for each PID that configures policies. Works on a thread of its own, because registering a
 * service calls listeners, which may block. Thread-safe; callers never wait.
 */
public final class PolicyMetatypes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyMetatypes.class);

    private record Shown(PolicyMetatype metatype, ServiceRegistration<MetaTypeProvider> registration) {}

    private final BundleContext context;
    private final Supplier<SortedMap<String, SortedMap<String, ConfigurationKey>>> keys;
    private final SortedMap<String, Shown> shown = new TreeMap<>();
    private final ExecutorService thread;
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile boolean closed;

    /** @param keys returns all keys by PID */
    public PolicyMetatypes(
            BundleContext context, Supplier<SortedMap<String, SortedMap<String, ConfigurationKey>>> keys) {
        this(context, keys, Pools.fixed("berth-core-policies-metatypes", 1));
    }

    /** @param thread one thread, closed with this */
    PolicyMetatypes(
            BundleContext context,
            Supplier<SortedMap<String, SortedMap<String, ConfigurationKey>>> keys,
            ExecutorService thread) {
        this.context = context;
        this.keys = keys;
        this.thread = thread;
    }

    /** The policies changed. */
    public void changed() {
        if (!closed && due.compareAndSet(false, true)) {
            execute(() -> {
                due.set(false);
                follow();
            });
        }
    }

    private void execute(Runnable action) {
        try {
            thread.execute(action);
        } catch (RejectedExecutionException ended) {
            LOG.debug("the policy host has ended");
        }
    }

    /** Registers what is missing and unregisters the rest. */
    private void follow() {
        if (closed) {
            return;
        }
        SortedMap<String, PolicyMetatype> wanted = new TreeMap<>();
        keys.get().forEach((pid, ofPid) -> {
            if (!ofPid.isEmpty()) {
                wanted.put(pid, PolicyMetatype.of(pid, ofPid.values()));
            }
        });
        shown.entrySet().removeIf(entry -> {
            boolean stale = !entry.getValue().metatype().equals(wanted.get(entry.getKey()));
            if (stale) {
                unregister(entry.getValue());
            }
            return stale;
        });
        wanted.forEach((pid, metatype) -> shown.computeIfAbsent(pid, key -> show(metatype)));
    }

    private Shown show(PolicyMetatype metatype) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(MetaTypeProvider.METATYPE_PID, metatype.pid());
        return new Shown(metatype, context.registerService(MetaTypeProvider.class, metatype, properties));
    }

    private static void unregister(Shown old) {
        try {
            old.registration().unregister();
        } catch (IllegalStateException ended) {
            // The framework unregistered it when this bundle stopped.
        }
    }

    /** Unregisters everything soon. */
    @Override
    public void close() {
        closed = true;
        execute(() -> {
            shown.values().forEach(PolicyMetatypes::unregister);
            shown.clear();
        });
        thread.shutdown();
    }
}
