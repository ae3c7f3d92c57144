package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonCodeTest {

    @Test
    void thePageForUsersExplainsEachCodeAndNoOther() throws IOException {
        List<String> explained = Files.readAllLines(Path.of("../../docs/job-states.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        assertThat(explained)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ReasonCode.values()).map(ReasonCode::name).toList());
    }

    @Test
    void thePageForUsersMarksTheProvisionalOnes() throws IOException {
        List<String> marked = Files.readAllLines(Path.of("../../docs/job-states.md")).stream()
                .filter(line -> line.startsWith("| `") && line.contains("(*provisional*)"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        assertThat(marked)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ReasonCode.values())
                        .filter(code -> code.provisional() && code != ReasonCode.NONE)
                        .map(ReasonCode::name)
                        .toList());
    }
}
