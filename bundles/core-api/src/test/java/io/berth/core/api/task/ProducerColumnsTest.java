package io.berth.core.api.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.spi.JobId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProducerColumnsTest {

    private static final JobId JOB = new JobId("words");

    private static Producer producer(String chain, int subtask, long execution, int restart, int edge) {
        return new Producer(
                new PartitionId(new AttemptId(JOB, chain, subtask, 7, execution, restart), edge),
                "host:" + subtask / 2);
    }

    @Test
    void theRowsAreTheProducers() {
        List<Producer> producers = List.of(
                producer("lines", 0, 3, 0, 4),
                producer("lines", 1, 3, 2, 4),
                producer("lines", 2, 3, 0, 4),
                producer("lines", 3, 3, 1, 4));
        ProducerColumns columns = ProducerColumns.of(producers).orElseThrow();

        assertThat(columns.rows()).isEqualTo(producers);
        assertThat(columns.dataAddresses()).containsExactly("host:0", "host:1");
        assertThat(ProducerColumns.behind(columns.rows())).containsSame(columns);
        assertThat(ProducerColumns.behind(producers)).isEmpty();
    }

    @Test
    void producersOfDifferentKindsHaveNoColumns() {
        Producer first = producer("lines", 0, 3, 0, 4);
        assertThat(ProducerColumns.of(List.of())).isEmpty();
        assertThat(ProducerColumns.of(List.of(producer("lines", 1, 3, 0, 4)))).isEmpty();
        for (Producer second : List.of(
                producer("words", 1, 3, 0, 4),
                producer("lines", 2, 3, 0, 4),
                producer("lines", 1, 4, 0, 4),
                producer("lines", 1, 3, 0, 5))) {
            assertThat(ProducerColumns.of(List.of(first, second))).isEmpty();
        }
    }

    @Test
    void aProducerWithoutAnAddressIsRefused() {
        for (int address : new int[] {-1, 1}) {
            assertThatThrownBy(() -> columns(List.of(0), List.of(address)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a producer of edge 4 has data address number " + address
                            + ": allowed is a number from 0 to 0");
        }
        assertThatThrownBy(() -> columns(List.of(0, 0), List.of(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have 2 restarts and 1 addresses");
    }

    private static ProducerColumns columns(List<Integer> restarts, List<Integer> addresses) {
        return new ProducerColumns(JOB, "lines", 7, 3, 4, restarts, List.of("host:0"), addresses);
    }
}
