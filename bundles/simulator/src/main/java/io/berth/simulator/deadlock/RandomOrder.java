package io.berth.simulator.deadlock;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Admits minima in a random order, and then single slots above them in a random order: nobody has precedence, so that
 * nothing but the wholeness of minima keeps units from taking each other's slots.
 */
final class RandomOrder implements DistributionPolicyFactory {

    private final RandomGenerator random;

    RandomOrder(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("random-order", "Nobody has precedence");
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return Session::new;
    }

    private final class Session implements AdmissionSession {

        private final DemandsView demands;

        Session(DemandsView demands) {
            this.demands = demands;
        }

        @Override
        public void delta(int[] changed) {}

        @Override
        public void admit(AdmissionBuilder result) {
            List<Runnable> minima = new ArrayList<>();
            List<Runnable> singles = new ArrayList<>();
            for (int number = 0; number < demands.limit(); number++) {
                int unit = number;
                if (!demands.candidate(unit)) {
                    continue;
                }
                boolean lacksMinimum = false;
                for (int index = 0; index < demands.groups(unit); index++) {
                    int group = index;
                    int minimum = demands.minimum(unit, group);
                    int allocated = demands.allocated(unit, group);
                    lacksMinimum |= allocated < minimum;
                    for (int slot = Math.max(allocated, minimum); slot < demands.desired(unit, group); slot++) {
                        singles.add(() -> result.admit(unit, group, 1));
                    }
                }
                if (lacksMinimum) {
                    minima.add(() -> result.admitMinimum(unit));
                }
            }
            takeAtRandom(minima);
            takeAtRandom(singles);
        }

        private void takeAtRandom(List<Runnable> admissions) {
            while (!admissions.isEmpty()) {
                admissions.remove(random.nextInt(admissions.size())).run();
            }
        }

        @Override
        public void close() {}
    }
}
