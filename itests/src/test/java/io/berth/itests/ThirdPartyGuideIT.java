package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A reader who only has the jar with the extension points follows docs/write-a-policy.md: the blocks of the page are
 * executed exactly as written, outside the reactor and outside the control plane.
 */
public class ThirdPartyGuideIT {

    private static final Path PAGE = Path.of("..", "docs", "write-a-policy.md");
    private static final String HOME_IN_THE_GUIDE = "/home/me/";

    private final List<String> jobs = new ArrayList<>();
    private OutsideCluster cluster;
    private Path outside;
    private GuideCheckout reader;
    private Guide guide;
    private String userCode;

    private record Placed(String worker, String policy, String bundle, long generation, long revision) {}

    @Before
    public void startTheCluster() throws Exception {
        cluster = OutsideCluster.start(
                "guide",
                List.of(
                        Setting.berth("backend.local", "workers.min", 2),
                        Setting.berth("backend.local", "workers.max", 2),
                        Setting.berth("backend.local", "worker.cpu", 6),
                        Setting.berth("backend.local", "worker.slots", 6),
                        Setting.berth("backend.local", "worker.memory", "384m"),
                        Setting.berth("core.resources", "worker.memory.overhead.mib", 128),
                        Setting.berth("core.scheduler", "resource.stabilization.timeout.ms", 300)));
        outside = Files.createTempDirectory("third-party");
        reader = new GuideCheckout(
                outside,
                cluster.address(),
                cluster.home(),
                "-pl bundles/spi,bundles/policy-support,bundles/testkit -am install",
                "-B -ntp -q -o");
        guide = new Guide(PAGE);
    }

    @After
    public void stopTheCluster() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
        if (outside != null) {
            try (Stream<Path> files = Files.walk(outside)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    public void theStepsOfTheGuideInstallConfigureAndRemoveAPolicy() throws Exception {
        guide.skip("java");
        guide.skip("xml");
        guide.skip("yaml");
        guide.skip("text");
        type();
        type();
        assertTrue(Files.isRegularFile(reader.home().resolve("last-fit/target/last-fit-1.0.0.kar")));
        userCode = cluster.bundle(BerthContainer.file("berth.sequence.jar").toPath());
        cluster.workers(2, LIMIT);
        Placed before = place();
        assertEquals("first-fit", before.policy());

        String installed = shell().text();
        assertTrue(
                installed,
                installed.contains("last-fit")
                        && installed.contains("com.example.lastfit")
                        && installed.contains("From the next decision on: matching last-fit"));
        Placed chosen = place();
        assertLastFit(chosen);
        assertNotEquals("the last worker", before.worker(), chosen.worker());

        String used = type();
        assertTrue(used, used.contains("From the next decision on: matching last-fit"));
        String listing = type();
        assertTrue(listing, listing.contains("matching last-fit 1.0.0") && listing.contains("deciding"));

        type();
        Placed configured = placeAfterRevision(chosen.revision());
        assertEquals("the first worker", before.worker(), configured.worker());
        assertTrue("another instance decides", configured.generation() > chosen.generation());

        type();
        goesOnAs(configured, diagnosed("unknown key slots.per.worker", "order, spare.workers"));
        type();
        goesOnAs(configured, diagnosed("spare.workers", "5000", "1000"));
        String refused = type();
        assertTrue(refused, refused.contains("spare.workers") && refused.contains("5000"));

        type();
        Placed last = placeAfterRevision(configured.revision());
        assertEquals("the first worker is spared", chosen.worker(), last.worker());
        assertTrue(diagnosis(), !diagnosis().contains("last good"));

        type();
        diagnosed("it is in development");
        type();
        Await.until("it is not in development", LIMIT, () -> !diagnosis().contains("in development"));
        assertEquals(last, place());

        shell();
        Await.until("the bundle is gone", LIMIT, () -> diagnosis().isEmpty());
        type();
        assertEquals("first-fit", place().policy());
        assertTrue("every step of the guide was executed", guide.isDone());
        for (String job : jobs) {
            JsonNode details = cluster.get("jobs/" + job);
            assertEquals(details.toString(), 0, details.get("restarts").asInt());
        }
    }

    /** Types the next block into a terminal and returns its output. */
    private String type() throws Exception {
        return reader.type(guide.next("sh")).text();
    }

    /** Types the next block into the Karaf shell. */
    private Outcome shell() throws Exception {
        return cluster.shell(guide.next("karaf").stream()
                        .map(line -> line.replace(HOME_IN_THE_GUIDE, reader.home() + "/"))
                        .toArray(String[]::new))
                .well();
    }

    private static void assertLastFit(Placed placed) {
        assertEquals(placed.toString(), "last-fit", placed.policy());
        assertEquals(placed.toString(), "com.example.lastfit", placed.bundle());
    }

    /** The diagnosis that the operator gets once the wrong configuration was seen. */
    private String diagnosed(String... parts) throws Exception {
        Await.until(() -> "diagnosis with  " + List.of(parts) + ", but it is " + quietly(), LIMIT, () -> {
            String text = diagnosis();
            return List.of(parts).stream().allMatch(text::contains);
        });
        return diagnosis();
    }

    private String quietly() {
        try {
            return diagnosis();
        } catch (Exception failure) {
            return failure.toString();
        }
    }

    private void goesOnAs(Placed before, String diagnosis) throws Exception {
        assertTrue(diagnosis, diagnosis.startsWith("deciding") && diagnosis.contains("last good configuration"));
        assertEquals("the previous generation continues to decide", before, place());
    }

    /** Verdict and text; empty when the policy does not exist. */
    private String diagnosis() throws Exception {
        for (JsonNode one : cluster.get("policies/diagnosis?kind=matching")) {
            if (one.get("name").asText().equals("last-fit")) {
                return one.get("verdict").asText() + ": " + one.get("text").asText();
            }
        }
        return "";
    }

    /** Starts a job of one slot that runs until the end of the test. Returns which policy placed it where. */
    private Placed place() throws Exception {
        String job = cluster.submit(Jobs.sequence("placed-" + jobs.size(), userCode, 1L << 40, 100, 1, 1));
        jobs.add(job);
        JsonNode slot = cluster.running(job, LIMIT).get("slots").get(0);
        return placed(
                slot.get("worker").asText(),
                cluster.get("decisions/" + slot.get("decision").asLong()));
    }

    private static Placed placed(String worker, JsonNode decision) {
        for (JsonNode stamp : decision.get("policies")) {
            if (stamp.get("kind").asText().equals("matching")) {
                return new Placed(
                        worker,
                        stamp.get("name").asText(),
                        stamp.get("bundle").asText(),
                        stamp.get("generation").asLong(),
                        stamp.get("configurationRevision").asLong());
            }
        }
        throw new AssertionError("no matching strategy made " + decision);
    }

    /** The same, once a newer configuration decides; short jobs trigger decisions until then. */
    private Placed placeAfterRevision(long revision) throws Exception {
        Await.until("a newer configuration than revision " + revision + " decides", LIMIT, () -> {
            cluster.finished(cluster.submit(Jobs.sequence("asks", userCode, 10, 0, 1, 1)), LIMIT);
            JsonNode newest = cluster.get("decisions?kind=matching&limit=1").get(0);
            return placed("", newest).revision() > revision;
        });
        return place();
    }
}
