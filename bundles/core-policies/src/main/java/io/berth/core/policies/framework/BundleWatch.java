package io.berth.core.policies.framework;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.policies.swap.SwapLog;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Reports to the log of swaps which bundles were updated or uninstalled and which lost their wiring, as a refresh does
 * first. Synchronous, because only then are events of bundles in order with those of services. Thread-safe; never waits.
 */
public final class BundleWatch implements SynchronousBundleListener {

    private final SwapLog swaps;

    public BundleWatch(SwapLog swaps) {
        this.swaps = swaps;
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        Bundle bundle = event.getBundle();
        switch (event.getType()) {
            case BundleEvent.UNRESOLVED -> swaps.unresolved(bundle.getBundleId(), FrameworkRegistration.nameOf(bundle));
            case BundleEvent.UPDATED -> swaps.changed(bundle.getBundleId(), PolicyEvent.UPDATE);
            case BundleEvent.UNINSTALLED -> swaps.changed(bundle.getBundleId(), PolicyEvent.UNINSTALL);
            default -> {
                // Says nothing about wiring.
            }
        }
    }
}
