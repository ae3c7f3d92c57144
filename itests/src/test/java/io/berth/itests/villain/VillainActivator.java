package io.berth.itests.villain;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** Registers the factory that the headers of the bundle describe. */
public final class VillainActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        Villain villain = new Villain(context);
        villain.called("start");
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("io.berth.policy.kind", villain.kind);
        properties.put("io.berth.policy.name", villain.name);
        String ranking = context.getBundle().getHeaders().get("Villain-Ranking");
        properties.put(Constants.SERVICE_RANKING, Integer.valueOf(ranking));
        if (villain.does("started", "flap")) {
            Abuses.flap(villain, () -> register(context, villain, properties));
            return;
        }
        int count = villain.does("started", "services") ? 1_000 : 1;
        for (int i = 0; i < count; i++) {
            register(context, villain, properties);
        }
        villain.called("started");
    }

    private static ServiceRegistration<?> register(
            BundleContext context, Villain villain, Dictionary<String, Object> properties) {
        return switch (villain.kind) {
            case "matching" ->
                context.registerService(MatchingStrategyFactory.class, new VillainMatching(villain), properties);
            case "distribution" ->
                context.registerService(DistributionPolicyFactory.class, new VillainDistribution(villain), properties);
            case "scaling" ->
                context.registerService(ScalingPolicyFactory.class, new VillainScaling(villain), properties);
            default -> context.registerService(BackendFactory.class, new VillainBackend(villain), properties);
        };
    }

    @Override
    public void stop(BundleContext context) {
        new Villain(context).called("stop");
    }

    static PolicyDescription describe(Villain villain) {
        villain.called("describe");
        if (villain.does("describe", "null")) {
            return null;
        }
        return new PolicyDescription(
                villain.does("describe", "other-name") ? "somebody-else" : villain.name, "does " + villain.deed);
    }

    /** A model has an empty configuration. */
    static final PolicyConfiguration NOTHING = new PolicyConfiguration() {
        @Override
        public SortedMap<String, String> entries() {
            return Collections.unmodifiableSortedMap(new TreeMap<>());
        }

        @Override
        public String text(String key) {
            throw new IllegalArgumentException(key);
        }

        @Override
        public long number(String key) {
            throw new IllegalArgumentException(key);
        }

        @Override
        public boolean flag(String key) {
            throw new IllegalArgumentException(key);
        }

        @Override
        public String text(String key, String defaultValue) {
            return defaultValue;
        }

        @Override
        public long number(String key, long defaultValue, long least, long most) {
            return defaultValue;
        }

        @Override
        public boolean flag(String key, boolean defaultValue) {
            return defaultValue;
        }
    };
}
