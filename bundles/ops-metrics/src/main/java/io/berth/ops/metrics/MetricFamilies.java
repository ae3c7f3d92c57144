package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyMetrics.Times;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The samples of one scrape. Confined to the thread that answers it. */
final class MetricFamilies {

    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final double NANOS = 1e9;

    private final Map<Family, List<CounterDataPointSnapshot>> counters = new EnumMap<>(Family.class);
    private final Map<Family, List<GaugeDataPointSnapshot>> gauges = new EnumMap<>(Family.class);
    private final Map<Family, List<SummaryDataPointSnapshot>> summaries = new EnumMap<>(Family.class);

    /** @param values of the labels of the family, in their order */
    void count(Family family, double value, String... values) {
        counters.computeIfAbsent(family, key -> new ArrayList<>())
                .add(new CounterDataPointSnapshot(value, labels(family, values), null, 0));
    }

    void gauge(Family family, double value, String... values) {
        gauges.computeIfAbsent(family, key -> new ArrayList<>())
                .add(new GaugeDataPointSnapshot(value, labels(family, values), null));
    }

    void times(Family family, Times times, String... values) {
        Quantiles quantiles = times.count() == 0
                ? Quantiles.EMPTY
                : Quantiles.of(
                        new Quantile(0.5, times.p50Nanos() / NANOS),
                        new Quantile(0.9, times.p90Nanos() / NANOS),
                        new Quantile(0.99, times.p99Nanos() / NANOS),
                        new Quantile(0.999, times.p999Nanos() / NANOS),
                        new Quantile(1, times.maxNanos() / NANOS));
        summary(family, times.count(), times.sumNanos() / NANOS, quantiles, values);
    }

    void total(Family family, long count, double seconds, String... values) {
        summary(family, count, seconds, Quantiles.EMPTY, values);
    }

    private void summary(Family family, long count, double sum, Quantiles quantiles, String... values) {
        summaries
                .computeIfAbsent(family, key -> new ArrayList<>())
                .add(SummaryDataPointSnapshot.builder()
                        .count(count)
                        .sum(sum)
                        .quantiles(quantiles)
                        .labels(labels(family, values))
                        .build());
    }

    private static Labels labels(Family family, String... values) {
        return Labels.of(family.labels(), List.of(values));
    }

    /** In the text format of Prometheus, version 0.0.4, UTF-8. */
    byte[] text() {
        List<MetricSnapshot> all = new ArrayList<>();
        for (Family family : Family.values()) {
            if (counters.containsKey(family)) {
                String name = family.metric().replaceFirst("_total$", "");
                all.add(new CounterSnapshot(new MetricMetadata(name, family.help()), counters.get(family)));
            } else if (gauges.containsKey(family)) {
                all.add(new GaugeSnapshot(metadata(family), gauges.get(family)));
            } else if (summaries.containsKey(family)) {
                all.add(new SummarySnapshot(metadata(family), summaries.get(family)));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(bytes, new MetricSnapshots(all));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static MetricMetadata metadata(Family family) {
        return new MetricMetadata(family.metric(), family.help());
    }
}
