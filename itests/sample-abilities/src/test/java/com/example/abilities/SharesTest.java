package com.example.abilities;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharesTest implements DistributionPolicyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1 << 20);
    /** More than any of these pools needs: each move is one. */
    private static final int MAX_MOVES = 200;

    @Override
    public DistributionPolicyFactory factory() {
        return new Shares();
    }

    /** A pool whose jobs return what they are asked for, and get what is admitted as far as there is room. */
    private final class Pool {

        private final ArrayDemandsView demands = new ArrayDemandsView();
        private final int slots;

        private Pool(int slots) {
            this.slots = slots;
        }

        private Pool queue(String name, String parent, double weight) {
            demands.queues().queue(name, parent, weight);
            return this;
        }

        private Pool job(String queue, int minimum, int desired, int allocated) {
            int unit = demands.limit();
            demands.unit("job-" + unit, unit).queue(unit, queue).group(unit, SLOT, minimum, desired, allocated);
            return this;
        }

        private List<Integer> allocated() {
            List<Integer> allocated = new ArrayList<>();
            for (int unit = 0; unit < demands.limit(); unit++) {
                allocated.add(demands.allocated(unit, 0));
            }
            return allocated;
        }

        private int free() {
            return slots - allocated().stream().mapToInt(count -> count).sum();
        }

        private RecordedAdmission decide() {
            demands.pool(SLOT.times(slots), SLOT.times(free()));
            RecordedAdmission result = new RecordedAdmission();
            try (AdmissionSession session = factory()
                    .create(FixedConfiguration.of(factory().describe(), Map.of()), FixedContext.of("pool default"))
                    .open(demands)) {
                session.admit(result);
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
            assertThat(result.violation(demands)).isEmpty();
            return result;
        }

        /** @return how many slots were returned */
        private int move() {
            RecordedAdmission result = decide();
            for (RecordedAdmission.Admitted one : result.admitted()) {
                int now = demands.allocated(one.unit(), 0);
                int count = one.group() < 0 ? demands.minimum(one.unit(), 0) - now : one.count();
                if (count <= free()) {
                    demands.allocated(one.unit(), 0, now + count);
                }
            }
            int returned = 0;
            for (RecordedAdmission.Reclaimed one : result.reclaimed()) {
                demands.allocated(one.unit(), 0, demands.allocated(one.unit(), 0) - one.count());
                returned += one.count();
            }
            return returned;
        }

        /** Until nothing is returned and nothing is placed. */
        private List<Integer> end() {
            for (int moves = 0; moves < MAX_MOVES; moves++) {
                List<Integer> before = allocated();
                if (move() == 0 && allocated().equals(before)) {
                    return before;
                }
            }
            throw new AssertionError("slots still move: " + allocated());
        }
    }

    private Pool tree(double company, double large, double small, double other) {
        return new Pool(4)
                .queue("company", "root", company)
                .queue("large", "company", large)
                .queue("small", "company", small)
                .queue("other", "root", other)
                .job("large", 1, 4, 4)
                .job("small", 1, 4, 0)
                .job("other", 1, 4, 0);
    }

    @Test
    void slotsMoveUntilTheyFollowTheWeightsOfTheTree() {
        assertThat(tree(3, 2, 1, 1).end()).containsExactly(2, 1, 1);
        assertThat(tree(3, 1, 2, 1).end()).containsExactly(1, 2, 1);
        assertThat(tree(1, 1, 1, 3).end()).containsExactly(1, 1, 2);
    }

    @Test
    void aQueueGrowsBeyondWhatItsJobsNeedToStart() {
        Pool pool = new Pool(12)
                .queue("large", "root", 3)
                .queue("small", "root", 1)
                .job("small", 1, 12, 12)
                .job("large", 1, 12, 0);

        assertThat(pool.end()).containsExactly(3, 9);
    }

    @Test
    void aJobThatNeedsSeveralSlotsToStartTakesThemTogether() {
        RecordedAdmission first = new Pool(4)
                .queue("large", "root", 1)
                .queue("small", "root", 1)
                .job("large", 1, 4, 4)
                .job("small", 3, 3, 0)
                .decide();

        assertThat(first.reclaimed()).singleElement().satisfies(one -> assertThat(one.count())
                .isEqualTo(3));
    }

    @Test
    void nobodyIsAskedWhileAnotherJobMayStillReturnSlots() {
        Pool pool = tree(3, 2, 1, 1);
        assertThat(pool.decide().reclaimed()).hasSize(1);

        pool.demands.paused(0);
        assertThat(pool.decide().reclaimed()).isEmpty();
    }

    @Test
    void itEndsForAllTrees() {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            int slots = 1 + random.nextInt(20);
            Pool pool = new Pool(slots)
                    .queue("a", "root", 1 + random.nextInt(5))
                    .queue("b", "root", 1 + random.nextInt(5))
                    .queue("b1", "b", 1 + random.nextInt(5))
                    .queue("b2", "b", 1 + random.nextInt(5));
            int left = slots;
            for (int jobs = 1 + random.nextInt(8); jobs > 0; jobs--) {
                int minimum = 1 + random.nextInt(3);
                int desired = minimum + random.nextInt(slots);
                int allocated = Math.min(left, random.nextBoolean() ? desired : 0);
                left -= allocated;
                pool.job(List.of("root", "a", "b", "b1", "b2").get(random.nextInt(5)), minimum, desired, allocated);
            }
            assertThat(pool.end()).as("seed %d", seed).hasSizeGreaterThan(0);
        }
    }
}
