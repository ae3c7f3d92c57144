package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The sort through a blocking edge, with so little memory that it spills, and beside a plain sort of the same records. */
public class SortComparisonIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static Outcome compare(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(JAVA, "itests/benchmarks/SortComparison.java"));
        command.addAll(List.of(options));
        return Outcome.of(ROOT, Map.of(), "", command);
    }

    private static long lines(Outcome outcome, String pattern) {
        return outcome.text().lines().filter(line -> line.matches(pattern)).count();
    }

    @Test
    public void theResultIsRightAlthoughAWorkerWasKilled() throws Exception {
        Outcome outcome = compare(
                "--gigabytes",
                "0.05",
                "--kill",
                "sort",
                "--kill-at",
                "0",
                "--memory-mib",
                "704",
                "--sort-mib",
                "4",
                "--threads",
                "1");
        assertEquals(outcome.text(), 0, outcome.exit());
        assertEquals(outcome.text(), 1, lines(outcome, "killed worker \\d+ after .*"));
        assertEquals(outcome.text(), 1, lines(outcome, "berth, 2 workers, kill sort: .* MB/s; CPU .*"));
        assertEquals(outcome.text(), 2, lines(outcome, "right: records=500000 checksum=[0-9a-f]+"));
        assertTrue(outcome.text(), lines(outcome, "worker \\d+: at most \\d+ MiB resident") >= 2);
        assertEquals(outcome.text(), 1, lines(outcome, "plain sort, 1 process, threads 1: .* MB/s; CPU .*"));
    }

    @Test
    public void optionsAreChecked() throws Exception {
        Outcome outcome = compare("--kill", "both");
        assertEquals(outcome.text(), 2, outcome.exit());
        assertTrue(outcome.text(), outcome.text().contains("option --kill is 'both': allowed are no, read and sort"));
    }
}
