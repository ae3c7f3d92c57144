package io.berth.core.policies.scaling;

import static io.berth.core.policies.scaling.AllocatedJob.LARGE;
import static io.berth.core.policies.scaling.AllocatedJob.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The worked examples of FLIP-160's SlotAllocator, and properties over random jobs and slots. */
class SlotAllocatorTest {

    private static final int SEEDS = 5_000;

    private final AllocatedJob job = new AllocatedJob();

    private Optional<List<Integer>> feasible(List<Integer> desired, Integer... slots) {
        SlotAllocator allocator = job.allocator();
        return allocator.feasible(
                allocator.aligned(desired.stream().mapToInt(Integer::intValue).toArray()), List.of(slots));
    }

    @Test
    void flip160_groupsOfOneProfileShareTheirSlotsEvenly() {
        job.group(SMALL).group(SMALL).vertex(0, 1, 4).vertex(0, 1, 2).vertex(1, 1, 3);
        List<Integer> all = List.of(4, 2, 3);
        assertThat(feasible(all, 1, 1)).hasValue(List.of(1, 1, 1));
        assertThat(feasible(all, 50, 0)).hasValue(List.of(4, 2, 3));
        assertThat(feasible(all, 1, 0)).isEmpty();
        assertThat(feasible(all, 0, 5)).hasValue(List.of(2, 2, 3));
        assertThat(feasible(all, 3, 2)).as("the slot stays where it is").hasValue(List.of(3, 2, 2));
    }

    @Test
    void flip160_aGroupWithAFixedWidthIsServedFirst() {
        job.group(SMALL).group(SMALL).vertex(0, 1, 8).vertex(1, 10, 10);
        assertThat(feasible(List.of(8, 10), 13, 0)).hasValue(List.of(3, 10));
        assertThat(feasible(List.of(8, 10), 10, 0)).isEmpty();
    }

    @Test
    void slotsOfAnotherProfileOrConstraintNeverHelp() {
        job.group(SMALL).group(LARGE).vertex(0, 1, 8).vertex(1, 1, 8);
        assertThat(feasible(List.of(8, 8), 8, 1)).hasValue(List.of(8, 1));
        assertThat(feasible(List.of(8, 8), 8, 0)).isEmpty();
        job.groups.set(
                1,
                new SlotSharingGroup(
                        "g1",
                        SMALL,
                        new PlacementConstraints(List.of(), List.of(), new TreeMap<>(java.util.Map.of("gpu", "")))));
        assertThat(feasible(List.of(8, 8), 8, 0)).isEmpty();
        job.groups.set(0, new SlotSharingGroup("g0", SMALL, job.groups.get(1).constraints()));
        assertThat(feasible(List.of(8, 8), 8, 0)).hasValue(List.of(4, 4));
    }

    @Test
    void forwardConnectedVerticesAreEqualAcrossGroups() {
        job.group(SMALL).group(LARGE).vertex(0, 1, 8).vertex(1, 2, 6).edge(0, 1, Partitioning.FORWARD);
        assertThat(feasible(List.of(8, 6), 8, 3)).hasValue(List.of(3, 3));
        assertThat(feasible(List.of(1, 6), 8, 3))
                .as("the greater minimum counts")
                .hasValue(List.of(2, 2));
        assertThat(feasible(List.of(8, 6), 1, 8)).isEmpty();
    }

    @Test
    void slotsThatAForwardEdgeKeepsAGroupFromUsingServeTheOthers() {
        job.group(SMALL).group(LARGE).group(SMALL);
        job.vertex(0, 1, 8).vertex(1, 1, 8).vertex(2, 1, 8).edge(0, 1, Partitioning.FORWARD);
        assertThat(feasible(List.of(8, 8, 8), 3, 1, 3)).hasValue(List.of(1, 1, 5));
        assertThat(feasible(List.of(8, 8, 8), 3, 2, 3)).hasValue(List.of(2, 2, 4));
    }

