package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PoolsCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    /** It fails by itself when the other pool does not hang while the decisions are made. */
    @Test
    void measuresDecisionsBesideAPoolThatHangs() throws IOException {
        JsonNode report = line.json("pools", "--workers", "20", "--decisions", "600", "-o", "json");
        assertThat(report.path("decisions").intValue()).isEqualTo(1_000);
        for (String name : new String[] {"alone", "besideWaiting", "besideSpinning", "besideThread"}) {
            assertThat(report.path(name + "P999").doubleValue()).as(name).isPositive();
        }
        for (String name : new String[] {"besideWaiting", "besideSpinning"}) {
            assertThat(report.path(name + "Quotient").doubleValue()).as(name).isPositive();
            assertThat(report.path(name + "Within10Percent").asText()).isIn("met", "missed");
        }
    }

    @Test
    void measuresTheStrategyOfABundle() throws IOException {
        Path bundle = Path.of("..", "matching-spread", "target", "berth-matching-spread.jar");
        JsonNode report =
                line.json("pools", "--bundle", bundle.toString(), "--workers", "20", "--decisions", "1", "-o", "json");
        assertThat(report.path("policy").asText()).isEqualTo("spread");
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("pools", "--decisions", "-1")).isEqualTo(2);
        assertThat(line.err()).contains("option --decisions is -1: 1 to 10000000 is allowed");
    }
}
