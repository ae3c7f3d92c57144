package io.berth.distribution.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.RecordedAdmission.Reclaimed;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random pools with queues of two levels, guarantees and limits. */
class CapacityRandomTest {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    private static final int POOLS = 500;
    private static final int CORES = 24;
    private static final long HOUR = 3_600_000;

    private final DistributionPolicyFactory factory = new CapacityFactory();

    /** Every other seed also reclaims slots for what is desired. */
    private AdmissionSession open(ArrayDemandsView demands, int seed) throws InvalidConfigurationException {
        Map<String, String> configuration = Map.of("reclaim.desired", String.valueOf(seed % 2 == 1));
        return factory.create(FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("pool default"))
                .open(demands);
    }

    private static ResourceProfile limit(Random random, int guaranteed) {
        return random.nextBoolean() ? ResourceProfile.UNKNOWN : CORE.times(guaranteed + random.nextInt(20));
    }

    /** @param paused whether some jobs may not be asked for slots */
    private static ArrayDemandsView pool(Random random, boolean paused) {
        ArrayDemandsView demands = new ArrayDemandsView().now(HOUR);
        int guaranteed = random.nextInt(13);
        demands.queues().queue("a", "root", 1 + random.nextInt(3), CORE.times(guaranteed), limit(random, guaranteed));
        int inner = random.nextInt(guaranteed + 1);
        demands.queues().queue("a1", "a", 1, CORE.times(inner), limit(random, inner));
        demands.queues().queue("a2", "a", 1, CORE.times(guaranteed - inner), ResourceProfile.UNKNOWN);
        int other = random.nextInt(12);
        demands.queues().queue("b", "root", 1 + random.nextInt(3), CORE.times(other), limit(random, other));
        demands.queues().queue("c", "root", 1, ResourceProfile.ZERO, limit(random, 3));
        int free = CORES;
        for (int unit = 0; unit < 12; unit++) {
            int minimum = random.nextInt(5);
            int desired = minimum + random.nextInt(8);
            int has = random.nextInt(3) == 0 ? 0 : Math.min(free, random.nextInt(desired + 1));
            free -= has;
            demands.unit("job-" + unit, unit).group(unit, CORE, minimum, desired, has);
            demands.queue(unit, new String[] {"a", "a1", "a2", "b", "c", "none"}[random.nextInt(6)]);
            demands.priority(unit, random.nextInt(3)).waitingSince(unit, random.nextInt(2) * HOUR);
            if (paused && random.nextInt(6) == 0) {
                demands.returning(unit, 0, random.nextInt(1 + Math.max(0, has - minimum)));
            }
        }
        return demands.pool(CORE.times(CORES), CORE.times(free));
    }

    private static long cores(ArrayDemandsView demands, int queue) {
        return demands.queues().used(queue, 0) / 1_000;
    }

    /** What the admitted slots take, as slots of the units. */
    private static void grant(ArrayDemandsView demands, RecordedAdmission result) {
        for (Admitted one : result.admitted()) {
            int has = demands.allocated(one.unit(), 0);
            demands.allocated(one.unit(), 0, one.group() < 0 ? demands.minimum(one.unit(), 0) : has + one.count());
        }
    }

    @Test
    void nothingThatIsAdmittedBringsAQueueBeyondItsLimit() throws InvalidConfigurationException {
        for (int seed = 0; seed < POOLS; seed++) {
            ArrayDemandsView demands = pool(new Random(seed), true);
            long[] before = new long[demands.queues().size()];
            for (int queue = 0; queue < before.length; queue++) {
                before[queue] = cores(demands, queue);
            }
            RecordedAdmission result = new RecordedAdmission();
            try (AdmissionSession session = open(demands, seed)) {
                session.admit(result);
            }
            assertThat(result.violation(demands)).as("seed %s", seed).isEmpty();
            grant(demands, result);
            for (int queue = 0; queue < before.length; queue++) {
                assertThat(cores(demands, queue))
                        .as("queue %s of seed %s", demands.queues().name(queue), seed)
                        .isLessThanOrEqualTo(
                                Math.max(before[queue], demands.queues().limit(queue, 0) / 1_000));
            }
        }
    }

