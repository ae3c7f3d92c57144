package io.berth.distribution.drf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.storm.Storm;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DrfTest implements DistributionPolicyContract {

    private static final int POOLS = 1_000;
    private static final int STORMS = Integer.getInteger("berth.storms", 100);

    @Override
    public DistributionPolicyFactory factory() {
        return new DrfFactory();
    }

    private RecordedAdmission admit(ArrayDemandsView demands, Map<String, String> configuration)
            throws InvalidConfigurationException {
        try (AdmissionSession session = factory()
                .create(FixedConfiguration.of(factory().describe(), configuration), FixedContext.of("pool default"))
                .open(demands)) {
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            assertThat(result.violation(demands)).isEmpty();
            return result;
        }
    }

    /** How many slots of each unit fit what is free, when they take it one by one in the order of admission. */
    private static int[] granted(ArrayDemandsView demands, RecordedAdmission result) {
        long[] free = {demands.free(0), demands.free(1)};
        int[] granted = new int[demands.limit()];
        for (Admitted one : result.admitted()) {
            for (int slot = 0; slot < one.count(); slot++) {
                long cpu = demands.amount(one.unit(), one.group(), 0);
                long heap = demands.amount(one.unit(), one.group(), 1);
                if (cpu <= free[0] && heap <= free[1]) {
                    free[0] -= cpu;
                    free[1] -= heap;
                    granted[one.unit()]++;
                }
            }
        }
        return granted;
    }

    /** Ghodsi et al., "Dominant Resource Fairness", section 4.1: 9 cores, 18 GB, tasks of (1, 4) and (3, 1). */
    @Test
    void theExampleOfThePaperHasThreeAndTwoTasksWithDominantSharesOfTwoThirds() throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("a", 1).unit("b", 2);
        demands.group(0, ResourceProfile.of(1_000, 4), 0, 100, 0).group(1, ResourceProfile.of(3_000, 1), 0, 100, 0);
        demands.pool(ResourceProfile.of(9_000, 18), ResourceProfile.of(9_000, 18));
        assertThat(granted(demands, admit(demands, Map.of()))).containsExactly(3, 2);
    }

    @Test
    void aSubmitterOfTwiceTheWeightHasTwiceTheDominantShare() throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("a", 1).unit("b", 2);
        ResourceProfile core = ResourceProfile.of(1_000, 1);
        demands.group(0, core, 0, 100, 0)
                .submitter(0, "ann")
                .group(1, core, 0, 100, 0)
                .submitter(1, "bob");
        demands.pool(core.times(9), core.times(9));
        assertThat(granted(demands, admit(demands, Map.of("fair.between", "submitters", "submitter.bob.weight", "2"))))
                .containsExactly(3, 6);
    }

    @Test
    void jobsOfOneSubmitterHaveTheShareOfOneWhenSubmittersAreEqual() throws InvalidConfigurationException {
        ArrayDemandsView demands =
                new ArrayDemandsView().unit("a", 1).unit("b", 2).unit("c", 3);
        ResourceProfile core = ResourceProfile.of(1_000, 1);
        demands.group(0, core, 0, 100, 0)
                .submitter(0, "ann")
                .group(1, core, 0, 100, 0)
                .submitter(1, "ann");
        demands.group(2, core, 0, 100, 0).submitter(2, "bob");
        demands.pool(core.times(8), core.times(8));
        assertThat(granted(demands, admit(demands, Map.of("fair.between", "submitters"))))
                .containsExactly(4, 0, 4);
        assertThat(granted(demands, admit(demands, Map.of()))).containsExactly(3, 3, 2);
        assertThat(granted(demands, admit(demands, Map.of("fair.between", "queues"))))
                .containsExactly(8, 0, 0);
    }

    @Test
    void aJobWhoseRoomOthersTakeSaysItsDominantShare() throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("poor", 2).unit("rich", 1);
        ResourceProfile core = ResourceProfile.of(1_000, 1);
        demands.group(0, core, 5, 5, 0).group(1, core, 8, 8, 4);
        demands.pool(core.times(12), core.times(8));
        RecordedAdmission result = admit(demands, Map.of());
        assertThat(result.admitted().stream().map(Admitted::unit)).containsExactly(0, 1);
        assertThat(result.deferred().get(1)).contains("job rich has 33 % of cpu");
    }

    @Test
    void rejectsWeightsOfSubmittersWhenJobsAreEqual() {
        assertThatThrownBy(() -> admit(new ArrayDemandsView(), Map.of("submitter.bob.weight", "2")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("submitter.bob.weight is '2'")
                .hasMessageContaining("fair.between = submitters");
    }

    @Test
    void agreesWithAnIndependentComputationOnRandomPools() throws InvalidConfigurationException {
        for (int seed = 0; seed < POOLS; seed++) {
            Random random = new Random(seed);
            ArrayDemandsView demands = new ArrayDemandsView();
            int queues = random.nextInt(4);
            for (int queue = 1; queue <= queues; queue++) {
                demands.queues().queue("queue-" + queue, "root", 1 + random.nextInt(4));
            }
            long cpu = 1_000L * (10 + random.nextInt(50));
            long heap = 10 + random.nextInt(50);
            long freeCpu = cpu;
            long freeHeap = heap;
            for (int unit = 0; unit < 2 + random.nextInt(5); unit++) {
                ResourceProfile slot = ResourceProfile.of(1_000L * (1 + random.nextInt(5)), 1 + random.nextInt(5));
                int has = random.nextInt(3);
                if (slot.cpuMillis() * has > freeCpu || slot.heapBytes() * has > freeHeap) {
                    has = 0;
                }
                freeCpu -= slot.cpuMillis() * has;
                freeHeap -= slot.heapBytes() * has;
                demands.unit("job-" + unit, unit).group(unit, slot, 0, has + random.nextInt(20), has);
                demands.queue(unit, queues == 0 ? "default" : "queue-" + (1 + random.nextInt(queues)));
            }
            demands.pool(ResourceProfile.of(cpu, heap), ResourceProfile.of(freeCpu, freeHeap));
            assertThat(granted(demands, admit(demands, Map.of())))
                    .as("seed %s", seed)
                    .isEqualTo(progressiveFilling(demands));
        }
    }

    /** One slot at a time, to the queue and then the job with the smallest dominant share that has one that fits. */
    private static int[] progressiveFilling(ArrayDemandsView demands) {
        int[] granted = new int[demands.limit()];
        while (true) {
            int next = -1;
            for (int unit = 0; unit < granted.length; unit++) {
                boolean fits = demands.allocated(unit, 0) + granted[unit] < demands.desired(unit, 0);
                for (int dimension = 0; dimension < 2; dimension++) {
                    long free = demands.free(dimension);
                    for (int other = 0; other < granted.length; other++) {
                        free -= granted[other] * demands.amount(other, 0, dimension);
                    }
                    fits &= demands.amount(unit, 0, dimension) <= free;
                }
                if (fits && (next < 0 || comesBefore(demands, granted, unit, next))) {
                    next = unit;
                }
            }
            if (next < 0) {
                return granted;
            }
            granted[next]++;
        }
    }

    private static boolean comesBefore(ArrayDemandsView demands, int[] granted, int one, int other) {
        int queueOfOne = demands.queues().find(demands.queue(one));
        int queueOfOther = demands.queues().find(demands.queue(other));
        if (queueOfOne == queueOfOther) {
            return share(demands, granted, queueOfOne, one) < share(demands, granted, queueOfOne, other);
        }
        double shareOfOne =
                share(demands, granted, queueOfOne, -1) / demands.queues().weight(queueOfOne);
        double shareOfOther =
                share(demands, granted, queueOfOther, -1) / demands.queues().weight(queueOfOther);
        return shareOfOne < shareOfOther || (shareOfOne == shareOfOther && queueOfOne < queueOfOther);
    }

    /** @param only this unit; -1: all of the queue */
    private static double share(ArrayDemandsView demands, int[] granted, int queue, int only) {
        double share = 0;
        for (int dimension = 0; dimension < 2; dimension++) {
            long used = 0;
            for (int unit = 0; unit < granted.length; unit++) {
                if (demands.queues().find(demands.queue(unit)) == queue && (only < 0 || unit == only)) {
                    used += (demands.allocated(unit, 0) + granted[unit]) * demands.amount(unit, 0, dimension);
                }
            }
            share = Math.max(share, used / (double) demands.capacity(dimension));
        }
        return share;
    }

    @Test
    void wideJobsTakePortionsAndStayEven() throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("a", 1).unit("b", 2);
        ResourceProfile core = ResourceProfile.of(1_000, 1);
        demands.group(0, core, 0, 1_000_000, 0).group(1, core, 0, 1_000_000, 0);
        demands.pool(core.times(100_000), core.times(100_000));
        RecordedAdmission result = admit(demands, Map.of());
        assertThat(result.admitted()).hasSizeLessThan(1_100);
        int[] granted = granted(demands, result);
        assertThat(granted[0] + granted[1]).isEqualTo(100_000);
        assertThat(Math.abs(granted[0] - granted[1])).isLessThanOrEqualTo(100_000 / 256);
    }

    @Test
    void noUnitThatFitsStarves() throws InvalidConfigurationException {
        int bound = 40 + 3 * (Storm.MAX_RUNTIME_MINUTES + 1) + 10;
        Map<String, String> soon = Map.of("hold.after", "30 min", "hold.all.after", "10 min", "hold.for", "6 h");
        for (int seed = 0; seed < STORMS; seed++) {
            assertThat(new Storm(seed).waits(factory(), soon, 2 * bound))
                    .as("seed %s", seed)
                    .allMatch(wait -> wait <= bound);
        }
    }
}
