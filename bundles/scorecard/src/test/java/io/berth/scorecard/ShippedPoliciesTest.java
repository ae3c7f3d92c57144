package io.berth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scorecard.check.Judge;
import io.berth.scorecard.check.Mark;
import io.berth.scorecard.check.Meter;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.trace.ExampleTrace;
import io.berth.simulator.policies.ShippedPolicies;
import io.berth.simulator.policies.ShippedPolicies.Shipped;
import io.berth.testkit.rules.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The policies of this release get all points, but for those that docs/score-card.md explains. */
class ShippedPoliciesTest {

    private static final Path PAGE = Path.of("../../docs/score-card.md");
    private static final Pattern ROW =
            Pattern.compile("\\| `([a-z-]+)` +\\| (?:matching|distribution|scaling) +\\|(.*)\\|");
    private static final Pattern CHECK = Pattern.compile("`(\\w+)`");
    /** It depends on what else this machine does. */
    private static final String TIME = "time";

    private static final long MILLIS = 300_000;

    /** By policy: the checks in which it loses points. */
    private static SortedMap<String, SortedSet<String>> documented() throws IOException {
        SortedMap<String, SortedSet<String>> rows = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                SortedSet<String> checks = new TreeSet<>();
                CHECK.matcher(row.group(2))
                        .results()
                        .map(found -> found.group(1))
                        .forEach(checks::add);
                rows.put(row.group(1), checks);
            }
        }
        return rows;
    }

    static Stream<String> policies() {
        return ShippedPolicies.all().stream().map(shipped -> Grading.name(shipped.factory()));
    }

    @Test
    void thePageHasARowForEachPolicy() throws IOException {
        assertThat(documented().keySet())
                .containsExactlyInAnyOrderElementsOf(policies().toList());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void losesOnlyThePointsThatThePageExplains(String name) throws IOException {
        Shipped<?> policy = ShippedPolicies.all().stream()
                .filter(shipped -> Grading.name(shipped.factory()).equals(name))
                .findFirst()
                .orElseThrow();
        Settings settings = new Settings(
                new Seeds(0, 20), List.of(100, 1_000, 10_000), Meter.ofThread(), Optional.of(ExampleTrace.read()));
        List<Mark> marks = new Grading(settings, new Judge(MILLIS), line -> {})
                .card(policy.bundle(), policy.factory())
                .marks();
        SortedSet<String> explained = new TreeSet<>(documented().getOrDefault(name, new TreeSet<>()));
        explained.remove(TIME);
        assertThat(marks.stream()
                        .filter(mark -> !mark.full() && !mark.check().name().equals(TIME))
                        .map(mark -> mark.check().name()))
                .as("%s", marks.stream().filter(mark -> !mark.full()).toList())
                .containsExactlyInAnyOrderElementsOf(explained);
    }
}
