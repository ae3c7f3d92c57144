package io.berth.policy.support.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.scaling.EdgeKind;
import io.berth.testkit.ArrayJobView;
import org.junit.jupiter.api.Test;

class ForwardVerticesTest {

    /** 0 and 3 are connected through 2, in an order of edges that needs a second look; 1 is alone. */
    private final ArrayJobView job = new ArrayJobView(1)
            .vertex(0, 1, 1, 9)
            .vertex(0, 1, 1, 20)
            .vertex(0, 2, 2, 12)
            .vertex(0, 1, 1, 7)
            .edge(2, 3, EdgeKind.FORWARD)
            .edge(0, 2, EdgeKind.FORWARD)
            .edge(0, 1, EdgeKind.HASH);

    private final ForwardVertices forward = new ForwardVertices(job);

    @Test
    void boundsOfOneVertexBindAllThatAreConnectedWithIt() {
        assertThat(forward.minimum(0)).isEqualTo(2);
        assertThat(forward.maximum(2)).isEqualTo(7);
        assertThat(forward.minimum(1)).isEqualTo(1);
        assertThat(forward.maximum(1)).isEqualTo(20);
        assertThat(forward.within(0, 1)).isEqualTo(2);
        assertThat(forward.within(3, Long.MAX_VALUE)).isEqualTo(7);
    }

    @Test
    void connectedVerticesGetTheLargestOfTheirNumbers() {
        int[] parallelism = {3, 15, 2, 5};
        forward.level(parallelism);
        assertThat(parallelism).containsExactly(5, 15, 5, 5);
    }

    @Test
    void theLargestNumberIsCutToTheCommonBounds() {
        int[] parallelism = {9, 1, 2, 1};
        forward.level(parallelism);
        assertThat(parallelism).containsExactly(7, 1, 7, 7);
    }
}
