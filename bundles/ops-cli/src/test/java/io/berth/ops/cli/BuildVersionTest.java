package io.berth.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BuildVersionTest {

    @Test
    void isTheVersionOfTheBuild() throws Exception {
        String version = new BuildVersion().getVersion()[0];

        assertThat(version).matches("Berth [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
        assertThat(Files.readString(Path.of("../../pom.xml")))
                .contains("<revision>" + version.substring("Berth ".length()) + "</revision>");
    }
}
