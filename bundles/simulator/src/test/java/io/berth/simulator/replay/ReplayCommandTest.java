package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

/** What the command line accepts, prints and draws, and its exit codes. */
class ReplayCommandTest {

    private static final String TRACES = "src/test/traces/";

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ReplayCommand.simulate(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int replay(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--nodes", TRACES + "nodes.csv", "--jobs", TRACES + "jobs.csv"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void policiesStandSideBySide() {
        assertThat(replay("--policy", "first-fit,spread", "--outages", TRACES + "outages.csv"))
                .isZero();

        assertThat(out())
                .startsWith("3 nodes, 4 jobs, 2 outages of nodes; arrivals over 0.1 h; matching by first-fit, spread; "
                        + "distribution by fifo")
                .contains("jobs (own): 1 jobs without run time: they hold their slots to the end")
                .contains("outages (own): 1 outages without end: the node does not come back");
        assertThat(out().lines().filter(line -> line.startsWith("  ")))
                .first()
                .asString()
                .matches(" +first-fit +spread");
        assertThat(out().lines().filter(line -> line.matches("restarts +\\d+ +\\d+")))
                .hasSize(1);
        assertThat(out().lines().filter(line -> line.matches("jobs too large for the cluster +1 +1")))
                .hasSize(1);
        assertThat(out().lines().filter(line -> line.matches("stranded, gpu, % +[0-9.]+ +[0-9.]+")))
                .hasSize(1);
        assertThat(err()).isEmpty();
    }

    @Test
    void theStrategyOfABundleIsReplayedAndOthersBesideIt() {
        Path bundle = Path.of("..", "matching-spread", "target", "berth-matching-spread.jar");

        assertThat(replay("--bundle", bundle.toString())).as(err()).isZero();
        assertThat(out().lines().filter(line -> line.startsWith("  ")))
                .first()
                .asString()
                .matches(" +spread");
        out.reset();

        assertThat(replay("--bundle=" + bundle, "--policy", "first-fit,spread")).isZero();
        assertThat(out().lines().filter(line -> line.startsWith("  ")))
                .first()
                .asString()
                .matches(" +first-fit +spread");
    }

    @Test
    void theDistributionPolicyOfABundleIsReplayed() {
        Path bundle = Path.of("..", "distribution-backfill", "target", "berth-distribution-backfill.jar");

        assertThat(replay("--bundle", bundle.toString())).as(err()).isZero();
        assertThat(out()).contains("matching by first-fit; distribution by backfill");
        out.reset();

        assertThat(replay("--bundle", bundle.toString(), "--policy", "distribution=fifo"))
                .isZero();
        assertThat(out()).contains("distribution by fifo");
    }

    @Test
    void eachStrategyIsReplayedUnderEachDistributionPolicy() throws Exception {
        assertThat(replay(
                        "--policy",
                        "first-fit,spread",
                        "--policy",
                        "distribution=fifo,backfill:promise.after=1 h",
                        "-o",
                        "json"))
                .as(err())
                .isZero();

        JsonNode json = new ObjectMapper().readTree(out());
        assertThat(json.path("distribution").asText()).isEqualTo("fifo, backfill:promise.after=1 h");
        assertThat(json.path("policies"))
                .extracting(one -> one.path("policy").asText())
                .containsExactly(
                        "first-fit/fifo",
                        "spread/fifo",
                        "first-fit/backfill:promise.after=1 h",
                        "spread/backfill:promise.after=1 h");
        assertThat(json.path("policies").get(3).path("matching").asText()).isEqualTo("spread");
    }

    @Test
    void distributionPoliciesStandSideBySideByName() {
        assertThat(replay("--policy", "distribution=fifo,backfill")).isZero();

        assertThat(out().lines().filter(line -> line.startsWith("  ")))
                .first()
                .asString()
                .matches(" +fifo +backfill");
    }

    @Test
    void policiesOfBothKindsAreGivenByOneOption() {
        assertThat(replay("--policy", "matching=spread", "--policy", "distribution=drf,capacity", "--quiet"))
                .as(err())
                .isZero();

        assertThat(out().lines().filter(line -> line.startsWith("  ")))
                .first()
                .asString()
                .matches(" +drf +capacity");
        assertThat(err()).isEmpty();
    }

    @Test
    void eachPolicyThatDecidesAboutSlotsReplaysTheTrace() {
        assertThat(replay(
                        "--policy",
                        "pack,balanced,optimal,gale-shapley,rebalance",
                        "--policy",
                        "distribution=backfill,capacity,drf,fair-share,priority"))
                .as(err())
                .isZero();

        assertThat(out().lines().filter(line -> line.matches("jobs that began( +3){25}")))
                .hasSize(1);
    }

    @Test
    void thePoolFileGivesQueues() throws Exception {
        Path pool = Files.writeString(
                directory.resolve("pool.cfg"), "queue.night.weight = 3\nqueue.day.weight = 1\nusage.half.life = 7d\n");
        assertThat(replay("--pool", pool.toString())).as(err()).isZero();

        Files.writeString(pool, "queue.night.weight = heavy\n");
        assertThat(replay("--pool", pool.toString())).isEqualTo(2);
        assertThat(err()).contains("option --pool is '" + pool + "'").contains("heavy");
    }

    @Test
    void printsResultsAsJson() throws Exception {
        assertThat(replay("--policy=spread", "-o", "json")).isZero();

        JsonNode json = new ObjectMapper().readTree(out());
        assertThat(json.path("nodes").asInt()).isEqualTo(3);
        assertThat(json.path("formats").path("jobs").asText()).isEqualTo("own");
        assertThat(json.path("holes").path("jobs").size()).isEqualTo(2);
        JsonNode policy = json.path("policies").get(0);
        assertThat(policy.path("policy").asText()).isEqualTo("spread");
        assertThat(policy.path("begun").asInt()).isEqualTo(3);
        assertThat(policy.path("ended").asInt()).isEqualTo(2);
        assertThat(policy.path("tooLarge").asInt()).isEqualTo(1);
        assertThat(policy.path("waitMean").isNumber()).isTrue();
        assertThat(policy.path("jainUsers").isNumber()).isTrue();
        assertThat(policy.path("utilization").path("gpu").isNumber()).isTrue();
        assertThat(policy.path("series")).hasSize(200);
    }

    @Test
    void leavesUnknownValuesOutOfTheJson() throws Exception {
        assertThat(run("--nodes", TRACES + "nodes.csv", "--jobs", TRACES + "sample.tsv", "-o", "json"))
                .isZero();

        JsonNode policy = new ObjectMapper().readTree(out()).path("policies").get(0);
        assertThat(policy.has("jainUsers")).isFalse();
        assertThat(policy.has("jainQueues")).isFalse();
        assertThat(policy.has("waitMean")).isTrue();
    }

    @Test
    void thePlotHasALineForEachPolicyInThreePanels() throws Exception {
        Path plot = directory.resolve("plot.svg");

        assertThat(replay("--policy", "first-fit,spread", "--plot", plot.toString()))
                .isZero();

        Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(plot));
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(6);
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("utilization of cpu, %", "jobs that wait", "workers used", "first-fit", "spread");
    }

