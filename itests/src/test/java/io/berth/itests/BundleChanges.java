package io.berth.itests;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.SynchronousBundleListener;

/** Records which bundles change their state, until closed. */
final class BundleChanges implements AutoCloseable {

  private final List<String> events = new CopyOnWriteArrayList<>();
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
    String bundle = event.getBundle().getSymbolicName() + " " + event.getBundle().getVersion();
    bundles.add(bundle);
    events.add(bundle + " event " + event.getType());
  }

  private void refreshed(FrameworkEvent event) {
    if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
      events.add("packages refreshed");
    } else if (event.getType() == FrameworkEvent.ERROR) {
      events.add("error in " + event.getBundle() + ": " + event.getThrowable());
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

  /** All that happened, for the message of a failure. */
  List<String> events() {
    return List.copyOf(events);
  }

  @Override
  public void close() {
    context.removeBundleListener(onBundle);
    context.removeFrameworkListener(onFramework);
  }
}
