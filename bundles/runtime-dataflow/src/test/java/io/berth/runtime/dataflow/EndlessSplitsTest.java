package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.StreamOperator;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A split that does not end must not keep its task from another one that it holds. */
@Timeout(120)
class EndlessSplitsTest {

    private static final int LANES = 3;

    private final CountDownLatch all = new CountDownLatch(LANES);
    private final Set<Long> seen = new ConcurrentSkipListSet<>();

    private final class Lanes implements OperatorFactory<Long, Void> {
        @Override
        public StreamOperator create(Configuration configuration) {
            return (Sink<Long>) number -> {
                if (seen.add(number % LANES)) {
                    all.countDown();
                }
            };
        }
    }

    @Test
    void eachSubtaskOfAnEndlessGeneratorReadsItsLane() throws Exception {
        try (MiniCluster cluster = new MiniCluster(1, ExchangeSettings.of(RuntimeSettings.DEFAULTS))) {
            cluster.factories.put("lanes", new Lanes());
            MiniCluster.Job job = cluster.submit(
                    "endless",
                    List.of(
                            new Chain(
                                    List.of(operator("numbers", "generator", Map.of("rate", "3000"))),
                                    LANES,
                                    Partitioning.FORWARD),
                            new Chain(List.of(operator("lanes", "lanes", Map.of())), 1, Partitioning.REBALANCE)));
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("remainders that came: %s", seen)
                    .isTrue();
            job.cancel();
            assertThat(job.outcomes()).noneMatch(Outcome.Finished.class::isInstance);
        }
    }
}
