package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AimOptionsTest {

    @Test
    void aMissedAimIsAFailureOnlyWhenSomebodyAsksForIt() {
        AimOptions strict = CommandLine.populateCommand(new AimOptions(), "--fail");
        assertThat(strict.exitCode(false)).isEqualTo(1);
        assertThat(strict.exitCode(true)).isZero();
        assertThat(new AimOptions().exitCode(false)).isZero();
    }
}
