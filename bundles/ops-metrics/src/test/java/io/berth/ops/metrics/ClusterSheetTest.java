package io.berth.ops.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.time.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The metrics of the cluster when its ResourceManager ends and another one starts. */
class ClusterSheetTest {

    private Optional<ClusterDetails> answer = Optional.empty();
    private final Supplier<CompletionStage<ClusterDetails>> source =
            () -> answer.map(CompletableFuture::completedFuture)
                    .orElseGet(() -> CompletableFuture.failedFuture(
                            new IllegalStateException("resource-manager is not served here")));
    private final ClusterSheet cluster = new ClusterSheet(Optional.of(source), Optional.empty(), new SystemClock());

    private Exposition scrape() throws InterruptedException {
        MetricFamilies sheet = new MetricFamilies();
        cluster.write(sheet, 1_000);
        return Exposition.parse(sheet.text());
    }

    private static ClusterDetails with(int workers) {
        List<WorkerDetails> all = new ArrayList<>();
        List<SlotDetails> slots = new ArrayList<>();
        for (int number = 1; number <= workers; number++) {
            String worker = "w" + number;
            all.add(new WorkerDetails(worker, "registered", "local", "small", "", "", "", 2, 0, 0, new TreeMap<>()));
            slots.add(new SlotDetails("7-" + number, worker, "count", "all", "default", "p", "allocated", 1));
        }
        return new ClusterDetails(all, slots);
    }

    @Test
    void eachPoolHasItsNumbers() throws Exception {
        answer = Optional.of(new ClusterDetails(
                List.of(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(
                        new PoolFigures("gpu", 2, 3, 8_000, 2_048, 5_500, 1_024),
                        new PoolFigures("default", 0, 0, 0, 0, 0, 0))));
        Exposition text = scrape();
        assertThat(text.value("berth_pool_workers{pool=\"gpu\"}")).isEqualTo(2);
        assertThat(text.value("berth_pool_slots{pool=\"gpu\"}")).isEqualTo(3);
        assertThat(text.value("berth_pool_cpu_cores{pool=\"gpu\"}")).isEqualTo(8);
        assertThat(text.value("berth_pool_cpu_free_cores{pool=\"gpu\"}")).isEqualTo(5.5);
        assertThat(text.value("berth_pool_memory_bytes{pool=\"gpu\"}")).isEqualTo(2_048);
        assertThat(text.value("berth_pool_memory_free_bytes{pool=\"gpu\"}")).isEqualTo(1_024);
        assertThat(text.value("berth_pool_workers{pool=\"default\"}")).isZero();
    }

    @Test
    void c41_gaugesDisappearWhenAResourceManagerEndsAndReturnWithTheNext() throws Exception {
        answer = Optional.of(with(2));
        Exposition first = scrape();
        assertThat(first.value("berth_source_up{source=\"cluster\"}")).isEqualTo(1);
        assertThat(first.value("berth_workers{state=\"registered\"}")).isEqualTo(2);
        assertThat(first.value("berth_slots{state=\"allocated\"}")).isEqualTo(2);

        answer = Optional.empty();
        Exposition none = scrape();
        assertThat(none.value("berth_source_up{source=\"cluster\"}")).isZero();
        assertThat(none.metrics).containsOnlyKeys("berth_source_up");

        answer = Optional.of(with(1));
        Exposition next = scrape();
        assertThat(next.value("berth_source_up{source=\"cluster\"}")).isEqualTo(1);
        assertThat(next.value("berth_workers{state=\"registered\"}"))
                .as("its own, not the earlier ones")
                .isEqualTo(1);
        assertThat(next.value("berth_slots{state=\"allocated\"}")).isEqualTo(1);
    }
}
