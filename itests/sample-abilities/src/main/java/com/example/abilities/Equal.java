package com.example.abilities;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import org.osgi.service.component.annotations.Component;

/** Ranks: all jobs that wait have one rank. */
@Component
@Policy(kind = "distribution", name = "equal")
public final class Equal implements DistributionPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("equal", "All minimums have one rank");
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return (Admitting) Equal::admit;
    }

    private static void admit(DemandsView demands, AdmissionBuilder result) {
        result.beginRank();
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (Admitting.lacksItsMinimum(demands, unit)) {
                result.admitMinimum(unit);
            }
        }
        result.endRank();
    }
}
