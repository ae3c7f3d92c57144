package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The comparison of policies with a small workload, whose figures other than times are the same each time. */
public class PolicyComparisonIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static Outcome compare(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "itests/benchmarks/PolicyComparison.java",
                "--berth",
                JAVA + " -jar " + BerthContainer.file("berth.cli").getAbsolutePath()));
        command.addAll(List.of(options));
        return Outcome.of(ROOT, Map.of("BERTH_HOME", ROOT.toString()), "", command);
    }

    /** The cells of the row of a policy. */
    private static List<String> row(Outcome outcome, String policy) {
        List<String> rows = outcome.text()
                .lines()
                .filter(line -> line.startsWith("| ") && line.contains(" | " + policy + " | "))
                .toList();
        assertEquals(policy + " in " + outcome.text(), 1, rows.size());
        return List.of(rows.get(0).split(" *\\| *"));
    }

    @Test
    public void packingLeavesNothingAndUsesFewerWorkersThanSpreading() throws Exception {
        Outcome outcome = compare(
                "--parts",
                "packing",
                "--workers",
                "1000",
                "--requests",
                "10000",
                "--profiles",
                "20",
                "--fill",
                "0.85",
                "--runs",
                "1",
                "--warm-ms",
                "1",
                "--heap",
                "512m");
        for (String policy : List.of("pack", "optimal")) {
            List<String> cells = row(outcome, policy);
            assertTrue(cells.toString(), cells.get(cells.size() - 1).contains("none left: met"));
        }
        List<String> pack = row(outcome, "pack");
        assertTrue(pack.toString(), pack.get(pack.size() - 1).contains("at most 4 % above: met"));
        assertTrue(outcome.text(), used(outcome, "pack") < used(outcome, "spread"));
        assertTrue(outcome.text(), used(outcome, "optimal") <= used(outcome, "pack"));
    }

    @Test
    public void optimalAssignsAllSlotsThatCanServe() throws Exception {
        Outcome outcome = compare("--parts", "assignment", "--slots", "200", "--runs", "1", "--warm-ms", "0");
        List<String> rows = outcome.text()
                .lines()
                .filter(line -> line.contains(" | optimal | "))
                .toList();
        assertEquals(outcome.text(), 2, rows.size());
        for (String row : rows) {
            assertTrue(row, row.contains(" | 1,000 | 1,000 | all that can: met"));
        }
    }

    private static int used(Outcome outcome, String policy) {
        return Integer.parseInt(row(outcome, policy).get(6).replace(",", ""));
    }

    @Test
    public void badOptionsAreNamed() throws Exception {
        Outcome unknown = compare("--parts", "packing,moon");
        assertEquals(unknown.text(), 2, unknown.exit());
        assertTrue(
                unknown.text(),
                unknown.text().contains("option --parts has 'moon': allowed are packing, assignment, starvation,"));
        Outcome missing = compare("--parts", "kth", "--data", "nowhere");
        assertEquals(missing.text(), 2, missing.exit());
        assertTrue(missing.text(), missing.text().contains("part kth needs traces: --data is 'nowhere'"));
    }
}
