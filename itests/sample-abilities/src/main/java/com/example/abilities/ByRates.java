package com.example.abilities;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.osgi.service.component.annotations.Component;

/**
 * What was measured, as in DS2 ("Three steps is all you need", OSDI 2018): the rate of a task while it works says how
 * many tasks a vertex needs for all that its producers could emit.
 */
@Component
@Policy(kind = "scaling", name = "by-rates", configuration = "measure")
public final class ByRates implements ScalingPolicyFactory {

    private static final long REVIEW_MILLIS = 1_000;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "by-rates",
                "As many tasks as the rates of the job need",
                List.of(ConfigurationKey.duration(
                        "measure",
                        Duration.ofSeconds(3),
                        Duration.ofMillis(1),
                        Duration.ofHours(1),
                        "how long rates are measured before they count")));
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        long measureMillis = configuration.duration("measure").toMillis();
        return job -> new Session(job, measureMillis);
    }

    private record Session(JobView job, long measureMillis) implements ScalingSession {

        @Override
        public void delta() {
            // The view shows it.
        }

        @Override
        public void desire(ParallelismBuilder result) {
            int[] wanted = wanted();
            for (int vertex = 0; vertex < wanted.length; vertex++) {
                result.parallelism(vertex, wanted[vertex]);
            }
            result.reviewAfter(REVIEW_MILLIS);
        }

        /** Records per second that the vertex would emit and receive if nothing else slowed it down. */
        private static OptionalDouble perSecond(OptionalDouble records, double working) {
            return records.isEmpty() || working <= 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(records.getAsDouble() / working);
        }

        private double busy(int vertex) {
            return job.mean(vertex, TaskMetric.BUSY).orElse(0);
        }

        /** How many more slots the pool has and the queue allows: what cannot be had is not asked for. */
        private int more(int group) {
            if (job.freeSlots(group).isEmpty()) {
                return Integer.MAX_VALUE / 2;
            }
            long room = job.freeSlots(group).getAsLong()
                    + job.startableSlots(group).orElse(0);
            return (int) Math.min(Integer.MAX_VALUE / 2, Math.min(room, job.queueSlots(group).orElse(room)));
        }

        private int[] wanted() {
            int[] wanted = new int[job.vertices()];
            double[] emits = new double[job.vertices()];
            boolean measured = job.measuredMillis().orElse(0) >= measureMillis;
            for (int vertex = 0; vertex < wanted.length; vertex++) {
                wanted[vertex] = job.lastDesired(vertex).orElse(job.minimum(vertex));
                if (!measured) {
                    continue;
                }
                if (job.source(vertex)) {
                    emits[vertex] = perSecond(job.recordsOutPerSecond(vertex), busy(vertex))
                            .orElse(0);
                    continue;
                }
                double needed = 0;
                for (int edge = 0; edge < job.edges(); edge++) {
                    needed += job.consumer(edge) == vertex ? emits[job.producer(edge)] : 0;
                }
                double ofAll = perSecond(job.recordsInPerSecond(vertex), busy(vertex)).orElse(0);
                if (ofAll > 0) {
                    double factor = needed / ofAll;
                    int tasks = (int) Math.ceil(factor * job.current(vertex));
                    int possible = job.current(vertex) + more(job.group(vertex));
                    wanted[vertex] =
                            Math.max(job.minimum(vertex), Math.min(Math.min(job.maximum(vertex), possible), tasks));
                    emits[vertex] = perSecond(job.recordsOutPerSecond(vertex), busy(vertex))
                                    .orElse(0)
                            * factor;
                }
            }
            return wanted;
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            int[] wanted = wanted();
            for (int vertex = 0; vertex < wanted.length; vertex++) {
                if (change.parallelism(vertex) != wanted[vertex]) {
                    result.reason("waits for all slots that the rates need");
                    result.reviewAfter(REVIEW_MILLIS);
                    return;
                }
            }
            result.reason("the rates need it");
            result.accept();
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
