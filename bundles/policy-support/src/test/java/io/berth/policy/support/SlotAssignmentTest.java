package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As many slots as possible serve, and a failed search is not repeated. */
class SlotAssignmentTest {

    private static final ResourceProfile SMALL = ResourceProfile.of(100, 1);
    private static final ResourceProfile LARGE = ResourceProfile.of(200, 1);
    private static final ResourceProfile HUGE = ResourceProfile.of(300, 1);

    /** Slots with what they were allocated for, requirements with their counts, and the result. */
    private static final class Job implements AssignmentView, AssignmentBuilder {

        private final boolean loose;
        private final List<ResourceProfile> slots = new ArrayList<>();
        private final List<Boolean> defaults = new ArrayList<>();
        private final List<Integer> allocatedFor = new ArrayList<>();
        private final List<ResourceProfile> required = new ArrayList<>();
        private final List<Integer> counts = new ArrayList<>();
        private final SortedMap<Integer, Integer> assigned = new TreeMap<>();
        private final SortedMap<Integer, String> reasons = new TreeMap<>();
        private long asked;

        Job(boolean loose) {
            this.loose = loose;
        }

        Job slot(ResourceProfile profile, boolean defaultSlot, int requirement) {
            slots.add(profile);
            defaults.add(defaultSlot);
            allocatedFor.add(requirement);
            return this;
        }

        Job requires(ResourceProfile profile, int count) {
            required.add(profile);
            counts.add(count);
            return this;
        }

        Job assigned() {
            SlotAssignment.assign(this, this);
            return this;
        }

        int got(int requirement) {
            return (int) assigned.values().stream()
                    .filter(other -> other == requirement)
                    .count();
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public int slots() {
            return slots.size();
        }

        @Override
        public ResourceProfile slotProfile(int slot) {
            return slots.get(slot);
        }

        @Override
        public WorkerId slotWorker(int slot) {
            return new WorkerId("w");
        }

        @Override
        public int allocatedFor(int slot) {
            return allocatedFor.get(slot);
        }

        @Override
        public int requirements() {
            return required.size();
        }

        @Override
        public ResourceProfile requirementProfile(int requirement) {
            return required.get(requirement);
        }

        @Override
        public int count(int requirement) {
            return counts.get(requirement);
        }

        @Override
        public boolean accepts(int requirement, int slot) {
            asked++;
            ResourceProfile needed = required.get(requirement);
            if (loose) {
                return slots.get(slot).covers(needed);
            }
            return needed.isUnknown() ? defaults.get(slot) : slots.get(slot).equals(needed);
        }

        @Override
        public void assign(int slot, int requirement) {
            assertThat(assigned.put(slot, requirement)).isNull();
            assertThat(accepts(requirement, slot)).isTrue();
            assertThat(got(requirement)).isLessThanOrEqualTo(counts.get(requirement));
        }

        @Override
        public void unassigned(int requirement, String reason) {
            reasons.put(requirement, reason);
        }

        @Override
        public void reviewAfter(long millis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long wallTime() {
            return 0;
        }

        @Override
        public int constraints(int requirement) {
            return -1;
        }

        @Override
        public int slotConstraints(int slot) {
            return -1;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void asManySlotsServeAsCanAndNoReplaceableSearchIsLost(boolean loose) {
        Random random = new Random(7);
        ResourceProfile[] profiles = {SMALL, LARGE, HUGE, ResourceProfile.UNKNOWN, ResourceProfile.of(100, 5)};
        for (int round = 0; round < 3_000; round++) {
            Job job = new Job(loose);
            int requirements = 1 + random.nextInt(6);
            for (int requirement = 0; requirement < requirements; requirement++) {
                job.requires(profiles[random.nextInt(profiles.length)], random.nextInt(4));
            }
            int slots = random.nextInt(12);
            for (int slot = 0; slot < slots; slot++) {
                ResourceProfile profile = profiles[random.nextInt(3)];
                job.slot(profile, random.nextBoolean(), random.nextInt(requirements + 1) - 1);
            }
            job.assigned();
            assertThat(job.assigned).as("round %s", round).hasSize(most(job));
            for (int requirement = 0; requirement < requirements; requirement++) {
                assertThat(job.reasons.containsKey(requirement))
                        .isEqualTo(job.got(requirement) < job.counts.get(requirement));
            }
        }
    }

    /** The size of a maximum matching, by augmenting from slot to place, one at a time. */
    private static int most(Job job) {
        List<Integer> places = new ArrayList<>();
        for (int requirement = 0; requirement < job.requirements(); requirement++) {
            for (int nth = 0; nth < job.count(requirement); nth++) {
                places.add(requirement);
            }
        }
        int[] slotOf = new int[places.size()];
        Arrays.fill(slotOf, -1);
        int matched = 0;
        for (int slot = 0; slot < job.slots(); slot++) {
            matched += augment(job, slot, places, slotOf, new boolean[slotOf.length]) ? 1 : 0;
        }
        return matched;
    }

    private static boolean augment(Job job, int slot, List<Integer> places, int[] slotOf, boolean[] seen) {
        for (int place = 0; place < slotOf.length; place++) {
            if (!seen[place] && job.accepts(places.get(place), slot)) {
                seen[place] = true;
                if (slotOf[place] < 0 || augment(job, slotOf[place], places, slotOf, seen)) {
                    slotOf[place] = slot;
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void preferredSlotsServeAndTheOthersStayUnused() {
        Job job = new Job(false).requires(SMALL, 2);
        for (int slot = 0; slot < 4; slot++) {
            job.slot(SMALL, false, -1);
        }
        SlotAssignment.assign(job, new int[] {3, 1, 0, 2}, job);
        assertThat(job.assigned).containsOnlyKeys(1, 3);
    }

    @Test
    void slotsStayWithWhatTheyWereAllocatedForAndAnotherOneGivesWay() {
        Job job = new Job(true)
                .requires(SMALL, 2)
                .requires(LARGE, 1)
                .slot(LARGE, false, 0)
                .slot(LARGE, false, -1)
                .slot(SMALL, false, -1)
                .assigned();
        assertThat(job.assigned).containsEntry(0, 0).containsEntry(1, 1).containsEntry(2, 0);
    }

    /** A job of ten thousand slots shrinks to half, and one of its requirements cannot be fulfilled at all. */
    @Test
    void aReshapeWithARequirementThatNothingFulfillsLooksAtEachSlotAFewTimesOnly() {
        Job job = reshaped(10_000, 5_000);
        SlotAssignment.assign(job, new AssignmentBuilder() {
            @Override
            public void assign(int slot, int requirement) {
                job.assigned.put(slot, requirement);
            }

            @Override
            public void unassigned(int requirement, String reason) {
                job.reasons.put(requirement, reason);
            }

            @Override
            public void reviewAfter(long millis) {
                throw new UnsupportedOperationException();
            }
        });
        assertThat(job.assigned).hasSize(5_000);
        assertThat(job.reasons).containsOnlyKeys(1);
        assertThat(job.reasons.get(1)).startsWith("has 0 of 1 slots: 0 of the job's 10000 slots");
        assertThat(job.asked).isLessThan(5 * 10_000);
    }

    private static Job reshaped(int slots, int needed) {
        Job job = new Job(false).requires(SMALL, needed).requires(HUGE, 1);
        for (int slot = 0; slot < slots; slot++) {
            job.slot(SMALL, false, 0);
        }
        return job;
    }
}
