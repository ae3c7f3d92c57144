package com.example.abilities;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** {@code reviewAfter}: a job is admitted once it has waited long enough, although nothing else changes. */
@Component
@Policy(kind = "distribution", name = "ageing", configuration = "wait")
public final class Ageing implements DistributionPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "ageing",
                "Admits a job once it has waited",
                List.of(ConfigurationKey.duration(
                        "wait",
                        Duration.ofSeconds(3),
                        Duration.ZERO,
                        Duration.ofHours(1),
                        "how long a job waits")));
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        long waitMillis = configuration.duration("wait").toMillis();
        return (Admitting) (demands, result) -> admit(demands, result, waitMillis);
    }

    private static void admit(DemandsView demands, AdmissionBuilder result, long waitMillis) {
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (Admitting.lacksItsMinimum(demands, unit)) {
                long left = demands.arrived(unit) + waitMillis - demands.now();
                if (left <= 0) {
                    result.admitMinimum(unit);
                } else {
                    result.defer(unit, "waits " + left + " ms more");
                    result.reviewAfter(left);
                }
            }
        }
    }
}
