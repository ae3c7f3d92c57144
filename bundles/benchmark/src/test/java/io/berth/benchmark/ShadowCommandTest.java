package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ShadowCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    @Test
    void measuresDecisionsBesideAShadowThatFollowsAndOneThatHangs() throws IOException {
        JsonNode report = line.json("shadow", "--workers", "20", "--decisions", "500", "-o", "json");
        for (String name : new String[] {"alone", "following", "hanging"}) {
            assertThat(report.path(name + "P999").doubleValue()).as(name).isPositive();
        }
        assertThat(report.path("comparedByFollowing").longValue()).isPositive();
        assertThat(report.path("skippedByHanging").longValue()).isPositive();
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("shadow", "--workers", "0")).isEqualTo(2);
        assertThat(line.err()).contains("option --workers is 0: 1 to 100000 is allowed");
    }
}
