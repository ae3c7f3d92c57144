package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The verdicts of the comparison, on figures that commands in the place of {@code ./berth} print at once. */
public class DecisionComparisonIT {

    private static final Path COMPARISON = Path.of("..", "itests", "benchmarks", "DecisionComparison.java")
            .toAbsolutePath()
            .normalize();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path now;
    private Path earlier;

    @Before
    public void makeFolders() throws IOException {
        now = folder.newFolder("now").toPath();
        earlier = folder.newFolder("earlier").toPath();
    }

    /** @param cases of a shell, which set the nanoseconds by the arguments and by the number of the call */
    private static void berth(Path home, String cases) throws IOException {
        Path script = Files.writeString(
                home.resolve("berth"),
                "#!/bin/sh\necho \"$*\" >> calls\ncall=$(wc -l < calls)\ncase \"$*\" in\n" + cases + """
                        esac
                        echo "{ \\"cpuNanosPerSlot\\": $ns, \\"cpuNanosPerSlotMin\\": $ns, \\"bytesPerSlot\\": 10 }"
                        """);
        assertTrue(script.toFile().setExecutable(true));
    }

    private Outcome compare(String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(JAVA, COMPARISON.toString(), "--peers", "none", "--also", "none"));
        command.addAll(List.of("--profiles", "20"));
        command.addAll(List.of(options));
        return Outcome.of(now, Map.of(), "", command);
    }

    private static String row(Outcome outcome, String name) {
        return outcome.text()
                .lines()
                .filter(line -> line.startsWith("| " + name + " |"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + name + " in " + outcome.text()));
    }

    @Test
    public void eachRowSaysWhetherItsMedianIsWithinTenPercentOfTheEarlierVersion() throws Exception {
        berth(now, "*spread*) ns=23 ;;\n*) ns=21; [ $call = 2 ] && ns=90 ;;\n");
        berth(earlier, "*) ns=20 ;;\n");
        String[] options = {"--earlier", earlier.toString(), "--rows", "first-fit,spread", "--processes", "3"};

        Outcome outcome = compare(options).well();

        assertTrue(row(outcome, "first-fit"), row(outcome, "first-fit").contains("within 10 %: met"));
        assertTrue(row(outcome, "spread"), row(outcome, "spread").contains("within 10 %: missed"));
        assertTrue(
                outcome.text(),
                outcome.text()
                        .strip()
                        .endsWith("1 of 2 rows are within 10 % of the earlier version. Rows that miss an aim: 1."));

        List<String> failing = new ArrayList<>(List.of(options));
        failing.addAll(List.of("--fail", "yes"));
        Outcome failed = compare(failing.toArray(String[]::new));
        assertEquals(failed.text(), 1, failed.exit());
        assertTrue(row(failed, "spread"), row(failed, "spread").contains("within 10 %: missed"));
    }

    @Test
    public void constraintsAloneAreComparedWithDecisionsWithoutThem() throws Exception {
        berth(now, "*--constraints*) ns=41 ;;\n*) ns=20 ;;\n");
        berth(earlier, "*) ns=20 ;;\n");

        Outcome outcome = compare("--earlier", earlier.toString(), "--rows", "constraints", "--processes", "3")
                .well();

        String row = row(outcome, "first-fit, 20 classes of constraints");
        assertTrue(row, row.contains("40 ns: missed"));
        assertTrue(row, !row.contains("within 10 %"));
        long constrained = Files.readAllLines(now.resolve("calls")).stream()
                .filter(call -> call.contains("--policy first-fit") && call.contains("--constraints"))
                .count();
        assertEquals(3, constrained);
        assertTrue("the earlier version has no part in it", Files.notExists(earlier.resolve("calls")));
    }

    @Test
    public void badOptionsAreNamed() throws Exception {
        berth(now, "*) ns=1 ;;\n");
        Outcome outcome = compare("--fail", "perhaps");
        assertEquals(outcome.text(), 2, outcome.exit());
        assertTrue(outcome.text(), outcome.text().contains("option --fail is 'perhaps': allowed are yes and no"));
    }
}
