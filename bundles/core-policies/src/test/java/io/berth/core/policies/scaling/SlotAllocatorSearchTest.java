package io.berth.core.policies.scaling;

import static io.berth.core.policies.scaling.AllocatedJob.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares what the SlotAllocator finds with all that is possible, over random small jobs with groups of different
 * profiles and any slots. {@code -Dberth.jobs=10000} compares that number of jobs, {@code -Dberth.jobs.seed=N} one.
 */
class SlotAllocatorSearchTest {

    private static final int JOBS = Integer.getInteger("berth.jobs", 1_000);
    private static final long SEED = Long.getLong("berth.jobs.seed", -1);
    private static final int MAX_VERTICES = 4;
    private static final int MAX_SLOTS = 9;

    private final AllocatedJob job = new AllocatedJob();
    private List<Integer> lowest = List.of();
    private List<Integer> desired = List.of();
    private List<Integer> slots = List.of();

    private static void forEachSeed(LongConsumer check) {
        if (SEED >= 0) {
            check.accept(SEED);
            return;
        }
        for (long seed = 0; seed < JOBS; seed++) {
            check.accept(seed);
        }
    }

    /** @param crossing whether forward edges may lead from one group to another */
    private static SlotAllocatorSearchTest random(long seed, boolean crossing) {
        SlotAllocatorSearchTest search = new SlotAllocatorSearchTest();
        Random random = new Random(seed);
        AllocatedJob job = search.job;
        job.random(random, MAX_VERTICES);
        if (!crossing) {
            job.edges.removeIf(
                    edge -> job.isForward(edge) && !job.group(edge.from()).equals(job.group(edge.to())));
        }
        SlotAllocator allocator = job.allocator();
        search.desired = allocator.aligned(
                job.desired(random).stream().mapToInt(Integer::intValue).toArray());
        search.lowest = allocator.aligned(
                job.vertices.stream().mapToInt(JobVertex::minimum).toArray());
        search.slots =
                job.groups.stream().map(group -> random.nextInt(MAX_SLOTS)).toList();
        return search;
    }

    private Optional<List<Integer>> found() {
        return job.allocator().feasible(desired, slots);
    }

    private String when(long seed) {
        return "seed " + seed + ": slots " + slots + " for " + desired + " of " + job.vertices + job.edges;
    }

    /** Each parallelism within the bounds that the slots suffice for. */
    private List<List<Integer>> possible() {
        List<List<Integer>> possible = new ArrayList<>();
        extend(new ArrayList<>(), possible);
        return possible;
    }

    private void extend(List<Integer> begun, List<List<Integer>> possible) {
        int vertex = begun.size();
        if (vertex == desired.size()) {
            if (isFeasible(begun)) {
                possible.add(List.copyOf(begun));
            }
            return;
        }
        for (int value = lowest.get(vertex); value <= desired.get(vertex); value++) {
            begun.add(value);
            extend(begun, possible);
            begun.remove(vertex);
        }
    }

    private boolean isFeasible(List<Integer> parallelism) {
        for (JobEdge edge : job.edges) {
            if (job.isForward(edge)
                    && !parallelism
                            .get(AllocatedJob.index(edge.from()))
                            .equals(parallelism.get(AllocatedJob.index(edge.to())))) {
                return false;
            }
        }
        List<Integer> widths = widths(parallelism);
        for (ResourceProfile profile : AllocatedJob.PROFILES) {
            if (job.sum(profile, widths) > job.sum(profile, slots)) {
                return false;
            }
        }
        return true;
    }

    private List<Integer> widths(List<Integer> parallelism) {
        return IntStream.range(0, job.groups.size())
                .mapToObj(group -> job.width(parallelism, group))
                .toList();
    }

    private static boolean isBetter(List<Integer> one, List<Integer> other) {
        return !one.equals(other)
                && IntStream.range(0, one.size()).allMatch(vertex -> one.get(vertex) >= other.get(vertex));
    }

    @Test
    void fiveSlotsOfTwoEqualGroupsAreThreeAndTwo() {
        job.group(SMALL).group(SMALL).vertex(0, 1, 5).vertex(1, 1, 5);
        for (int first = 0; first <= 5; first++) {
            List<Integer> widths = new ArrayList<>(job.allocator()
                    .feasible(List.of(5, 5), List.of(first, 5 - first))
                    .orElseThrow());
            Collections.sort(widths);
            assertThat(widths).containsExactly(2, 3);
        }
    }

    @Test
    void noPossibleParallelismIsBetter() {
        forEachSeed(seed -> {
            SlotAllocatorSearchTest search = random(seed, true);
            List<List<Integer>> possible = search.possible();
            Optional<List<Integer>> found = search.found();
            assertThat(found.isPresent()).as(search.when(seed)).isEqualTo(!possible.isEmpty());
            found.ifPresent(parallelism -> assertThat(possible)
                    .as("%s: %s is possible, and nothing better", search.when(seed), parallelism)
                    .contains(parallelism)
                    .noneMatch(other -> isBetter(other, parallelism)));
        });
    }

    @Test
    void usesAsManySlotsAsPossibleAndAsEvenlyAsPossible() {
        forEachSeed(seed -> {
            SlotAllocatorSearchTest search = random(seed, false);
            search.found().ifPresent(parallelism -> {
                List<Integer> widths = search.ascending(parallelism);
                int used = sum(widths);
                for (List<Integer> other : search.possible()) {
                    List<Integer> otherWidths = search.ascending(other);
                    assertThat(used)
                            .as("%s: slots of %s and %s", search.when(seed), parallelism, other)
                            .isGreaterThanOrEqualTo(sum(otherWidths));
                    assertThat(isMoreEven(otherWidths, widths))
                            .as("%s: %s is more even than %s", search.when(seed), other, parallelism)
                            .isFalse();
                }
            });
        });
    }

    private List<Integer> ascending(List<Integer> parallelism) {
        return widths(parallelism).stream().sorted().toList();
    }

    private static int sum(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).sum();
    }

    /** Whether the narrowest group that differs is wider. */
    private static boolean isMoreEven(List<Integer> one, List<Integer> other) {
        for (int place = 0; place < one.size(); place++) {
            int difference = Integer.compare(one.get(place), other.get(place));
            if (difference != 0) {
                return difference > 0;
            }
        }
        return false;
    }
}