    @Test
    void packedJobsStay() {
        assertThat(replay("--pack")).isZero();

        assertThat(out())
                .contains("jobs that ended                               0")
                .containsPattern("used at the last arrival, cpu, % +\\d");
    }

    @Test
    void startsWorkersOfSpecs() {
        assertThat(replay("--worker-start", "20", "--worker-idle", "500")).isZero();

        assertThat(out()).containsPattern("waiting time, longest, s +20\\.0");
    }

    @Test
    void limitsTheNumberOfJobs() {
        assertThat(replay("--limit", "2")).isZero();

        assertThat(out()).startsWith("3 nodes, 2 jobs,");
    }

    @Test
    void badTracesExitWithTwoAndNameFileLineAndColumn() throws Exception {
        Path jobs = Files.writeString(
                directory.resolve("jobs.csv"), "name,arrival_s,run_s,slots,cpu,memory_mib\na,0,1,x,1,1\n");

        assertThat(run("--nodes", TRACES + "nodes.csv", "--jobs", jobs.toString()))
                .isEqualTo(2);
        assertThat(err())
                .isEqualTo("berth: " + jobs + ":2:7: field slots is 'x': allowed is a whole number from 1 to"
                        + " 1000000" + System.lineSeparator());
        assertThat(out()).isEmpty();
    }

