package io.berth.ops.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.time.SystemClock;
import io.berth.spi.PolicyKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MetricFamiliesTest {

    private final FakeHost host = new FakeHost();
    private final MetricFamilies sheet = new MetricFamilies();

    private Exposition policies() {
        new PolicySheet(host, () -> host.details, host::choices, FakeHost::shadows).write(sheet);
        return Exposition.parse(sheet.text());
    }

    private static ClusterDetails cluster() {
        WorkerDetails worker =
                new WorkerDetails("w1", "registered", "local", "small", "", "", "", 2, 0, 0, new TreeMap<>());
        SlotDetails slot = new SlotDetails("a1", "w1", "j", "all", "g", "p", "allocated", 1);
        ClusterDetails details = new ClusterDetails(List.of(worker, worker), List.of(slot));
        return new ClusterDetails(
                details.workers(),
                details.slots(),
                details.next(),
                details.workerStates(),
                details.slotStates(),
                List.of(new PoolFigures("default", 2, 1, 1_000, 1_024, 500, 512)));
    }

    private Exposition everything() throws Exception {
        host.add(PolicyKind.MATCHING, "first-fit", 2);
        Optional<Supplier<CompletionStage<ClusterDetails>>> cluster =
                Optional.of(() -> CompletableFuture.completedFuture(cluster()));
        Optional<Supplier<CompletionStage<List<JobDetails>>>> jobs =
                Optional.of(() -> CompletableFuture.completedFuture(List.of()));
        new ClusterSheet(cluster, jobs, new SystemClock()).write(sheet, 1_000);
        new ProcessSheet("1.2.3").write(sheet);
        return policies();
    }

    @Test
    void exportsExactlyTheDeclaredFamilies() throws Exception {
        Exposition text = everything();
        for (Family family : Family.values()) {
            assertThat(text.metrics).containsKey(family.metric());
            Exposition.Metric metric = text.metrics.get(family.metric());
            assertThat(metric.type())
                    .as(family.metric())
                    .isEqualTo(family.type().label());
            assertThat(metric.help()).isEqualTo(family.help());
            assertThat(text.labelsOf(family.metric()))
                    .as("labels of " + family.metric())
                    .containsExactlyInAnyOrderElementsOf(family.labels());
        }
        assertThat(text.metrics).hasSize(Family.values().length);
    }

    @Test
    void theDocumentationListsTheDeclaredFamilies() throws Exception {
        List<List<String>> documented = Files.readAllLines(Path.of("..", "..", "docs", "metrics.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .map(String::strip)
                        .filter(cell -> !cell.isEmpty())
                        .toList())
                .filter(cells -> cells.size() == 4)
                .toList();
        List<List<String>> declared = new ArrayList<>();
        for (Family family : Family.values()) {
            String labels = family.labels().isEmpty()
                    ? "-"
                    : String.join(
                            " ",
                            family.labels().stream()
                                    .map(label -> "`" + label + "`")
                                    .toList());
            declared.add(List.of("`" + family.metric() + "`", family.type().label(), labels, family.help()));
        }
        assertThat(documented).containsExactlyElementsOf(declared);
    }

    @Test
    void writesTimesInSecondsWithPercentilesAndTheMaximum() {
        host.add(PolicyKind.MATCHING, "first-fit", 1);
        Exposition text = policies();
        String labels = "kind=\"matching\",policy=\"first-fit\"";
        assertThat(text.value("berth_policy_time_seconds{" + labels + ",quantile=\"0.5\"}"))
                .isEqualTo(0.005);
        assertThat(text.value("berth_policy_time_seconds{" + labels + ",quantile=\"0.999\"}"))
                .isEqualTo(0.00999);
        assertThat(text.value("berth_policy_time_seconds{" + labels + ",quantile=\"1.0\"}"))
                .isEqualTo(0.01);
        assertThat(text.value("berth_policy_time_seconds_count{" + labels + "}"))
                .isEqualTo(10);
        assertThat(text.value("berth_policy_time_seconds_sum{" + labels + "}")).isEqualTo(0.055);
        assertThat(text.value("berth_policy_call_time_seconds_count{call=\"place\"," + labels + "}"))
                .isEqualTo(10);
        assertThat(text.value("berth_policy_failures_total{call=\"place\",failure=\"not-tried\"," + labels + "}"))
                .isEqualTo(2);
        assertThat(text.value("berth_host_swaps_total{cause=\"use\",kind=\"matching\"}"))
                .isEqualTo(12);
        assertThat(text.value("berth_host_decision_time_seconds_count{pool=\"\",type=\"scaling\"}"))
                .isEqualTo(10);
    }

    @Test
    void namesOfPoliciesCannotBreakTheFormat() {
        String nasty = "a\"} 1\\n# TYPE x{\\";
        host.add(PolicyKind.MATCHING, nasty, 1);
        Exposition text = policies();
        assertThat(text.metrics.get("berth_policy_decisions_total").samples()).hasSize(1);
    }

    @Test
    void policiesWithoutFiguresOfTheirOwnAreCountedTogether() {
        host.add(PolicyKind.MATCHING, PolicyMetrics.OTHER, 0);
        FakeHost many = new FakeHost();
        for (int nth = 0; nth < 10_000; nth++) {
            many.add(PolicyKind.MATCHING, "villain-" + nth, 1);
        }
        host.details.addAll(many.details);
        Exposition text = policies();
        assertThat(text.value("berth_policy_registered{kind=\"matching\",policy=\"(other)\",state=\"deciding\"}"))
                .isEqualTo(10_000);
        assertThat(text.metrics.get("berth_policy_registered").samples()).hasSize(1);
    }

    @Test
    void countsPoliciesByState() {
        host.add(PolicyKind.MATCHING, "first-fit", 3);
        Exposition text = policies();
        String policy = "{kind=\"matching\",policy=\"first-fit\",state=";
        assertThat(text.value("berth_policy_registered" + policy + "\"deciding\"}"))
                .isEqualTo(1);
        assertThat(text.value("berth_policy_registered" + policy + "\"ready\"}"))
                .isEqualTo(2);
        assertThat(PolicySheet.state(PolicyVerdict.QUARANTINED)).isEqualTo("quarantined");
        assertThat(PolicySheet.state(PolicyVerdict.CONFIGURATION_REFUSED)).isEqualTo("refused");
        assertThat(PolicySheet.state(PolicyVerdict.CANNOT_BE_USED)).isEqualTo("unusable");
        assertThat(PolicySheet.state(PolicyVerdict.BEING_CHECKED)).isEqualTo("checking");
    }

    @Test
    void aRoleThatDoesNotAnswerDoesNotBlockAScrape() throws Exception {
        Optional<Supplier<CompletionStage<ClusterDetails>>> cluster =
                Optional.of(() -> CompletableFuture.completedFuture(cluster()));
        Optional<Supplier<CompletionStage<List<JobDetails>>>> silent = Optional.of(CompletableFuture::new);
        new ClusterSheet(cluster, silent, new SystemClock()).write(sheet, 50);
        Exposition text = Exposition.parse(sheet.text());
        assertThat(text.value("berth_source_up{source=\"cluster\"}")).isEqualTo(1);
        assertThat(text.value("berth_workers{state=\"registered\"}")).isEqualTo(2);
        assertThat(text.value("berth_workers{state=\"pending\"}")).isZero();
        assertThat(text.value("berth_source_up{source=\"jobs\"}")).isZero();
        assertThat(text.metrics).doesNotContainKey("berth_jobs");
    }
}
