package io.berth.distribution.fairshare;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairShareTest implements DistributionPolicyContract {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    private static final double CORE_HOUR = 1_000 * 3_600;
    private static final int STORMS = Integer.getInteger("berth.storms", 100);

    private final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(10));

    @Override
    public DistributionPolicyFactory factory() {
        return new FairShareFactory();
    }

    private int unit(String submitter, String queue, int slots, int allocated) {
        int unit = demands.limit();
        demands.unit("job-" + unit, unit)
                .group(unit, CORE, slots, slots, allocated)
                .queue(unit, queue);
        if (!submitter.isEmpty()) {
            demands.submitter(unit, submitter);
        }
        return unit;
    }

    private RecordedAdmission admit(Map<String, String> configuration) throws InvalidConfigurationException {
        try (AdmissionSession session = factory()
                .create(FixedConfiguration.of(factory().describe(), configuration), FixedContext.of("pool default"))
                .open(demands)) {
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            assertThat(result.violation(demands)).isEmpty();
            return result;
        }
    }

    private List<Integer> order(Map<String, String> configuration) throws InvalidConfigurationException {
        return admit(configuration).admitted().stream().map(Admitted::unit).toList();
    }

    @Test
    void theSubmitterThatUsedLeastOverTimeComesFirst() throws InvalidConfigurationException {
        demands.queues().submitterUsedSeconds("ann", 0, 5 * CORE_HOUR).submitterUsedSeconds("bob", 0, 2 * CORE_HOUR);
        unit("ann", "default", 1, 0);
        unit("bob", "default", 1, 0);
        unit("eve", "default", 1, 0);
        assertThat(order(Map.of())).containsExactly(2, 1, 0);
    }

    @Test
    void theWeightOfASubmitterDividesItsUse() throws InvalidConfigurationException {
        demands.queues().submitterUsedSeconds("ann", 0, 5 * CORE_HOUR).submitterUsedSeconds("bob", 0, 2 * CORE_HOUR);
        unit("bob", "default", 1, 0);
        unit("ann", "default", 1, 0);
        assertThat(order(Map.of("submitter.ann.weight", "3"))).containsExactly(1, 0);
    }

    @Test
    void theResourceWithTheLargestShareCounts() throws InvalidConfigurationException {
        demands.queues().submitterUsedSeconds("ann", 0, CORE_HOUR).submitterUsedSeconds("bob", 1, 200 * 3_600);
        unit("bob", "default", 1, 0);
        unit("ann", "default", 1, 0);
        assertThat(order(Map.of())).containsExactly(1, 0);
    }

    @Test
    void whatRunsNowCountsAsIfItHadForAWhile() throws InvalidConfigurationException {
        demands.queues().submitterUsedSeconds("ann", 0, CORE_HOUR);
        unit("ann", "default", 1, 0);
        unit("bob", "default", 1, 0);
        unit("bob", "default", 2, 2);
        assertThat(order(Map.of())).containsExactly(0, 1);
        assertThat(order(Map.of("present.counts.for", "10 min"))).containsExactly(1, 0);
    }

    @Test
    void submittersOfEqualPastTakeTurns() throws InvalidConfigurationException {
        for (int nth = 0; nth < 3; nth++) {
            unit("ann", "default", 1, 0);
        }
        for (int nth = 0; nth < 3; nth++) {
            unit("bob", "default", 1, 0);
        }
        assertThat(order(Map.of())).containsExactly(0, 3, 1, 4, 2, 5);
    }

    @Test
    void queuesComeBeforeSubmittersAndCountByTheirWeights() throws InvalidConfigurationException {
        demands.queues().queue("etl", "root", 1).queue("adhoc", "root", 4);
        demands.queues().usedSeconds("etl", 0, 2 * CORE_HOUR).usedSeconds("adhoc", 0, 4 * CORE_HOUR);
        demands.queues().submitterUsedSeconds("ann", 0, 4 * CORE_HOUR);
        unit("bob", "etl", 1, 0);
        unit("ann", "adhoc", 1, 0);
        assertThat(order(Map.of())).containsExactly(1, 0);
    }

    @Test
    void whoNamesNoSubmitterCountsAsTheWholeQueue() throws InvalidConfigurationException {
        demands.queues().usedSeconds("root", 0, 9 * CORE_HOUR).submitterUsedSeconds("ann", 0, 5 * CORE_HOUR);
        unit("", "default", 1, 0);
        unit("ann", "default", 1, 0);
        assertThat(order(Map.of())).containsExactly(1, 0);
    }

    @Test
    void whoseRoomOthersTakeReadsHowMuchItUsed() throws InvalidConfigurationException {
        demands.queues().submitterUsedSeconds("ann", 0, 15 * CORE_HOUR);
        unit("ann", "default", 6, 0);
        unit("bob", "default", 6, 0);
        RecordedAdmission result = admit(Map.of());
        assertThat(result.deferred()).containsOnlyKeys(0);
        assertThat(result.deferred().get(0)).contains("submitter ann", "1.5 h");
    }

    @Test
    void oneSubmitterAloneHasTheOrderOfSubmission() throws InvalidConfigurationException {
        for (int nth = 0; nth < 5; nth++) {
            unit("ann", "default", 1 + nth % 2, 0);
        }
        assertThat(order(Map.of())).containsExactly(0, 1, 2, 3, 4);
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
