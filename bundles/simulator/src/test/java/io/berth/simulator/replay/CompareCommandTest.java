package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** {@code berth policy compare} on the example of the documentation: its table, plot, messages and exit codes. */
class CompareCommandTest {

    private static final String EXAMPLES = "../../docs/examples/";
    private static final String PROMISE = "backfill:promise.after=30min";

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(List<String> arguments) {
        return ReplayCommand.compare(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int compare(String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("--jobs", EXAMPLES + "batch-jobs.csv", "--nodes", EXAMPLES + "batch-nodes.csv"));
        arguments.addAll(List.of(more));
        return run(arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** The cells of the line of a combination, without its name. */
    private List<String> cells(String policy) {
        return out().lines()
                .filter(line -> line.startsWith(policy + " "))
                .map(line -> List.of(line.substring(policy.length()).strip().split(" +")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theTableHasALineForEachCombinationAndMarksTheBest() {
        assertThat(compare("--policy", "matching=first-fit,spread", "--policy", "distribution=fifo," + PROMISE))
                .as(err())
                .isZero();

        assertThat(out())
                .startsWith("3 nodes, 43 jobs, 0 outages of nodes; arrivals over 5.8 h; matching by first-fit, spread;"
                        + " distribution by fifo, " + PROMISE)
                .containsPattern(" +wait, mean, s +wait, longest, s +slowdown, mean +Jain, users +cpu used, % +workers"
                        + " used +jobs without room +rejected")
                .contains("* best of its column");
        assertThat(out().lines().filter(line -> line.matches("(first-fit|spread)/(fifo|backfill).*")))
                .hasSize(4);
        String best = cells("first-fit/" + PROMISE).get(1);
        assertThat(best).as("the longest wait").endsWith("*");
        assertThat(seconds(best)).isLessThan(seconds(cells("first-fit/fifo").get(1)));
        assertThat(cells("first-fit/fifo").get(1)).doesNotEndWith("*");
        assertThat(cells("spread/fifo").get(7)).as("rejected").isEqualTo("0");
    }

    private static double seconds(String cell) {
        return Double.parseDouble(cell.replace(",", "").replace("*", ""));
    }

    @Test
    void aColumnInWhichAllAreEqualHasNoBest() {
        assertThat(compare("--policy", "spread")).isZero();

        assertThat(cells("spread")).noneMatch(cell -> cell.endsWith("*"));
    }

    @Test
    void jobsThatStayAreComparedByTheRoomThatTheyFind() {
        assertThat(compare("--pack", "--policy", "first-fit,spread")).isZero();

        assertThat(out()).doesNotContain("wait,").contains("cpu used, %").contains("jobs without room");
    }

    @Test
    void rejectedResultsAreCountedAndTheFallbackDecides() throws Exception {
        Path bundle = OverbookingStrategy.bundle(directory);

        assertThat(compare("--bundle", bundle.toString(), "--policy", "overbooking,first-fit", "-o", "json"))
                .as(err())
                .isZero();

        JsonNode policies = new ObjectMapper().readTree(out()).path("policies");
        JsonNode overbooking = policies.get(0).path("rejections");
        assertThat(policies.get(0).path("ended").asInt()).isEqualTo(43);
        assertThat(overbooking.path("matching").asInt()).isPositive();
        assertThat(overbooking.path("fallback").asInt())
                .isGreaterThanOrEqualTo(overbooking.path("matching").asInt());
        assertThat(overbooking.path("distribution").asInt()).isZero();
        assertThat(overbooking.path("undecided").asInt()).isZero();
        assertThat(policies.get(1).path("rejections").path("matching").asInt()).isZero();
        out.reset();

        assertThat(compare("--bundle", bundle.toString(), "--policy", "overbooking,first-fit"))
                .isZero();
        assertThat(cells("overbooking").get(7))
                .isEqualTo(overbooking.path("matching").asText());
        assertThat(out())
                .containsPattern("overbooking: \\d+ results of the matching strategy were rejected, \\d+ decisions were"
                        + " made by the fallback; the first: .*overbooking.* breaks a rule of placement");
        out.reset();

        ReplayCommand.simulate(
                List.of(
                        "--bundle",
                        bundle.toString(),
                        "--jobs",
                        EXAMPLES + "batch-jobs.csv",
                        "--nodes",
                        EXAMPLES + "batch-nodes.csv"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err);
        assertThat(out())
                .containsPattern("rejected results of policies +"
                        + overbooking.path("matching").asText() + "\\R")
                .containsPattern("decisions by fallbacks +"
                        + overbooking.path("fallback").asText() + "\\R");
    }

    @Test
    void thePlotHasABarForEachCombinationInEachPanel() throws Exception {
        Path plot = directory.resolve("compared.svg");

        assertThat(compare(
                        "--policy",
                        "first-fit,spread,pack",
                        "--policy",
                        "distribution=fifo," + PROMISE,
                        "--svg",
                        plot.toString()))
                .as(err())
                .isZero();

        Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(plot));
        List<String> bars = new ArrayList<>();
        NodeList all = svg.getElementsByTagName("rect");
        for (int nth = 0; nth < all.getLength(); nth++) {
            if (all.item(nth) instanceof Element bar
                    && bar.getAttribute("class").startsWith("bar")) {
                bars.add(bar.getTextContent());
            }
        }
        assertThat(bars.stream().filter(bar -> bar.contains("wait, longest")))
                .hasSize(6)
                .doesNotHaveDuplicates();
        assertThat(bars).as("6 panels").hasSize(36).noneMatch(bar -> bar.contains("jobs without room"));
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("pack/" + PROMISE)
                .contains("seconds", "times the run time", "% of all cpu", "workers")
                .contains("prefers-color-scheme: dark");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--jobs a.csv | option --nodes is missing: a replay needs --nodes FILE and --jobs FILE",
                "--nodes a --jobs b --policy matching=best-fit | option --policy has 'best-fit': allowed matching strategies are first-fit,",
                "--nodes a --jobs b --policy distribution=lifo | option --policy has 'lifo': allowed distribution policies are fifo,",
                "--nodes a --jobs b --policy distribution=backfill:sort=x | unknown key sort; known are order",
                "--nodes a --jobs b --policy distribution=backfill:order=x | order is 'x': one of submission, shortest-first is allowed",
                "--nodes a --jobs b --policy scaling=steps | option --policy is 'scaling=steps': allowed are matching=LIST, distribution=LIST",
                "--nodes a --jobs b --policy distribution=drf --policy distribution=fifo | option --policy is given twice for distribution",
                "--nodes a --jobs b --svg x.png | option --svg is 'x.png': allowed is the name of a file that ends in .svg",
                "--nodes a --jobs b --svg nowhere/x.svg | option --svg is 'nowhere/x.svg': directory",
                "--nodes a --jobs b --plot x.svg | option '--plot' does not go with a replay of a trace: allowed are --nodes,",
                "--nodes a --jobs b --seeds 3 | option '--seeds' does not go with a replay of a trace",
            })
    void badInputExitsWithTwoAndSaysWhatIsAllowed(String arguments, String message) {
        assertThat(run(List.of(arguments.split(" ")))).isEqualTo(2);

        assertThat(err()).startsWith("berth: ").contains(message).contains("'berth policy compare --help'");
        assertThat(out()).isEmpty();
    }
}
