package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ShadowCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    /** It fails by itself when the calls of shadows do not hang while the decisions are made. */
    @Test
    void measuresDecisionsBesideShadowsThatFollowAndHang() throws IOException {
        JsonNode report = line.json("shadow", "--workers", "20", "--decisions", "500", "-o", "json");
        for (String name : new String[] {"alone", "following", "hanging", "spinning", "besideThread"}) {
            assertThat(report.path(name + "P999").doubleValue()).as(name).isPositive();
        }
        assertThat(report.path("policy").asText()).isEqualTo("first-fit");
        assertThat(report.path("shadow").asText()).isEqualTo("spread");
        assertThat(report.path("comparedByFollowing").longValue()).isPositive();
        assertThat(report.path("skippedByHanging").longValue()).isPositive();
        assertThat(report.path("hangingWithin10Percent").asText()).isIn("met", "missed");
        assertThat(report.path("spinningWithin10Percent").asText()).isIn("met", "missed");
    }

    @Test
    void measuresTheStrategyOfABundleAndItsShadow() throws IOException {
        Path bundle = Path.of("..", "matching-spread", "target", "berth-matching-spread.jar");
        JsonNode report = line.json(
                "shadow",
                "--bundle",
                bundle.toString(),
                "--shadow",
                "pack",
                "--workers",
                "20",
                "--decisions",
                "1",
                "-o",
                "json");
        assertThat(report.path("policy").asText()).isEqualTo("spread");
        assertThat(report.path("shadow").asText()).isEqualTo("pack");
        assertThat(report.path("comparedByFollowing").longValue()).isPositive();
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("shadow", "--workers", "0")).isEqualTo(2);
        assertThat(line.err()).contains("option --workers is 0: 1 to 100000 is allowed");
        assertThat(line.run("shadow", "--shadow", "first-fit")).isEqualTo(2);
        assertThat(line.err())
                .contains("option --shadow is 'first-fit': allowed are strategies other than first-fit, which decides:"
                        + " spread, pack,");
        assertThat(line.run("shadow", "--policy", "worst")).isEqualTo(2);
        assertThat(line.err()).contains("option --policy has 'worst': allowed matching strategies are first-fit,");
    }

    @Test
    void helpSaysWhatTheVerdictIsBy() {
        assertThat(line.run("shadow", "--help")).isZero();
        assertThat(line.out().replaceAll("\\s+", " "))
                .contains("median of the quotients", "99.9 %", "--fail", "--bundle", "--policy", "--shadow")
                .doesNotContain("%%");
    }
}
