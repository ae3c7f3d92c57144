package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of workers and slots put together are all of them, each once, in one order. */
class ClusterDetailsAssemblyTest {

    private static final int WORKERS = 7;

    private final TestCluster cluster = new TestCluster();

    @BeforeEach
    void fill() {
        for (int i = WORKERS; i > 0; i--) {
            cluster.worker("w" + i);
        }
        cluster.declare(cluster.job("count", 1), 9, 9);
        cluster.time.advance(5_000);
    }

    private List<ClusterDetails> pages(int workers, int slots) {
        List<ClusterDetails> pages = new ArrayList<>();
        Optional<WorkerId> after = Optional.empty();
        do {
            pages.add(cluster.call(cluster.manager.clusterDetails(new ClusterQuery(after, workers, slots))));
            after = pages.get(pages.size() - 1).next();
        } while (after.isPresent());
        return pages;
    }

    @Test
    void pagesOfWorkersAreAllWorkersOnce() {
        List<ClusterDetails> pages = pages(2, 0);
        assertThat(pages).extracting(page -> page.workers().size()).containsExactly(2, 2, 2, 1);
        assertThat(pages).allMatch(page -> page.slots().isEmpty());
        assertThat(pages.stream().flatMap(page -> page.workers().stream()).map(WorkerDetails::id))
                .containsExactly("w1", "w2", "w3", "w4", "w5", "w6", "w7");
    }

    @Test
    void pagesOfSlotsAreAllSlotsOnceAndNeverDivideAWorker() {
        List<SlotDetails> all = cluster.details().slots();
        assertThat(all).hasSize(9);
        List<ClusterDetails> pages = pages(WORKERS, 3);
        assertThat(pages.stream().flatMap(page -> page.slots().stream())).containsExactlyElementsOf(all);
        assertThat(pages).extracting(page -> page.slots().size()).allMatch(size -> size <= 4);
        assertThat(pages.stream()
                        .flatMap(page ->
                                page.slots().stream().map(SlotDetails::worker).distinct())
                        .toList())
                .doesNotHaveDuplicates();
    }

    @Test
    void numbersByStateAreOfTheWholeClusterWithoutAnyOfIt() {
        ClusterDetails numbers = cluster.call(cluster.manager.clusterDetails(ClusterQuery.NUMBERS));
        assertThat(numbers.workers()).isEmpty();
        assertThat(numbers.slots()).isEmpty();
        assertThat(numbers.next()).isEmpty();
        assertThat(numbers.workerStates()).containsOnlyKeys("registered").containsEntry("registered", WORKERS);
        assertThat(numbers.slotStates().values().stream().mapToInt(each -> each).sum())
                .isEqualTo(9);
    }
}