    @Test
    void nothingThatIsReclaimedBringsAQueueBelowItsGuaranteeAndItComesToAnEnd() throws InvalidConfigurationException {
        int pools = 0;
        for (int seed = 0; seed < POOLS; seed++) {
            ArrayDemandsView demands = pool(new Random(seed), false);
            int rounds = 0;
            boolean reclaims = true;
            long[] before = cores(demands);
            while (reclaims) {
                RecordedAdmission result = new RecordedAdmission();
                try (AdmissionSession session = open(demands, seed)) {
                    session.admit(result);
                }
                assertThat(result.violation(demands)).as("seed %s", seed).isEmpty();
                reclaims = !result.reclaimed().isEmpty();
                pools += reclaims && rounds == 0 ? 1 : 0;
                returned(demands, result);
                // A limit may keep the unit that gets the slots waiting until they have come back.
                if (result.deferred().values().stream().noneMatch(why -> why.startsWith("slots are reclaimed"))) {
                    assertThatGuaranteesAreKept(demands, before, seed);
                    before = cores(demands);
                }
                rounds++;
                assertThat(rounds).as("decisions that reclaim, seed %s", seed).isLessThan(12);
            }
        }
        assertThat(pools).as("pools in which slots are reclaimed").isGreaterThan(10);
    }

    private static long[] cores(ArrayDemandsView demands) {
        long[] all = new long[demands.queues().size()];
        for (int queue = 0; queue < all.length; queue++) {
            all[queue] = cores(demands, queue);
        }
        return all;
    }

    /** All jobs return what they are asked for, and the minimums that were admitted first take what is free. */
    private static void returned(ArrayDemandsView demands, RecordedAdmission result) {
        for (Reclaimed one : result.reclaimed()) {
            demands.allocated(one.unit(), 0, demands.allocated(one.unit(), 0) - one.count());
            assertThat(demands.allocated(one.unit(), 0)).isGreaterThanOrEqualTo(demands.minimum(one.unit(), 0));
        }
        long free = CORES - cores(demands, 0);
        for (Admitted one : result.admitted()) {
            int count = one.group() < 0
                    ? demands.minimum(one.unit(), 0) - demands.allocated(one.unit(), 0)
                    : (int) Math.min(free, one.count());
            if (count > 0
                    && count <= free
                    && demands.allocated(one.unit(), 0) + count >= demands.minimum(one.unit(), 0)) {
                demands.allocated(one.unit(), 0, demands.allocated(one.unit(), 0) + count);
                free -= count;
            }
        }
        demands.pool(CORE.times(CORES), CORE.times((int) free));
    }

    private static void assertThatGuaranteesAreKept(ArrayDemandsView demands, long[] before, int seed) {
        for (int queue = 0; queue < before.length; queue++) {
            assertThat(cores(demands, queue))
                    .as("queue %s of seed %s", demands.queues().name(queue), seed)
                    .isGreaterThanOrEqualTo(
                            Math.min(before[queue], demands.queues().guaranteed(queue, 0) / 1_000));
        }
    }

    @Test
    void aSessionThatSawChangesAdmitsAndReclaimsAsANewOne() throws InvalidConfigurationException {
        for (int seed = 0; seed < POOLS; seed++) {
            Random random = new Random(seed);
            ArrayDemandsView demands = pool(random, true);
            try (AdmissionSession session = open(demands, seed)) {
                session.admit(new RecordedAdmission());
                int unit = random.nextInt(demands.limit());
                demands.allocated(unit, 0, random.nextInt(demands.desired(unit, 0) + 1));
                int blocked = random.nextInt(demands.limit());
                if (demands.waitingSince(blocked).isPresent()) {
                    demands.withoutRoom(blocked);
                }
                session.delta(
                        unit < blocked
                                ? new int[] {unit, blocked}
                                : unit > blocked ? new int[] {blocked, unit} : new int[] {unit});
                RecordedAdmission result = new RecordedAdmission();
                session.admit(result);
                RecordedAdmission fresh = new RecordedAdmission();
                try (AdmissionSession other = open(demands, seed)) {
                    other.admit(fresh);
                }
                assertThat(result.admitted()).as("seed %s", seed).isEqualTo(fresh.admitted());
                assertThat(result.reclaimed()).as("seed %s", seed).isEqualTo(fresh.reclaimed());
                assertThat(result.deferred()).as("seed %s", seed).isEqualTo(fresh.deferred());
            }
        }
    }
}
