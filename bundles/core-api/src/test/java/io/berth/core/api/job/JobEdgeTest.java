package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.Partitioning;
import org.junit.jupiter.api.Test;

class JobEdgeTest {

    @Test
    void anEdgeFromBeforeThereWereInputsLeadsToTheFirstOne() {
        JobEdge edge = new JobEdge("a", "b", Partitioning.HASH, Exchange.PIPELINED, 0, "");
        assertThat(edge.input()).isEqualTo(1);
        assertThat(edge.isMain()).isTrue();
        assertThat(edge).isEqualTo(new JobEdge("a", "b", Partitioning.HASH));
    }
}
