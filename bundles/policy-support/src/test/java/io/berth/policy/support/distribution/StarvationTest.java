package io.berth.policy.support.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.storm.Storm;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StarvationTest {

    private static final Map<String, String> SOON =
            Map.of("hold.after", "30 min", "hold.all.after", "10 min", "hold.for", "6 h");
    private static final int BOUND = 40 + 3 * (Storm.MAX_RUNTIME_MINUTES + 1) + 10;
    private static final int STORMS = Integer.getInteger("berth.storms", 100);

    /** The order of submission, in which small units pass large ones. */
    private static final DistributionPolicyFactory SUBMISSION = new DistributionPolicyFactory() {
        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("submission", "Submission order", WaitLimit.Limits.keys());
        }

        @Override
        public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
            WaitLimit.Limits limits = WaitLimit.Limits.of(configuration);
            return demands -> new TreeAdmission(
                    demands,
                    new PoolShares(demands),
                    limits,
                    Claimants.QUEUES,
                    false,
                    new Equal(),
                    TreeAdmission.NO_LIMIT,
                    TreeAdmission.NOBODY);
        }
    };

    private static final class Equal implements TreeAdmission.Standing {

        @Override
        public void begin() {}

        @Override
        public double ofQueue(int queue, boolean own, long[] used) {
            return 0;
        }

        @Override
        public double ofClaimant(int queue, String name, long[] used) {
            return 0;
        }

        @Override
        public String words(int queue, String claimant, long[] used) {
            return "others come first";
        }
    }

    private static int longest(int seed, Map<String, String> configuration) throws InvalidConfigurationException {
        List<Integer> waits = new Storm(seed).waits(SUBMISSION, configuration, 2 * BOUND);
        return waits.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    @Test
    void largeUnitsStarveInStormsWithoutALimit() throws InvalidConfigurationException {
        int starved = 0;
        for (int seed = 0; seed < 50; seed++) {
            starved += longest(seed, Map.of("hold.limit", "0")) > BOUND ? 1 : 0;
        }
        assertThat(starved).isGreaterThan(10);
    }

    @Test
    void noUnitThatFitsWaitsLongerThanTheLimitAndTheRunningJobs() throws InvalidConfigurationException {
        for (int seed = 0; seed < STORMS; seed++) {
            assertThat(longest(seed, SOON)).as("seed %s", seed).isLessThanOrEqualTo(BOUND);
        }
    }
}
