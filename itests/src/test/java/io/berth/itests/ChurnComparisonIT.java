package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The comparison of single changes, of this version with itself and with what is no version. */
public class ChurnComparisonIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static Outcome compare(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(JAVA, "itests/benchmarks/ChurnComparison.java"));
        command.addAll(List.of(options));
        return Outcome.of(ROOT, Map.of(), "", command);
    }

    @Test
    public void bothVersionsAreMeasuredInOneProcess() throws Exception {
        Outcome outcome = compare(
                "--earlier",
                ".",
                "--policies",
                "spread",
                "--profiles",
                "20",
                "--workers",
                "100",
                "--requests",
                "1000",
                "--processes",
                "1",
                "--blocks",
                "3",
                "--warm-blocks",
                "3",
                "--heap",
                "256m");
        assertEquals(outcome.text(), 0, outcome.exit());
        assertTrue(
                outcome.text(),
                outcome.text()
                        .lines()
                        .anyMatch(line -> line.matches("\\| spread \\| 20 \\| \\d+ \\| \\d+ \\| \\d+\\.\\d\\d \\|.*")));
        assertTrue(outcome.text(), outcome.text().contains(" of 1 rows within 10 %"));
    }

    @Test
    public void anEarlierVersionThatIsNotBuiltIsRefused() throws Exception {
        Outcome outcome = compare("--earlier", "docs");
        assertEquals(outcome.text(), 2, outcome.exit());
        assertTrue(outcome.text(), outcome.text().contains("option --earlier is 'docs', which has no built benchmark"));
    }
}
