package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The counts of a whole book equal those of an independent count, with any number of workers. */
@Category(SharedData.class)
public class SharedDataIT {

    @Test
    public void countsShakespeareWithOneWorker() throws Exception {
        assertCounts(1, 6);
    }

    @Test
    public void countsShakespeareWithTwoWorkers() throws Exception {
        assertCounts(2, 3);
    }

    @Test
    public void countsShakespeareWithThreeWorkers() throws Exception {
        assertCounts(3, 2);
    }

    private static void assertCounts(int workers, int slots) throws Exception {
        Path texts = Path.of(System.getProperty("berth.shared.data"), "text").toRealPath();
        List<String> expected = Files.readAllLines(texts.resolve("shakespeare.counts.tsv"));
        long words = expected.stream()
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
                .sum();
        try (OutsideCluster cluster = OutsideCluster.start(
                "shakespeare",
                List.of(
                        Setting.berth("backend.local", "workers.min", workers),
                        Setting.berth("backend.local", "workers.max", workers),
                        Setting.berth("backend.local", "worker.slots", slots),
                        Setting.berth("backend.local", "worker.memory", "256m")))) {
            String bundle =
                    cluster.bundle(BerthContainer.file("berth.wordcount.jar").toPath());
            cluster.workers(workers, LIMIT);
            for (int parallelism = 1; parallelism <= workers * slots; parallelism++) {
                Path output = cluster.home().resolve("output-" + parallelism);
                JsonNode job = cluster.finished(
                        cluster.submit(Jobs.wordCount(
                                "shakespeare",
                                bundle,
                                texts.resolve("shakespeare.txt"),
                                output,
                                parallelism,
                                parallelism)),
                        LIMIT);
                assertEquals(expected, Files.readAllLines(output.resolve("counts.tsv")));
                for (JsonNode vertex : job.get("vertices")) {
                    if (vertex.get("name").asText().equals("count")) {
                        assertEquals(words, vertex.get("exchangedIn").asLong());
                        assertEquals(parallelism, vertex.get("parallelism").asInt());
                    }
                }
            }
        }
    }
}
