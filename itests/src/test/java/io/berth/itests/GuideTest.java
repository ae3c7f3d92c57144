package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * The Java code that docs/write-a-policy.md and docs/write-a-job.md show is in the sample or in the project of an archetype,
 * each block in one file without a gap. Both are built by other tests.
 */
public class GuideTest {

    private static final Path SAMPLE = Path.of("sample-policy", "src");
    private static final Path ARCHETYPES = Path.of("..", "bundles", "archetypes");

    @Test
    public void theCodeOfTheGuideIsThatOfTheSampleAndTheArchetypes() throws IOException {
        Map<String, List<String>> sources = new TreeMap<>(Map.of("sample", sources(SAMPLE)));
        for (String kind : List.of("distribution", "scaling", "backend")) {
            sources.put(kind, sources(ARCHETYPES.resolve(kind).resolve("src/main/resources/archetype-resources")));
        }
        assertEquals("an example of each kind", sources.keySet(), shown("write-a-policy.md", sources));
    }

    @Test
    public void theCodeOfTheGuideOfJobsIsThatOfItsArchetype() throws IOException {
        Path job = ARCHETYPES.resolve("job").resolve("src/main/resources/archetype-resources");
        assertEquals(Set.of("job"), shown("write-a-job.md", Map.of("job", sources(job))));
    }

    /** Where the blocks of code of a guide are. */
    private static Set<String> shown(String guide, Map<String, List<String>> sources) throws IOException {
        Set<String> shown = new TreeSet<>();
        for (List<String> block : new Guide(Path.of("..", "docs", guide)).all("java")) {
            String code = stripped(block);
            List<String> places = sources.entrySet().stream()
                    .filter(place -> place.getValue().stream().anyMatch(source -> source.contains(code)))
                    .map(Map.Entry::getKey)
                    .toList();
            assertFalse("no source has\n" + code, places.isEmpty());
            shown.addAll(places);
        }
        return shown;
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
