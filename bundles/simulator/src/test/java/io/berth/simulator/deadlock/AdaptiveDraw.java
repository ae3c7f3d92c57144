package io.berth.simulator.deadlock;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.simulator.deadlock.Instance.Figure;
import io.berth.simulator.deadlock.Instance.Machine;
import io.berth.simulator.deadlock.Instance.Matching;
import io.berth.simulator.deadlock.Instance.Submission;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A fine-grained job that scales with the slots it gets, on workers of different sizes that suffice for its minimum. */
final class AdaptiveDraw {

    private static final Partitioning[] PARTITIONINGS = Partitioning.values();

    private final SplittableRandom random;
    private final long seed;

    AdaptiveDraw(long seed) {
        this.seed = seed;
        random = new SplittableRandom(seed);
    }

    Instance draw() {
        JobGraph job = job();
        List<ResourceProfile> sizes = new ArrayList<>(new MachineDraw(List.of(job), random).any(false));
        for (int more = random.nextInt(3); more > 0; more--) {
            sizes.add(MachineDraw.profile(random, 500, 4_000));
        }
        return new Instance(
                seed,
                Figure.TWO_JOBS,
                sizes.stream()
                        .map(total -> new Machine(total, random.nextLong(4 * VirtualTime.SECOND)))
                        .toList(),
                List.of(new Submission(job, random.nextLong(4 * VirtualTime.SECOND))),
                List.of(),
                Matching.values()[random.nextInt(Matching.values().length)],
                random.nextBoolean(),
                random.nextInt(2) * 50 * VirtualTime.MILLI);
    }

    /** One to four groups, some of the same profile, and up to six vertices. */
    private JobGraph job() {
        GraphBuilder graph = new GraphBuilder(1, random);
        graph.endless();
        List<ResourceProfile> profiles = new ArrayList<>();
        int groups = random.nextInt(1, 5);
        for (int group = 0; group < groups; group++) {
            ResourceProfile profile = profiles.isEmpty() || random.nextBoolean()
                    ? MachineDraw.profile(random, 200, 1_000)
                    : profiles.get(random.nextInt(profiles.size()));
            profiles.add(profile);
            graph.group("g" + group, profile);
        }
        int vertices = random.nextInt(groups, groups + 3);
        List<Integer> minima = new ArrayList<>();
        List<Integer> maxima = new ArrayList<>();
        for (int vertex = 0; vertex < vertices; vertex++) {
            Partitioning partitioning = PARTITIONINGS[random.nextInt(PARTITIONINGS.length)];
            int from = vertex == 0 ? 0 : random.nextInt(vertex);
            boolean forward = vertex > 0 && partitioning == Partitioning.FORWARD;
            minima.add(forward ? minima.get(from) : random.nextInt(1, 3));
            maxima.add(forward ? maxima.get(from) : minima.get(vertex) + random.nextInt(6));
            int group = vertex < groups ? vertex : random.nextInt(groups);
            graph.vertex("v" + vertex, "g" + group, minima.get(vertex), maxima.get(vertex));
            if (vertex > 0) {
                graph.edge("v" + from, "v" + vertex, partitioning, Exchange.PIPELINED);
            }
        }
        return graph.build();
    }
}
