package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.traces.Outage;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScenarioTest {

    @Test
    void mergesOutagesOfANodeThatTouchEachOther() {
        SortedMap<String, Long> holes = new TreeMap<>();

        List<Outage> apart = Scenario.apart(
                List.of(
                        Small.outage(1, 50, 60),
                        Small.outage(0, 10, 20),
                        Small.outage(0, 15, 18),
                        Small.outage(0, 20, 30),
                        Small.outage(0, 31, 40),
                        Small.outage(1, 1, 4),
                        new Outage(2, 7_000, Outage.NEVER),
                        Small.outage(2, 9, 10)),
                5_000,
                holes);

        assertThat(apart)
                .containsExactly(
                        Small.outage(0, 10, 30),
                        Small.outage(0, 31, 40),
                        Small.outage(1, 50, 60),
                        new Outage(2, 7_000, Outage.NEVER));
        assertThat(holes)
                .containsEntry("overlapping outages of a node, merged", 3L)
                .containsEntry("outages before the first arrival, left out", 1L);
    }
}
