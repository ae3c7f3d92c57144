package io.berth.itests.policy;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.function.IntConsumer;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * Registers the policy that the manifest of its bundle names, and a service that changes its ranking. Runs in the
 * bundles that the test creates, never in the test itself.
 */
public final class SoakActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        Dictionary<String, String> headers = context.getBundle().getHeaders();
        String kind = headers.get("Storm-Kind");
        String name = headers.get("Storm-Name");
        int ranking = Integer.parseInt(headers.get("Storm-Ranking"));
        ServiceRegistration<?> registration = kind.equals("matching")
                ? context.registerService(
                        MatchingStrategyFactory.class, new SoakMatching(), properties(kind, name, ranking))
                : context.registerService(
                        DistributionPolicyFactory.class, new SoakDistribution(), properties(kind, name, ranking));
        Dictionary<String, Object> of = new Hashtable<>();
        of.put("storm.name", name);
        context.registerService(
                IntConsumer.class, changed -> registration.setProperties(properties(kind, name, changed)), of);
    }

    private static Dictionary<String, Object> properties(String kind, String name, int ranking) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("io.berth.policy.kind", kind);
        properties.put("io.berth.policy.name", name);
        properties.put("service.ranking", ranking);
        return properties;
    }

    @Override
    public void stop(BundleContext context) {
        // The framework unregisters the services.
    }
}
