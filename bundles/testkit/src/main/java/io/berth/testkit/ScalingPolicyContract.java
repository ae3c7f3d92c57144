package io.berth.testkit;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import io.berth.testkit.rules.BrokenRule;
import io.berth.testkit.rules.Expect;
import io.berth.testkit.rules.ReviewPace;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every scaling policy must guarantee, whatever it prefers. Extend it in your test and provide the factory. */
public interface ScalingPolicyContract {

    /** The number of random sequences. */
    int SEQUENCES = 300;

    /** What a slot of a group may need. */
    List<ResourceProfile> PROFILES =
            List.of(ResourceProfile.of(1_000, 1_000), ResourceProfile.of(2_000, 1_000), ResourceProfile.UNKNOWN);

    /** The largest minimum of a vertex. */
    int MAX_MINIMUM = 3;

    /** The factory to test. */
    ScalingPolicyFactory factory();

    /** The configuration to test with; override it to test others. */
    default Map<String, String> configuration() {
        return Map.of();
    }

    /** The seeds of random inputs; override it to test others. */
    default Seeds seeds() {
        return new Seeds(0, SEQUENCES);
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        Expect.same("the second description", factory().describe(), factory().describe());
        Expect.that(!factory().describe().summary().isBlank(), "the summary of the description is blank");
    }

    @Test
    default void isCreatedWithTheDefaultsThatItDescribes() throws InvalidConfigurationException {
        Expect.that(
                Optional.ofNullable(factory()
                                .create(
                                        FixedConfiguration.of(factory().describe(), Map.of()),
                                        FixedContext.of("check")))
                        .isPresent(),
                "creates nothing with the defaults that it describes");
    }

    @Test
    default void decidesWithinTheRulesAndTheSameAfterDeltas() throws InvalidConfigurationException {
        seeds().each(seed -> {
            Random random = Seeds.random(seed);
            ArrayJobView job = job(random);
            List<Decision> earlier = new ArrayList<>();
            try (ScalingSession session = open(job)) {
                for (int step = 0; step < 8; step++) {
                    change(random, job, step);
                    session.delta();
                    String when = "step " + step;
                    Decision decision = decide(session, job, when);
                    earlier.add(decision);
                    try (ScalingSession fresh = open(job)) {
                        Expect.same(
                                "what a session that followed the changes decides in " + when
                                        + ", where a new session decides",
                                decision.toString(),
                                decide(fresh, job, when).toString());
                    }
                }
            }
            // What a session does with a result after its call.
            earlier.forEach(decision -> decision.check("an earlier step"));
        });
    }