    @Test
    void nodesWithTooManyResourcesExitWithTwoAndNameTheLine() throws Exception {
        String names = IntStream.range(0, 33)
                .mapToObj(number -> ",resource.r" + number)
                .collect(Collectors.joining());
        Path nodes = Files.writeString(
                directory.resolve("nodes.csv"), "name,cpu,memory_mib" + names + "\nn,1,1" + ",1".repeat(33) + "\n");

        assertThat(run("--nodes", nodes.toString(), "--jobs", TRACES + "jobs.csv"))
                .isEqualTo(2);
        assertThat(err()).startsWith("berth: " + nodes + ":2:71: field resource.r32 is '1'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes a.csv | option --jobs is missing: a replay needs --nodes FILE and --jobs FILE",
                "--jobs a.csv | option --nodes is missing",
                "--nodes a --jobs b --seeds 3 | option '--seeds' does not go with a replay of a trace: allowed are --nodes,",
                "--nodes a --jobs b --faults none | option '--faults' does not go with a replay",
                "--nodes a --jobs b --policy best-fit | option --policy has 'best-fit': allowed matching strategies are first-fit, spread, pack, balanced, optimal, gale-shapley, rebalance, each",
                "--nodes a --jobs b --policy spread,spread | option --policy is 'matching=spread,spread': allowed is a list without duplicates",
                "--nodes a --jobs b --policy distribution=lifo | option --policy has 'lifo': allowed distribution policies are fifo, backfill, capacity, drf, fair-share, priority, each",
                "--nodes a --jobs b --policy distribution=fifo,fifo | option --policy is 'distribution=fifo,fifo': allowed is a list without",
                "--nodes a --jobs b --policy distribution=backfill:order | 'order' is no parameter: allowed is KEY=VALUE",
                "--nodes a --jobs b --policy distribution=backfill:sort=x | option --policy has 'backfill:sort=x': unknown key sort; known are order",
                "--nodes a --jobs b --policy distribution=backfill:order=x | order is 'x': one of submission, shortest-first is allowed",
                "--nodes a --jobs b --policy distribution=backfill:depth=1:depth=2 | key depth is given twice",
                "--nodes a --jobs b --policy spread:a=1 | option --policy has 'spread:a=1': unknown key a",
                "--nodes a --jobs b --policy scaling=steps | option --policy is 'scaling=steps': allowed are matching=LIST, distribution=LIST",
                "--nodes a --jobs b --policy spread --policy matching=pack | option --policy is given twice for matching",
                "--nodes a --jobs b --distribution fifo | option '--distribution' does not go with a replay of a trace: allowed are --nodes,",
                "--nodes a --jobs b --pool none.cfg | option --pool is 'none.cfg': allowed is the file of a pool",
                "--nodes a --jobs b --plot x.png | option --plot is 'x.png': allowed is the name of a file that ends in .svg",
                "--nodes a --jobs b --limit 0 | option --limit is '0': allowed is a whole number from 1 to",
                "--nodes a --jobs b --slot-cpus x | option --slot-cpus is 'x': allowed is a whole number from 1 to",
                "--nodes a --jobs b --jobs-format csv | option --jobs-format is 'csv': allowed are auto, own, openb, swf, swim",
                "--nodes a --jobs b --outages-system 20 | option --outages-system is given without --outages",
                "--nodes a --jobs b --pack --outages c | options --pack and --outages are given",
                "--nodes a --jobs b --pack=yes | option --pack has a value",
                "--nodes a --jobs b --worker-idle 5 | option --worker-idle is given without --worker-start",
                "--nodes a --jobs b --worker-start 5 --outages c | options --worker-start and --outages are given",
                "--nodes a --jobs b --worker-start x | option --worker-start is 'x': allowed is a whole number from 0 to 50000",
                "--nodes a --nodes b --jobs c | option --nodes is given twice",
                "--nodes= --jobs c | option --nodes is empty",
                "--jobs c --nodes | option --nodes has no value",
                "--nodes a --jobs b -o xml | option -o is 'xml': allowed are table, json",
                "--nodes a --jobs b -o json --output-format json | options -o and --output-format are given",
            })
    void wrongCombinationsAreRefused(String arguments, String message) {
        assertThatThrownBy(() -> ReplayOptions.read(List.of(arguments.split(" ")), "--plot"))
                .hasMessageContaining(message);

        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err()).startsWith("berth: ").contains(message).contains("'berth simulate --help'");
    }

    @Test
    void optionsAndTracesMustFitTogether() {
        assertThat(replay("--slot-cpus", "4")).isEqualTo(2);
        assertThat(err()).contains("option --slot-cpus is given").contains("allowed with format swf");

        assertThat(replay("--outages", TRACES + "lanl.csv")).isEqualTo(2);
        assertThat(err()).contains("option --outages-system is not given");

        assertThat(replay("--plot", directory.resolve("none/x.svg").toString())).isEqualTo(2);
        assertThat(err()).contains("does not exist; create it first");
    }

    @Test
    void aNumberOfJobsAloneDoesNotRequestAReplay() {
        assertThat(ReplayCommand.asked(List.of("--jobs", "3", "--seeds", "2"))).isFalse();
        assertThat(ReplayCommand.asked(List.of("--jobs=3"))).isFalse();
        assertThat(ReplayCommand.asked(List.of("--jobs"))).isFalse();
        assertThat(ReplayCommand.asked(List.of("--jobs", "log.swf"))).isTrue();
        assertThat(ReplayCommand.asked(List.of("--jobs=log.swf"))).isTrue();
        assertThat(ReplayCommand.asked(List.of("--seeds", "2", "--plot", "x.svg")))
                .isTrue();
    }
}
