package io.berth.scorecard.scaling;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedParallelism;
import io.berth.testkit.rules.Expect;
import io.berth.testkit.rules.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random jobs that run and are measured. */
final class Jobs {

    private static final List<Integer> FREE = List.of(0, 1, 2, 4, 8, 16, 32);

    private final ScalingPolicyFactory factory;
    private final Seeds seeds;

    Jobs(ScalingPolicyFactory factory, Seeds seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    /** A session of an instance of its own, with the defaults. */
    static ScalingSession open(ScalingPolicyFactory factory, JobView job) throws InvalidConfigurationException {
        return factory.create(FixedConfiguration.of(factory.describe(), Map.of()), FixedContext.of("job job"))
                .open(job);
    }

    private RecordedParallelism desire(JobView job) throws InvalidConfigurationException {
        try (ScalingSession session = open(factory, job)) {
            RecordedParallelism desired = new RecordedParallelism(job);
            session.desire(desired);
            return desired;
        }
    }

    private static ArrayJobView job(int seed, int free) {
        Random random = Seeds.random(seed);
        ArrayJobView job = new ArrayJobView(1);
        int vertices = 1 + random.nextInt(4);
        for (int vertex = 0; vertex < vertices; vertex++) {
            int minimum = 1 + random.nextInt(2);
            job.vertex(0, minimum, minimum + random.nextInt(3), minimum + 3 + random.nextInt(12));
            if (vertex > 0) {
                job.edge(vertex - 1, vertex, EdgeKind.REBALANCE);
            }
        }
        int slots = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            int current = job.minimum(vertex) + random.nextInt(3);
            job.current(vertex, current);
            slots = Math.max(slots, current);
        }
        job.slots(0, slots).room(0, free, 0).now(600_000).wallTime(600_000).measured(60_000);
        for (int vertex = 0; vertex < vertices; vertex++) {
            double busy = random.nextDouble();
            double idle = (1 - busy) * random.nextDouble();
            double records = 100 + random.nextInt(1_000);
            job.metric(vertex, TaskMetric.RECORDS_IN, vertex == 0 ? 0 : records, records)
                    .metric(vertex, TaskMetric.RECORDS_OUT, records, records)
                    .metric(vertex, TaskMetric.BUSY, busy, busy)
                    .metric(vertex, TaskMetric.IDLE, idle, idle)
                    .metric(vertex, TaskMetric.BACK_PRESSURED, 1 - busy - idle, 1 - busy - idle);
        }
        return job;
    }

    void desiresTheSameForTheSameInput() throws InvalidConfigurationException {
        seeds.each(seed -> {
            RecordedParallelism first = desire(job(seed, seed % 10));
            RecordedParallelism second = desire(job(seed, seed % 10));
            Expect.same(
                    "what another instance desires",
                    Arrays.toString(second.values()) + " " + second.reason(),
                    Arrays.toString(first.values()) + " " + first.reason());
        });
    }

    void desiresNoLessWithMoreFreeSlots() throws InvalidConfigurationException {
        seeds.each(seed -> {
            int before = 0;
            int[] less = {};
            for (int free : FREE) {
                int[] more = desire(job(seed, free)).values();
                for (int vertex = 0; vertex < less.length; vertex++) {
                    Expect.that(
                            more[vertex] >= less[vertex],
                            "desires parallelism %s of vertex %s with %s free slots, and only %s with %s",
                            less[vertex],
                            vertex,
                            before,
                            more[vertex],
                            free);
                }
                less = more;
                before = free;
            }
        });
    }
}
