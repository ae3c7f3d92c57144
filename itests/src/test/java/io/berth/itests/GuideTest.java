package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

/** The code of the sample that docs/write-a-policy.md shows exists in the sample. */
public class GuideTest {

    private static final Path SAMPLE =
            Path.of("sample-policy", "src", "main", "java", "com", "example", "lastfit", "LastFit.java");

    @Test
    public void theCodeOfTheGuideEqualsTheSample() throws IOException {
        List<String> source =
                Files.readAllLines(SAMPLE).stream().map(String::strip).toList();
        List<List<String>> shown = new Guide(Path.of("..", "docs", "write-a-policy.md")).all("java");
        assertFalse(shown.isEmpty());
        for (List<String> block : shown) {
            List<String> missing = block.stream()
                    .map(String::strip)
                    .filter(line -> !source.contains(line))
                    .toList();
            assertEquals("lines that the sample does not have", List.of(), missing);
        }
    }
}
