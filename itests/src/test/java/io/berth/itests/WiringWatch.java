package io.berth.itests;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** Checks whether the wiring of a bundle before its update or uninstall is collected. */
final class WiringWatch {

    private record Retired(String name, WeakReference<BundleWiring> wiring, WeakReference<ClassLoader> loader) {

        boolean collected() {
            return wiring.get() == null && loader.get() == null;
        }
    }

    private final List<Retired> retired = new ArrayList<>();
    private int count;

    /** Call it before the bundle is updated or uninstalled. */
    void retire(Bundle bundle) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        count++;
        retired.add(new Retired(
                bundle.getSymbolicName() + " " + bundle.getVersion(),
                new WeakReference<>(wiring),
                new WeakReference<>(wiring.getClassLoader())));
    }

    /** The number of retired wirings. */
    int count() {
        return count;
    }

    /**
     * Collects garbage until nothing is left of all retired wirings but the last one. Fails with the names of the
     * rest.
     */
    void assertCollected(Duration limit) throws Exception {
        if (retired.isEmpty()) {
            return;
        }
        Retired last = retired.get(retired.size() - 1);
        Await.until(
                () -> "wirings collected, but there are "
                        + retired.stream().map(Retired::name).toList(),
                limit,
                () -> {
                    System.gc();
                    retired.removeIf(one -> one.collected() && one != last);
                    return retired.size() <= 1;
                });
    }
}
