package io.berth.itests.faulty;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.TreeMap;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** Registers the factory that the headers of the bundle describe. */
public final class FaultyActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        FaultyCode faulty = new FaultyCode(context);
        faulty.called("start");
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("io.berth.policy.kind", faulty.kind);
        properties.put("io.berth.policy.name", faulty.name);
        String ranking = context.getBundle().getHeaders().get("Faulty-Ranking");
        properties.put(Constants.SERVICE_RANKING, Integer.valueOf(ranking));
        if (faulty.does("started", "flap")) {
            Abuses.flap(faulty, () -> register(context, faulty, properties));
            return;
        }
        int count = faulty.does("started", "services") ? 1_000 : 1;
        for (int i = 0; i < count; i++) {
            register(context, faulty, properties);
        }
        faulty.called("started");
    }

    private static ServiceRegistration<?> register(
            BundleContext context, FaultyCode faulty, Dictionary<String, Object> properties) {
        return switch (faulty.kind) {
            case "matching" ->
                context.registerService(MatchingStrategyFactory.class, new FaultyMatching(faulty), properties);
            case "distribution" ->
                context.registerService(DistributionPolicyFactory.class, new FaultyDistribution(faulty), properties);
            case "scaling" ->
                context.registerService(ScalingPolicyFactory.class, new FaultyScaling(faulty), properties);
            default -> context.registerService(BackendFactory.class, new FaultyBackend(faulty), properties);
        };
    }

    @Override
    public void stop(BundleContext context) {
        new FaultyCode(context).called("stop");
    }

    static PolicyDescription describe(FaultyCode faulty) {
        faulty.called("describe");
        if (faulty.does("describe", "null")) {
            return null;
        }
        return new PolicyDescription(
                faulty.does("describe", "other-name") ? "somebody-else" : faulty.name, "does " + faulty.deed);
    }

    /** A model has an empty configuration. */
    static final PolicyConfiguration NOTHING = PolicyConfiguration.of(new TreeMap<>(), List.of());
}
