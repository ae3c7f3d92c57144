package io.berth.worker.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ResourceProfile;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkerSettingsTest {

    private final Map<String, String> properties = new TreeMap<>(Map.of(
            "berth.worker.id", "w-1",
            "berth.worker.master", "127.0.0.1:7077",
            "berth.worker.cpu.millis", "2000",
            "berth.worker.heap.bytes", "1024",
            "berth.worker.work", "/tmp/w"));

    private WorkerSettings read() {
        return WorkerSettings.read(properties::get);
    }

    @Test
    void theTotalHasEverythingThatTheWorkerOffers() {
        assertThat(read().total()).isEqualTo(ResourceProfile.of(2_000, 1_024));

        properties.put("berth.worker.off.heap.bytes", "512");
        properties.put("berth.worker.managed.bytes", "256");
        properties.put("berth.worker.resources", "a=b=3\ngpu=4");

        assertThat(read().total())
                .isEqualTo(new ResourceProfile(2_000, 1_024, 512, 256, new TreeMap<>(Map.of("a=b", 3L, "gpu", 4L))));
    }

    @Test
    void aCostIsAFiniteNumberThatIsNotNegative() {
        assertThat(read().costPerHour()).isZero();
        properties.put("berth.worker.cost.per.hour", "0.25");
        assertThat(read().costPerHour()).isEqualTo(0.25);
        for (String bad : new String[] {"-1", "NaN", "Infinity", "1000001"}) {
            properties.put("berth.worker.cost.per.hour", bad);
            assertThatThrownBy(this::read).hasMessageMatching("cost per hour is .*: allowed is 0 to 1000000");
        }
        properties.put("berth.worker.cost.per.hour", "much");
        assertThatThrownBy(this::read)
                .hasMessageContaining("berth.worker.cost.per.hour is 'much': allowed is a number");
    }

    @Test
    void aResourceWithoutAnAmountIsRefused() {
        properties.put("berth.worker.resources", "gpu");
        assertThatThrownBy(this::read).hasMessage("resource 'gpu': allowed is name=amount");
        properties.put("berth.worker.resources", "gpu=many");
        assertThatThrownBy(this::read).hasMessageContaining("berth.worker.resources is 'many'");
    }
}
