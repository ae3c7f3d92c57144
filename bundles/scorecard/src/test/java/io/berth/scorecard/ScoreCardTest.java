package io.berth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Meter;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.distribution.DistributionChecks;
import io.berth.scorecard.matching.MatchingChecks;
import io.berth.scorecard.planted.WrongDistributions;
import io.berth.scorecard.planted.WrongScalings;
import io.berth.scorecard.scaling.ScalingChecks;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.ScalingPolicyContract;
import io.berth.testkit.rules.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth policy test}, on bundles that this build made. */
class ScoreCardTest {

    private static final String FIFO = "../distribution-fifo/target/berth-distribution-fifo.jar";
    private static final String REACTIVE = "../scaling-reactive/target/berth-scaling-reactive.jar";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ScoreCard.run(print(out), print(err), arguments);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aPolicyThatLosesPointsSaysWhyAndHowToRepeatIt() throws IOException {
        assertThat(run(FIFO, "--seed", "3", "--seeds", "2", "--quick", "-o", "json"))
                .isEqualTo(1);

        JsonNode card = new ObjectMapper().readTree(out()).get(0);
        assertThat(card.get("policy").asText()).isEqualTo("fifo");
        assertThat(card.get("kind").asText()).isEqualTo("distribution");
        int points = 0;
        int of = 0;
        for (JsonNode check : card.get("checks")) {
            points += check.get("points").asInt();
            of += check.get("of").asInt();
            assertThat(check.has("reason"))
                    .isEqualTo(check.get("points").asInt() < check.get("of").asInt());
        }
        assertThat(card.get("points").asInt()).isEqualTo(points).isLessThan(of);
        assertThat(card.get("of").asInt()).isEqualTo(of);
        JsonNode starving = find(card, "startsLargeUnitsAmongSmallOnes");
        assertThat(starving.get("section").asText()).isEqualTo("starvation");
        assertThat(starving.get("points").asInt()).isZero();
        assertThat(starving.get("seed").asInt()).isEqualTo(3);
        assertThat(starving.get("repeat").asText())
                .isEqualTo("berth policy test " + FIFO + " --policy fifo --seed 3 --seeds 1 --quick");
        assertThat(err()).contains("fifo: starvation, startsLargeUnitsAmongSmallOnes");
    }

    private static JsonNode find(JsonNode card, String name) {
        for (JsonNode check : card.get("checks")) {
            if (check.get("check").asText().equals(name)) {
                return check;
            }
        }
        throw new AssertionError("no check " + name);
    }

    @Test
    void theTableShowsEachCheckAndTheSum() {
        run(REACTIVE, "--seeds", "3", "--quick");

        assertThat(out())
                .startsWith("scaling reactive (io.berth.scaling.reactive)")
                .contains("settlesOnAConstantLoad")
                .contains("100: ")
                .containsPattern("total +\\d+ of 42 points");
    }

    @Test
    void badInputIsNamed() {
        assertThat(run("pom.xml")).isEqualTo(2);
        assertThat(err()).contains("parameter JAR is 'pom.xml': it cannot be read as a jar");
        assertThat(run()).isEqualTo(2);
        assertThat(err()).contains("JAR");
        assertThat(run(FIFO, "--policy", "lifo")).isEqualTo(2);
        assertThat(err()).contains("option --policy is 'lifo': the jar has fifo");
        assertThat(run(FIFO, "--seeds", "0")).isEqualTo(2);
        assertThat(err()).contains("option --seeds is 0: 1 to 100000 is allowed");
    }

    @Test
    void aTraceMayBeGiven() throws IOException {
        Path nodes = Files.writeString(folder.resolve("nodes.csv"), "name,count,cpu,memory_mib\nnode,1,2,1024\n");
        Path jobs = Files.writeString(
                folder.resolve("jobs.csv"),
                "name,arrival_s,run_s,expected_s,slots,cpu,memory_mib,user\n"
                        + "a,0,100,100,2,1,512,ann\nb,10,100,100,2,1,512,bob\n");
        run(FIFO, "--nodes", nodes.toString(), "--jobs", jobs.toString(), "--seeds", "1", "--quick", "-o", "json");

        JsonNode card = new ObjectMapper().readTree(out()).get(0);
        JsonNode starts = find(card, "startsEachJobOfATrace");
        assertThat(starts.get("section").asText()).isEqualTo("trace");
        assertThat(starts.get("figure").asText()).startsWith("2 jobs: wait 45 s in the mean, 90 s at most");
        assertThat(find(card, "startsLargeUnitsAmongSmallOnes").get("repeat").asText())
                .endsWith(" --nodes " + nodes + " --jobs " + jobs + " --quick");
    }

    @Test
    void aTraceHasNodesAndJobs() {
        assertThat(run(FIFO, "--nodes", "../../docs/examples/batch-nodes.csv")).isEqualTo(2);
        assertThat(err()).contains("option --nodes is given alone: a trace has both, --nodes and --jobs");
        assertThat(run(FIFO, "--nodes", "none.csv", "--jobs", "none.csv")).isEqualTo(2);
        assertThat(err()).contains("none.csv");
    }

    @Test
    void aMeterOfAThreadCountsWhatItUses() {
        Meter meter = Meter.ofThread();
        long bytes = meter.bytes();
        List<byte[]> kept = List.of(new byte[1 << 20]);
        assertThat(meter.bytes() - bytes).isGreaterThanOrEqualTo(kept.get(0).length);
        long nanos = meter.nanos();
        long spun = 0;
        while (spun < 1_000_000_000 && meter.nanos() - nanos < 1_000_000) {
            spun++;
        }
        assertThat(meter.nanos() - nanos).isGreaterThanOrEqualTo(1_000_000);
    }

    /** What a contract demands is on the card too. */
    @Test
    void eachTestOfAContractIsACheck() {
        Settings settings = new Settings(new Seeds(0, 1), List.of(100), Meter.ofThread(), Optional.empty());
        assertChecks(MatchingStrategyContract.class, MatchingChecks.of(new FirstFitFactory(), settings));
        assertChecks(DistributionPolicyContract.class, DistributionChecks.of(WrongDistributions.right(), settings));
        assertChecks(ScalingPolicyContract.class, ScalingChecks.of(WrongScalings.right(), settings));
    }

    private static void assertChecks(Class<?> contract, List<Check> checks) {
        List<String> tests = Arrays.stream(contract.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(Method::getName)
                .toList();
        assertThat(tests).isNotEmpty();
        assertThat(checks).extracting(Check::name).containsAll(tests).doesNotHaveDuplicates();
        assertThat(checks).extracting(Check::what).doesNotHaveDuplicates();
    }
}
