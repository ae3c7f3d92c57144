package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The simulator can fail. Each file of src/test/breaks is a {@link PlantedBug}, and some seed must find it. A break
 * whose text is not found exactly once must be updated.
 */
class PlantedBugsTest {

    private static final Path BREAKS = Path.of("src/test/breaks");
    /** A build has no time for more; most bugs are found by the first few seeds. */
    private static final int MAX_SEEDS = Integer.getInteger("berth.breaks.seeds", 30);

    private static final int SECONDS = 1_200;

    @TempDir
    private Path directory;

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> eachPlantedBugIsFound() throws IOException {
        List<PlantedBug> breaks = new ArrayList<>();
        try (Stream<Path> files = Files.list(BREAKS)) {
            files.filter(path -> path.toString().endsWith(".break"))
                    .sorted()
                    .forEach(path -> breaks.add(PlantedBug.read(path)));
        }
        return breaks.stream().map(bug -> DynamicTest.dynamicTest(bug.name(), () -> finds(bug)));
    }

    private void finds(PlantedBug bug) throws Exception {
        String found = bug.seenBy(bug.by(), directory).apply(new long[] {bug.from(), MAX_SEEDS, SECONDS, bug.step()});

        System.out.println(bug.name() + ": " + (found.isEmpty() ? "not found" : found));
        assertThat(found)
                .as("%s is found by one of %d seeds", bug.name(), MAX_SEEDS)
                .isNotEmpty();
    }
}
