package io.berth.simulator.deadlock;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.simulator.deadlock.Instance.Figure;
import io.berth.simulator.deadlock.Instance.Loss;
import io.berth.simulator.deadlock.Instance.Machine;
import io.berth.simulator.deadlock.Instance.Matching;
import io.berth.simulator.deadlock.Instance.Submission;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Draws an instance from its seed. For one use. */
final class InstanceDraw {

    private static final List<Matching> STRATEGIES = List.of(Matching.values());
    private static final long LATEST_START_NANOS = 4 * VirtualTime.SECOND;
    private static final long LATEST_SUBMISSION_NANOS = 8 * VirtualTime.SECOND;
    private static final long LATEST_LOSS_NANOS = 20 * VirtualTime.SECOND;
    private static final long LONGEST_ABSENCE_NANOS = 40 * VirtualTime.SECOND;
    /** With more, a worker does not reach a JobMaster before its slots time out. */
    private static final List<Long> SPREADS =
            List.of(0L, 50 * VirtualTime.MILLI, 200 * VirtualTime.MILLI, 500 * VirtualTime.MILLI);

    private final long seed;
    private final SplittableRandom random;

    InstanceDraw(long seed) {
        this.seed = seed;
        random = new SplittableRandom(seed);
    }

    Instance draw() {
        Figure figure = Figure.values()[Math.floorMod(seed, Figure.values().length)];
        List<JobGraph> jobs = switch (figure) {
            case FLIP_156 -> List.of(flip156());
            case FLIP_119 -> List.of(flip119());
            case TWO_JOBS, LOST_WORKER -> List.of(batchJob(1), batchJob(2));
        };
        boolean spare = figure == Figure.LOST_WORKER && random.nextBoolean();
        MachineDraw draw = new MachineDraw(jobs, random);
        List<ResourceProfile> sizes = isFigure(figure) ? draw.alike(2, false) : draw.any(spare);
        List<Loss> losses = figure == Figure.LOST_WORKER ? losses(sizes.size(), spare) : List.of();
        return new Instance(
                seed,
                figure,
                sizes.stream()
                        .map(total -> new Machine(total, random.nextLong(LATEST_START_NANOS)))
                        .toList(),
                jobs.stream()
                        .map(job -> new Submission(job, random.nextLong(LATEST_SUBMISSION_NANOS)))
                        .toList(),
                losses,
                STRATEGIES.get(random.nextInt(STRATEGIES.size())),
                random.nextInt(4) == 0,
                SPREADS.get(random.nextInt(SPREADS.size())));
    }

    private static boolean isFigure(Figure figure) {
        return figure == Figure.FLIP_156 || figure == Figure.FLIP_119;
    }

    // Jobs

    /** Two of them never fit into the room of one: a cluster for two slots has two slots. */
    private ResourceProfile large() {
        return MachineDraw.profile(random, 650, 1_000);
    }

    private ResourceProfile small() {
        return MachineDraw.profile(random, 200, 1_000);
    }

    private JobGraph flip156() {
        GraphBuilder graph = new GraphBuilder(1, random);
        for (String name : List.of("a", "b", "c", "d", "e")) {
            graph.group(name, large());
            graph.vertex(name, name, 1, 1);
        }
        graph.edge("a", "b", Exchange.PIPELINED);
        graph.edge("c", "d", Exchange.PIPELINED);
        graph.edge("b", "e", Exchange.BLOCKING);
        graph.edge("d", "e", Exchange.BLOCKING);
        return graph.build();
    }

    /** With one group, as in the document, or with one for producers and one for consumers. */
    private JobGraph flip119() {
        GraphBuilder graph = new GraphBuilder(1, random);
        boolean shared = random.nextInt(4) == 0;
        graph.group("producers", large());
        graph.group("consumers", large());
        int regions = random.nextInt(2, 5);
        for (int region = 1; region <= regions; region++) {
            graph.vertex("a" + region, "producers", 1, 1);
            graph.vertex("b" + region, shared ? "producers" : "consumers", 1, 1);
            graph.edge("a" + region, "b" + region, Exchange.PIPELINED);
        }
        graph.vertex("end", "consumers", 1, 1);
        for (int region = 1; region <= regions; region++) {
            graph.edge("b" + region, "end", Exchange.BLOCKING);
        }
        return graph.build();
    }

    /** One to four chains of up to three vertices; each reads the result of an earlier one, or none. */
    private JobGraph batchJob(long number) {
        GraphBuilder graph = new GraphBuilder(number, random);
        boolean commonGroups = random.nextInt(3) == 0;
        int groups = 0;
        if (commonGroups) {
            graph.group("g1", small());
            graph.group("g2", small());
        }
        List<String> lasts = new ArrayList<>();
        int chains = random.nextInt(1, 5);
        for (int chain = 1; chain <= chains; chain++) {
            String before = "";
            String group = "";
            for (int link = 1; link <= random.nextInt(1, 4); link++) {
                if (commonGroups) {
                    group = random.nextBoolean() ? "g1" : "g2";
                } else if (group.isEmpty() || random.nextBoolean()) {
                    group = "g" + ++groups;
                    graph.group(group, small());
                }
                String name = "v" + chain + "-" + link;
                int minimum = random.nextInt(1, 4);
                graph.vertex(name, group, minimum, minimum + random.nextInt(3));
                if (!before.isEmpty()) {
                    graph.edge(before, name, Exchange.PIPELINED);
                } else if (!lasts.isEmpty() && random.nextInt(3) > 0) {
                    graph.edge(lasts.get(random.nextInt(lasts.size())), name, Exchange.BLOCKING);
                }
                before = name;
            }
            lasts.add(before);
        }
        return graph.build();
    }

    /** @param spare whether the others suffice; else the worker comes back */
    private List<Loss> losses(int machines, boolean spare) {
        List<Loss> losses = new ArrayList<>();
        for (int loss = random.nextInt(spare ? 1 : 3); loss >= 0; loss--) {
            long at = random.nextLong(LATEST_LOSS_NANOS);
            losses.add(new Loss(
                    random.nextInt(machines),
                    at,
                    spare ? OptionalLong.empty() : OptionalLong.of(at + random.nextLong(LONGEST_ABSENCE_NANOS))));
        }
        return losses;
    }
}