    @Test
    void keepsAllBoundsWithAnySlots() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            AllocatedJob job = new AllocatedJob();
            job.random(random, 6);
            SlotAllocator allocator = job.allocator();
            List<Integer> aligned = allocator.aligned(
                    job.desired(random).stream().mapToInt(Integer::intValue).toArray());
            List<Integer> slots =
                    job.groups.stream().map(group -> random.nextInt(9)).toList();
            Optional<List<Integer>> found = allocator.feasible(aligned, slots);
            String when = "seed " + seed + ": " + slots + " for " + aligned;
            if (found.isEmpty()) {
                int fewest = 0;
                List<Integer> lowest = allocator.aligned(
                        job.vertices.stream().mapToInt(JobVertex::minimum).toArray());
                for (ResourceProfile profile : AllocatedJob.PROFILES) {
                    List<Integer> widths = new ArrayList<>();
                    for (int group = 0; group < job.groups.size(); group++) {
                        widths.add(job.width(lowest, group));
                    }
                    fewest += job.sum(profile, widths) > job.sum(profile, slots) ? 1 : 0;
                }
                assertThat(fewest).as("%s: a minimum does not fit", when).isPositive();
                continue;
            }
            List<Integer> parallelism = found.get();
            List<Integer> widths = new ArrayList<>();
            for (int group = 0; group < job.groups.size(); group++) {
                widths.add(job.width(parallelism, group));
            }
            for (ResourceProfile profile : AllocatedJob.PROFILES) {
                assertThat(job.sum(profile, widths)).as(when).isLessThanOrEqualTo(job.sum(profile, slots));
            }
            for (int vertex = 0; vertex < parallelism.size(); vertex++) {
                assertThat(parallelism.get(vertex))
                        .as(when)
                        .isBetween(job.vertices.get(vertex).minimum(), aligned.get(vertex));
            }
            for (JobEdge edge : job.edges) {
                if (edge.partitioning() == Partitioning.FORWARD) {
                    assertThat(parallelism.get(Integer.parseInt(edge.from().substring(1))))
                            .as(when)
                            .isEqualTo(
                                    parallelism.get(Integer.parseInt(edge.to().substring(1))));
                }
            }
        }
    }

    @Test
    void oneMoreSlotNeverLowersAVertexAndAGroupIsNarrowOnlyForAReason() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            AllocatedJob job = new AllocatedJob();
            job.random(random, 6);
            job.edges.removeIf(edge -> edge.partitioning() == Partitioning.FORWARD);
            SlotAllocator allocator = job.allocator();
            List<Integer> desired = job.desired(random);
            List<Integer> slots = new ArrayList<>(
                    job.groups.stream().map(group -> random.nextInt(9)).toList());
            Optional<List<Integer>> before = allocator.feasible(desired, slots);
            if (before.isEmpty()) {
                continue;
            }
            String when = "seed " + seed + ": " + slots + " for " + desired;
            checkEven(job, desired, before.get(), slots, when);
            int group = random.nextInt(slots.size());
            slots.set(group, slots.get(group) + 1);
            List<Integer> after = allocator.feasible(desired, slots).orElseThrow();
            int total = after.stream().mapToInt(Integer::intValue).sum();
            assertThat(total)
                    .as(when)
                    .isGreaterThanOrEqualTo(
                            before.get().stream().mapToInt(Integer::intValue).sum());
            assertThat(Collections.min(after)).as(when).isGreaterThanOrEqualTo(Collections.min(before.get()));
        }
    }

    /** Between two groups of one profile, no slot could move from the wider to the narrower one. */
    private static void checkEven(
            AllocatedJob job, List<Integer> desired, List<Integer> found, List<Integer> slots, String when) {
        for (int wide = 0; wide < slots.size(); wide++) {
            for (int narrow = 0; narrow < slots.size(); narrow++) {
                boolean alike = job.groups
                        .get(wide)
                        .profile()
                        .equals(job.groups.get(narrow).profile());
                List<Integer> minima =
                        job.vertices.stream().map(JobVertex::minimum).toList();
                boolean couldMove = job.width(found, wide) > job.width(minima, wide)
                        && job.width(found, narrow) < job.width(desired, narrow);
                if (alike && couldMove) {
                    assertThat(job.width(found, wide) - job.width(found, narrow))
                            .as("%s: groups %s and %s of %s", when, wide, narrow, found)
                            .isLessThanOrEqualTo(1);
                }
            }
        }
    }
}
