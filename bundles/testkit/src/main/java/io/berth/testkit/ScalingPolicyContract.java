package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every scaling policy must guarantee, whatever it prefers. Extend it in your test and provide the factory. */
public interface ScalingPolicyContract {

    /** The number of random sequences. */
    int SEQUENCES = 300;

    /** The factory to test. */
    ScalingPolicyFactory factory();

    /** The configuration to test with; override it to test others. */
    default Map<String, String> configuration() {
        return Map.of();
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        assertThat(factory().describe()).isEqualTo(factory().describe());
        assertThat(factory().describe().summary()).isNotBlank();
    }

    @Test
    default void isCreatedWithTheDefaultsThatItDescribes() throws InvalidConfigurationException {
        assertThat(factory().create(FixedConfiguration.of(factory().describe(), Map.of()), FixedContext.of("check")))
                .isNotNull();
    }

    @Test
    default void decidesWithinTheRulesAndTheSameAfterDeltas() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            ArrayJobView job = job(random);
            try (ScalingSession session = open(job)) {
                for (int step = 0; step < 8; step++) {
                    change(random, job, step);
                    session.delta();
                    Decision decision = decide(session, job);
                    check(job, decision, "seed " + seed + " step " + step);
                    try (ScalingSession fresh = open(job)) {
                        assertThat(decide(fresh, job))
                                .as("seed %s step %s", seed, step)
                                .hasToString(decision.toString());
                    }
                }
            }
        }
    }

    /** What a policy returned for one state. */
    record Decision(RecordedParallelism desired, RecordedParallelism planned, boolean rescale) {

        @Override
        public String toString() {
            return "desires " + java.util.Arrays.toString(desired.values()) + " " + desired.reason() + ", plans "
                    + java.util.Arrays.toString(planned.values()) + " " + planned.reason() + ", rescales " + rescale;
        }
    }

    private static Decision decide(ScalingSession session, ArrayJobView job) {
        RecordedParallelism desired = new RecordedParallelism(job);
        session.desire(desired);
        RecordedParallelism planned = new RecordedParallelism(job);
        session.plan(planned);
        return new Decision(desired, planned, session.rescale(planned.values().clone()));
    }

    private static void check(ArrayJobView job, Decision decision, String when) {
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            assertThat(decision.desired().values()[vertex])
                    .as("%s: desired of vertex %s", when, vertex)
                    .isBetween(job.minimum(vertex), job.maximum(vertex));
            assertThat(decision.planned().values()[vertex])
                    .as("%s: planned of vertex %s", when, vertex)
                    .isBetween(0, Math.min(job.maximum(vertex), job.slots(job.group(vertex))));
            if (decision.rescale()) {
                assertThat(decision.planned().values()[vertex])
                        .as("%s: a rescale keeps vertex %s running", when, vertex)
                        .isGreaterThanOrEqualTo(job.minimum(vertex));
            }
        }
    }

    private static ArrayJobView job(Random random) {
        int groups = 1 + random.nextInt(3);
        ArrayJobView job = new ArrayJobView(groups);
        for (int vertex = random.nextInt(4); vertex >= 0; vertex--) {
            int minimum = 1 + random.nextInt(3);
            int desired = minimum + random.nextInt(4);
            job.vertex(random.nextInt(groups), minimum, desired, desired + random.nextInt(4));
        }
        return job;
    }

    private static void change(Random random, ArrayJobView job, int step) {
        job.now(1_000L * step);
        job.slots(random.nextInt(job.groups()), random.nextInt(12));
        if (random.nextInt(3) == 0) {
            boolean stopped = random.nextInt(3) == 0;
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                job.current(vertex, stopped ? 0 : 1 + random.nextInt(job.maximum(vertex)));
            }
        }
        if (random.nextBoolean()) {
            job.metrics(random.nextInt(job.vertices()), random.nextInt(10_000), random.nextDouble());
        }
    }

    private ScalingSession open(ArrayJobView job) throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration()), FixedContext.of("job job"))
                .open(job);
    }
}
