package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PoolsCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    /** It fails by itself when the other pool does not hang while the decisions are made. */
    @Test
    void measuresDecisionsBesideAPoolThatHangs() throws IOException {
        JsonNode report = line.json("pools", "--workers", "20", "--decisions", "600", "-o", "json");
        assertThat(report.path("decisions").intValue()).isEqualTo(1_000);
        for (String name : new String[] {"alone", "besideWaiting", "besideSpinning"}) {
            assertThat(report.path(name + "P999").doubleValue()).as(name).isPositive();
        }
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("pools", "--decisions", "-1")).isEqualTo(2);
        assertThat(line.err()).contains("option --decisions is -1: 1 to 10000000 is allowed");
    }
}
