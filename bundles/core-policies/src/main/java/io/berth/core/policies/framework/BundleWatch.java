package io.berth.core.policies.framework;

import io.berth.core.policies.swap.SwapLog;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Tells the log of swaps what becomes of bundles: which were updated or uninstalled, and which lost their wiring, which
 * is what a refresh does first. Synchronous, because only then are events of bundles in order with those of services;
 * runs on any thread and waits for nothing.
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
            case BundleEvent.UPDATED -> swaps.updated(bundle.getBundleId());
            case BundleEvent.UNINSTALLED -> swaps.uninstalled(bundle.getBundleId());
            default -> {
                // Says nothing about wiring.
            }
        }
    }
}