    /** A load that does not change is no reason to rescale again and again: each rescale costs work. */
    @Test
    default void settlesOnAConstantLoad() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            Random random = Seeds.random(seed);
            double[] perTask = new double[2 + random.nextInt(3)];
            for (int vertex = 0; vertex < perTask.length; vertex++) {
                perTask[vertex] = 100 + random.nextInt(1_000);
            }
            ConstantLoad load = new ConstantLoad(4 + random.nextInt(12), 100 + random.nextInt(5_000), perTask);
            try (ScalingSession session = open(load.job())) {
                for (int decision = 0; decision < 50; decision++) {
                    load.decide(session);
                }
                int changes = load.changes();
                for (int decision = 0; decision < 50; decision++) {
                    load.decide(session);
                }
                Expect.that(
                        load.changes() == changes,
                        "rescales of 100 decisions under a load that does not change: %s, of which %s in the last 50",
                        load.changes(),
                        load.changes() - changes);
            }
        });
    }

    /** Nobody asks a policy because the tasks have started. One that follows figures must have wished it before. */
    @Test
    default void asksForACallAlsoBeforeTheJobRuns() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            Random random = Seeds.random(seed);
            ConstantLoad load = new ConstantLoad(4 + random.nextInt(12), 100 + random.nextInt(5_000), 100, 500);
            boolean whileItRuns = asksForACall(load.job());
            for (int vertex = 0; vertex < load.job().vertices(); vertex++) {
                load.job().current(vertex, 0);
            }
            Expect.that(
                    !whileItRuns || asksForACall(load.job()),
                    "desire calls reviewAfter while the job runs, but not before: nobody calls it when the job has"
                            + " started");
        });
    }

    private boolean asksForACall(ArrayJobView job) throws InvalidConfigurationException {
        try (ScalingSession session = open(job)) {
            RecordedParallelism desired = new RecordedParallelism(job);
            session.desire(desired);
            desired.end();
            return desired.reviewMillis().isPresent();
        }
    }

    /** Each review is a decision: a policy that always wants the next one soon costs as much as a storm of changes. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThen() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            Random random = Seeds.random(seed);
            ArrayJobView job = job(random);
            change(random, job, 0);
            try (ScalingSession session = open(job)) {
                ReviewPace.check(now -> {
                    job.now(now).wallTime(now);
                    session.delta();
                    return decide(session, job, "at " + now + " ms").reviews().min();
                });
            }
        });
    }

    /** What a policy returned for one state. */
    record Decision(RecordedParallelism desired, Optional<RecordedParallelism.Judgement> judgement) {

        private LongStream reviews() {
            return LongStream.concat(
                    desired.reviewMillis().stream(),
                    judgement.stream().flatMapToLong(one -> one.reviewMillis().stream()));
        }

        private void check(String when) {
            desired.violation()
                    .or(() -> judgement.flatMap(RecordedParallelism.Judgement::violation))
                    .ifPresent(violation -> {
                        throw new BrokenRule(when + ": the rule of scaling that it breaks: " + violation);
                    });
        }

        @Override
        public String toString() {
            return "desires " + Arrays.toString(desired.values()) + " " + desired.reason() + " "
                    + desired.reviewMillis()
                    + judgement
                            .map(one -> (one.accepted() ? ", accepts " : ", does not accept ") + one.reason() + " "
                                    + one.reviewMillis())
                            .orElse("");
        }
    }

    /** The steps of a decision, as the host makes them. */
    private static Decision decide(ScalingSession session, ArrayJobView job, String when) {
        RecordedParallelism desired = new RecordedParallelism(job);
        session.desire(desired);
        desired.end();
        new Decision(desired, Optional.empty()).check(when);
        int[] current = IntStream.range(0, job.vertices()).map(job::current).toArray();
        Optional<RecordedParallelism.Judgement> judged = job.feasible(desired.values())
                .filter(change -> !Arrays.equals(change, current))
                .filter(change -> IntStream.of(current).anyMatch(parallelism -> parallelism > 0))
                .map(change -> {
                    RecordedParallelism.Judgement judgement = new RecordedParallelism.Judgement();
                    session.judge(RecordedParallelism.Judgement.change(change), judgement);
                    judgement.end();
                    return judgement;
                });
        Decision decision = new Decision(desired, judged);
        decision.check(when);
        return decision;
    }

    private static ArrayJobView job(Random random) {
        int groups = 1 + random.nextInt(3);
        ArrayJobView job = new ArrayJobView(groups);
        for (int group = 0; group < groups; group++) {
            // Groups of one profile share their slots.
            job.profile(group, PROFILES.get(random.nextInt(PROFILES.size())));
            if (random.nextInt(4) == 0) {
                job.withConstraints(group);
            }
        }
        for (int vertex = random.nextInt(4); vertex >= 0; vertex--) {
            int minimum = 1 + random.nextInt(MAX_MINIMUM);
            int desired = minimum + random.nextInt(4);
            // All vertices may have the same parallelism, as those that forward edges connect must.
            job.vertex(random.nextInt(groups), minimum, desired, Math.max(desired, MAX_MINIMUM) + random.nextInt(4));
        }
        EdgeKind[] kinds = EdgeKind.values();
        for (int consumer = 1; consumer < job.vertices(); consumer++) {
            job.edge(random.nextInt(consumer), consumer, kinds[random.nextInt(kinds.length)]);
        }
        return job;
    }

    private static void change(Random random, ArrayJobView job, int step) {
        // Decisions minutes apart, so that pauses end and the most work of some minutes is known.
        job.now(200_000L * step);
        job.slots(random.nextInt(job.groups()), random.nextInt(12));
        if (random.nextInt(3) == 0) {
            boolean stopped = random.nextInt(3) == 0;
            List<Integer> parallelism = job.allocator()
                    .aligned(IntStream.range(0, job.vertices())
                            .map(vertex -> 1 + random.nextInt(job.maximum(vertex)))
                            .toArray());
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                job.current(vertex, stopped ? 0 : parallelism.get(vertex));
            }
        }
        if (random.nextBoolean()) {
            measure(random, job);
            job.observed();
        }
    }

    /** Some figures; others stay unknown. */
    private static void measure(Random random, ArrayJobView job) {
        int vertex = random.nextInt(job.vertices());
        double busy = random.nextDouble();
        double idle = (1 - busy) * random.nextDouble();
        job.measured(1_000 + random.nextInt(60_000))
                .metric(vertex, TaskMetric.RECORDS_IN, random.nextInt(1_000), 1_000)
                .metric(vertex, TaskMetric.RECORDS_OUT, random.nextInt(1_000), 1_000)
                .metric(vertex, TaskMetric.BUSY, busy, 1)
                .metric(vertex, TaskMetric.IDLE, idle, 1)
                .metric(vertex, TaskMetric.BACK_PRESSURED, 1 - busy - idle, 1);
        if (random.nextBoolean()) {
            job.backlogSplits(vertex, random.nextInt(100))
                    .backlogRecords(vertex, random.nextInt(100_000))
                    .lag(vertex, random.nextInt(600_000));
        }
    }

    private ScalingSession open(ArrayJobView job) throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration()), FixedContext.of("job job"))
                .open(job);
    }

    /**
     * A chain of vertices under a load that does not change: a source that could emit so many records per second, and after
     * it vertices whose tasks can each process so many. Each vertex passes on each record. The slowest vertex limits the
     * rate of all; those before it are back-pressured, those after it idle. Slots are granted as desired.
     */
    final class ConstantLoad {

        private static final long REVIEW_MILLIS = 60_000;

        private final double load;
        private final double[] perTask;
        private final ArrayJobView job = new ArrayJobView(1);
        private long now;
        private int changes;

        /**
         * @param maximum of each vertex; its minimum is 1
         * @param load records per second that the source would emit with enough tasks
         * @param perTask records per second that one task of each vertex can process, the source first
         */
        public ConstantLoad(int maximum, double load, double... perTask) {
            this.load = load;
            this.perTask = perTask.clone();
            for (int vertex = 0; vertex < perTask.length; vertex++) {
                job.vertex(0, 1, 1, maximum);
                if (vertex > 0) {
                    job.edge(vertex - 1, vertex, EdgeKind.REBALANCE);
                }
            }
            for (int vertex = 0; vertex < perTask.length; vertex++) {
                job.current(vertex, 1);
            }
            job.slots(0, 1);
            measure();
        }

        /** The job as a policy sees it. */
        public ArrayJobView job() {
            return job;
        }

        /** How often the job was rescaled. */
        public int changes() {
            return changes;
        }

        /** Records per second that flow through the job now. */
        public double rate() {
            double rate = load;
            for (int vertex = 0; vertex < perTask.length; vertex++) {
                rate = Math.min(rate, job.current(vertex) * perTask[vertex]);
            }
            return rate;
        }

        private void measure() {
            double rate = rate();
            // The last vertex that limits the rate holds back those before it.
            int limiting = -1;
            for (int vertex = 0; vertex < perTask.length; vertex++) {
                limiting = job.current(vertex) * perTask[vertex] <= rate ? vertex : limiting;
            }
            job.measured(REVIEW_MILLIS);
            for (int vertex = 0; vertex < perTask.length; vertex++) {
                double perSecond = rate / job.current(vertex);
                double busy = perSecond / perTask[vertex];
                metric(vertex, TaskMetric.RECORDS_IN, vertex == 0 ? 0 : perSecond);
                metric(vertex, TaskMetric.RECORDS_OUT, vertex == perTask.length - 1 ? 0 : perSecond);
                metric(vertex, TaskMetric.BUSY, busy);
                metric(vertex, TaskMetric.BACK_PRESSURED, vertex < limiting ? 1 - busy : 0);
                metric(vertex, TaskMetric.IDLE, vertex < limiting ? 0 : 1 - busy);
            }
            job.observed();
        }

        private void metric(int vertex, TaskMetric metric, double value) {
            job.metric(vertex, metric, value, value);
        }

        /**
         * One decision of a session that is open on {@link #job}, and what follows from it.
         *
         * @return whether the job was rescaled
         */
        public boolean decide(ScalingSession session) {
            session.delta();
            RecordedParallelism desired = new RecordedParallelism(job);
            session.desire(desired);
            desired.end();
            new Decision(desired, Optional.empty()).check("at " + now + " ms");
            int[] wanted = desired.values();
            for (int vertex = 0; vertex < wanted.length; vertex++) {
                job.lastDesired(vertex, wanted[vertex]);
            }
            job.slots(0, IntStream.of(wanted).max().orElse(0));
            OptionalLong wish = desired.reviewMillis();
            boolean accepted = false;
            int[] current = IntStream.range(0, job.vertices()).map(job::current).toArray();
            if (!Arrays.equals(wanted, current)) {
                RecordedParallelism.Judgement judgement = new RecordedParallelism.Judgement();
                session.judge(RecordedParallelism.Judgement.change(wanted), judgement);
                judgement.end();
                new Decision(desired, Optional.of(judgement)).check("at " + now + " ms");
                accepted = judgement.accepted();
                wish = LongStream.concat(wish.stream(), judgement.reviewMillis().stream())
                        .min();
            }
            now += wish.orElse(REVIEW_MILLIS);
            job.now(now);
            if (accepted) {
                changes++;
                for (int vertex = 0; vertex < wanted.length; vertex++) {
                    job.current(vertex, wanted[vertex]);
                }
                job.lastRescaleMillis(1_000);
            }
            measure();
            return accepted;
        }
    }
}
