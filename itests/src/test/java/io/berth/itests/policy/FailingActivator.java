package io.berth.itests.policy;

import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers a strategy that fails at each decision. Runs in a bundle that a test creates, never in the test itself. */
public final class FailingActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("io.berth.policy.kind", "matching");
        properties.put("io.berth.policy.name", "failing");
        properties.put("service.ranking", -1);
        context.registerService(MatchingStrategyFactory.class, new FailingMatching(), properties);
    }

    @Override
    public void stop(BundleContext context) {
        // The framework unregisters the services.
    }
}
