package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JournalCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    private static List<Path> folders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("berth-journal"))
                    .toList();
        }
    }

    @Test
    void tellsWhatTheJournalCostsADecision() throws IOException {
        List<Path> before = folders();

        JsonNode report = line.json("journal", "--workers", "20000", "--decisions", "2000", "-o", "json");

        assertThat(report.path("decisions").intValue()).isEqualTo(2_000);
        for (String name : new String[] {"plannerMicrosWithout", "plannerMicrosWith", "journalMicros", "withP50"}) {
            assertThat(report.path(name).doubleValue()).as(name).isPositive();
        }
        // One changed worker, two changed units and one slot, and not the 20,000 workers of the pool.
        assertThat(report.path("bytesPerDecisionMin").doubleValue()).isBetween(50.0, 400.0);
        assertThat(report.path("bytesPerDecisionMax").doubleValue()).isBetween(50.0, 400.0);
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("journal", "--decisions", "0")).isEqualTo(2);
        assertThat(line.err()).contains("option --decisions is 0: 1 to 10000000 is allowed");
    }
}
