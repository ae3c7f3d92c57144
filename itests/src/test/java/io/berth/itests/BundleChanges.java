package io.berth.itests;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.SynchronousBundleListener;

/** Records which bundles change their state, until closed. */
final class BundleChanges implements AutoCloseable {

    private static final int MAX_EVENTS = 200;

    private final Deque<String> events = new ArrayDeque<>();
    private final Set<String> bundles = Collections.synchronizedSet(new TreeSet<>());
    private final BundleContext context;
    private final SynchronousBundleListener onBundle = this::changed;
    private final FrameworkListener onFramework = this::refreshed;

    BundleChanges(BundleContext context) {
        this.context = context;
        context.addBundleListener(onBundle);
        context.addFrameworkListener(onFramework);
    }

    private void changed(BundleEvent event) {
        String bundle =
                event.getBundle().getSymbolicName() + " " + event.getBundle().getVersion();
        bundles.add(bundle);
        add(bundle + " event " + event.getType());
    }

    private void refreshed(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
            add("packages refreshed");
        } else if (event.getType() == FrameworkEvent.ERROR) {
            add("error in " + event.getBundle() + ": " + event.getThrowable());
        }
    }

    private void add(String event) {
        synchronized (events) {
            events.add(event);
            if (events.size() > MAX_EVENTS) {
                events.remove();
            }
        }
    }

    /** Name and version of each bundle that changed since the last call. */
    List<String> take() {
        synchronized (bundles) {
            List<String> taken = new ArrayList<>(bundles);
            bundles.clear();
            return taken;
        }
    }

    /** The last events, for the message of a failure. */
    List<String> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    @Override
    public void close() {
        context.removeBundleListener(onBundle);
        context.removeFrameworkListener(onFramework);
    }
}
