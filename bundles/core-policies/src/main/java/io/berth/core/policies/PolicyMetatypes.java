package io.berth.core.policies;

import io.berth.spi.PolicyDescription.ConfigurationKey;
import java.util.Collection;
import java.util.Hashtable;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.metatype.MetaTypeProvider;

/**
 * Keeps a metatype registered for each PID that configures policies, as long as one of them is there. On the registry's
 * thread of events, but for {@link #close}.
 */
final class PolicyMetatypes implements AutoCloseable {

    private record Shown(PolicyMetatype metatype, ServiceRegistration<MetaTypeProvider> registration) {}

    private final BundleContext context;
    private final Supplier<SortedMap<String, SortedMap<String, ConfigurationKey>>> keys;
    private final SortedMap<String, Shown> shown = new TreeMap<>();
    private boolean closed;

    /** @param keys all keys by PID, of this moment */
    PolicyMetatypes(BundleContext context, Supplier<SortedMap<String, SortedMap<String, ConfigurationKey>>> keys) {
        this.context = context;
        this.keys = keys;
    }

    /** Shows what is there now. */
    synchronized void follow() {
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
            // The framework did it when this bundle stopped.
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        Collection<Shown> all = shown.values();
        all.forEach(PolicyMetatypes::unregister);
        shown.clear();
    }
}
