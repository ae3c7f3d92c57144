package io.berth.itests;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * The Java code that docs/write-a-policy.md shows is in the sample or in the project of an archetype, each block in one
 * file without a gap. Both are built by other tests.
 */
public class GuideTest {

    private static final Path SAMPLE = Path.of("sample-policy", "src", "main", "java");
    private static final Path ARCHETYPES = Path.of("..", "bundles", "archetypes");

    @Test
    public void theCodeOfTheGuideIsThatOfTheSampleAndTheArchetypes() throws IOException {
        List<String> sources = new ArrayList<>(sources(SAMPLE));
        for (String kind : List.of("matching", "distribution", "scaling", "backend")) {
            sources.addAll(sources(ARCHETYPES.resolve(kind).resolve("src/main/resources/archetype-resources")));
        }
        List<List<String>> shown = new Guide(Path.of("..", "docs", "write-a-policy.md")).all("java");
        assertTrue("a block of the sample, and one of each other kind", shown.size() >= 4);
        for (List<String> block : shown) {
            String code = stripped(block);
            assertTrue("no source has\n" + code, sources.stream().anyMatch(source -> source.contains(code)));
        }
    }

    private static List<String> sources(Path folder) throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList()) {
                sources.add(stripped(Files.readAllLines(file)));
            }
        }
        return sources;
    }

    private static String stripped(List<String> lines) {
        return lines.stream().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
