package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * An engineer follows docs/write-a-job.md: the blocks of the page are executed exactly as written, from the archetype to a
 * changed job that runs again.
 */
public class JobGuideIT {

    @Rule
    public final TemporaryFolder outside = new TemporaryFolder();

    private OutsideCluster cluster;
    private GuideCheckout reader;
    private Guide guide;

    /** With what {@code ./berth demo --keep --slots 4} starts. */
    @Before
    public void startTheCluster() throws Exception {
        cluster = OutsideCluster.start(
                "job-guide",
                List.of(
                        Setting.berth("backend.local", "workers.min", 2),
                        Setting.berth("backend.local", "workers.max", 2),
                        Setting.berth("backend.local", "worker.cpu", 4),
                        Setting.berth("backend.local", "worker.slots", 4),
                        Setting.berth("backend.local", "worker.memory", "384m"),
                        Setting.berth("core.resources", "worker.memory.overhead.mib", 128),
                        Setting.berth("core.scheduler", "resource.stabilization.timeout.ms", 300)));
        reader = new GuideCheckout(
                outside.getRoot().toPath(),
                cluster.address(),
                cluster.home(),
                "-pl bundles/dataflow-api,bundles/client,bundles/test-cluster,bundles/archetypes/job -am -DskipTests install",
                "-B -ntp -q");
        guide = new Guide(Path.of("..", "docs", "write-a-job.md"));
    }

    @After
    public void stopTheCluster() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    public void theStepsOfTheGuideRunScaleAndChangeAJob() throws Exception {
        for (String kind : List.of("java", "yaml", "text", "xml")) {
            guide.skip(kind);
        }
        type("");
        type("");
        assertEquals(List.of("./berth demo --keep --slots 4"), guide.next("sh"));

        assertSums(type(""));
        Path sums = reader.home().resolve("my-job/target/result/pages.csv");
        Files.delete(sums);
        String fromJava = type("");
        assertTrue(fromJava, fromJava.contains("FINISHED"));
        assertSums(Files.readString(sums));

        String first = submitted(type(""), Set.of());
        prints(first, "PageSums[page=/");
        String shown = type(first);
        assertTrue(shown, shown.contains("Executing") && shown.contains("PageSums[page=/"));
        assertTrue(shown, shown.contains("Task 1 of 2 begins"));

        String scaled = type(first);
        assertTrue(scaled, scaled.contains("requirements of revision 2"));
        cluster.await(first, "scaled", LIMIT, job -> parallelism(job, "sum") == 3);
        String history = type(first);
        assertTrue(history, history.contains("rescales from"));

        String second = submitted(type(first), Set.of(first));
        prints(second, "slowestMillis=1000]");
        assertEquals("Canceled", cluster.get("jobs/" + first).get("status").asText());
        assertTrue("every step of the guide was executed", guide.isDone());
    }

    private static void assertSums(String printed) {
        assertTrue(printed, printed.contains("/home,3,39,17") && printed.contains("/search,3,495,260"));
    }

    /** Types the next block, with the id of the job. */
    private String type(String id) throws Exception {
        return reader.type(guide.next("sh").stream()
                        .map(line -> line.replaceAll("\\bID\\b", id))
                        .toList())
                .text();
    }

    /** The job that was submitted last, and runs. */
    private String submitted(String printed, Set<String> earlier) throws Exception {
        Set<String> jobs = new TreeSet<>();
        Matcher ids = Pattern.compile("(?m)^my-job-stream-[a-z0-9]+$").matcher(printed);
        while (ids.find()) {
            jobs.add(ids.group());
        }
        jobs.removeAll(earlier);
        assertEquals(printed, 1, jobs.size());
        String id = jobs.iterator().next();
        cluster.running(id, LIMIT);
        return id;
    }

    private void prints(String id, String text) throws Exception {
        Await.until(
                () -> "job " + id + " prints " + text,
                LIMIT,
                () -> reader.type(List.of("./berth logs " + id + " print --tail 1"))
                        .text()
                        .contains(text));
    }

    private static int parallelism(JsonNode job, String vertex) {
        for (JsonNode one : job.get("vertices")) {
            if (one.get("name").asText().equals(vertex)) {
                return one.get("parallelism").asInt();
            }
        }
        throw new AssertionError("no vertex " + vertex + " in " + job);
    }
}
