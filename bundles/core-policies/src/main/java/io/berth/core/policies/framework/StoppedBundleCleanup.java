package io.berth.core.policies.framework;

import io.berth.core.api.time.Timers;
import io.berth.core.policies.backends.BackendRegistry;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.policy.rules.PlainText;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.wiring.BundleWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what a stopped policy bundle left in the process, after its backends had time to end: interrupts threads that
 * began in calls into it or are of its classes, unregisters MBeans of its classes, and logs one warning. Cannot see
 * shutdown hooks, for example. Interrupting a thread or unregistering an MBean may run foreign code, so each cleanup
 * has a thread of its own, and a few may hang. Thread-safe; keeps no class loader.
 */
public final class StoppedBundleCleanup implements BundleListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoppedBundleCleanup.class);
    private static final long LOOK_AFTER_MILLIS = BackendRegistry.CLOSE_MILLIS + 2_000;
    private static final int MAX_NAMED = 5;
    private static final int MAX_CLEANUPS = 4;

    private final Timers timers;
    private final ThreadPoolExecutor cleanups;
    private final Map<Long, Seen> seen = new HashMap<>();
    private final List<Seen> stopped = new ArrayList<>();
    private boolean due;

    record Seen(String bundle, String version, WeakReference<ClassLoader> loader) {}

    public StoppedBundleCleanup(Timers timers) {
        this.timers = timers;
        AtomicInteger count = new AtomicInteger();
        this.cleanups = new ThreadPoolExecutor(0, MAX_CLEANUPS, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), look -> {
            Thread thread =
                    new Thread(null, look, "berth-core-policies-leftovers-" + count.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Ends the threads; one that hangs in foreign code stays until that returns. */
    @Override
    public void close() {
        cleanups.shutdownNow();
    }

    /** A bundle registered a policy. */
    public void registered(Bundle bundle) {
        BundleWiring wiring = bundle == null ? null : bundle.adapt(BundleWiring.class);
        if (wiring == null || wiring.getClassLoader() == null) {
            return;
        }
        synchronized (this) {
            Seen before = seen.get(bundle.getBundleId());
            if (before == null || !before.loader().refersTo(wiring.getClassLoader())) {
                seen.put(
                        bundle.getBundleId(),
                        new Seen(
                                FrameworkRegistration.nameOf(bundle),
                                bundle.getVersion().toString(),
                                new WeakReference<>(wiring.getClassLoader())));
            }
        }
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() != BundleEvent.STOPPED) {
            return;
        }
        synchronized (this) {
            Seen gone = seen.remove(event.getBundle().getBundleId());
            if (gone == null) {
                return;
            }
            stopped.add(gone);
            if (due) {
                return;
            }
            due = true;
        }
        timers.schedule(LOOK_AFTER_MILLIS, this::cleanUp);
    }

    private void cleanUp() {
        List<Seen> gone;
        synchronized (this) {
            due = false;
            gone = List.copyOf(stopped);
            stopped.clear();
        }
        cleanUp(gone);
    }

    /** Runs on a thread of its own. */
    void cleanUp(List<Seen> gone) {
        try {
            cleanups.execute(() -> report(gone));
        } catch (RejectedExecutionException full) {
            LOG.warn(
                    "the remains of bundles {} are not cleaned up: {} cleanups hang in code of stopped bundles",
                    PlainText.cut(gone.stream().map(Seen::bundle).toList().toString()),
                    MAX_CLEANUPS);
        }
    }

    private static void report(List<Seen> gone) {
        for (Seen bundle : gone) {
            ClassLoader loader = bundle.loader().get();
            if (loader != null) {
                String left = clean(loader);
                if (!left.isEmpty()) {
                    LOG.warn("bundle {} {} has stopped and left {}", bundle.bundle(), bundle.version(), left);
                }
            }
        }
    }

    /**
     * Interrupts threads and unregisters MBeans of the classes of a loader.
     *
     * @return what it found, for people; empty when nothing
     */
    static String clean(ClassLoader loader) {
        List<String> left = new ArrayList<>();
        List<String> threads = threads(loader);
        if (!threads.isEmpty()) {
            left.add(threads.size() + " threads, which are interrupted now and hold its classes until they end: "
                    + named(threads));
        }
        List<String> beans = beans(loader);
        if (!beans.isEmpty()) {
            left.add(beans.size() + " MBeans, which are unregistered: " + named(beans));
        }
        return String.join("; ", left);
    }

    private static List<String> threads(ClassLoader loader) {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            // The guard has logged those of its own threads that do not return.
            boolean guarded = thread.getName().startsWith(GuardThreads.PREFIX);
            boolean its = thread.getContextClassLoader() == loader
                    || thread.getClass().getClassLoader() == loader;
            if (its && !guarded) {
                names.add(PlainText.cut(thread.getName()));
                thread.interrupt();
            }
        }
        return names.stream().sorted().toList();
    }

    private static List<String> beans(ClassLoader loader) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        List<String> names = new ArrayList<>();
        for (ObjectName name : server.queryNames(null, null)) {
            try {
                if (server.getClassLoaderFor(name) == loader) {
                    server.unregisterMBean(name);
                    names.add(PlainText.cut(name.toString()));
                }
            } catch (InstanceNotFoundException gone) {
                // It was unregistered meanwhile.
            } catch (JMException | RuntimeException refused) {
                names.add(
                        PlainText.cut(name + " (refused: " + refused.getClass().getName() + ")"));
            }
        }
        return names.stream().sorted().toList();
    }

    private static String named(List<String> names) {
        return names.size() <= MAX_NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_NAMED)) + " and " + (names.size() - MAX_NAMED) + " more";
    }
}
