package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.spi.JobId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import javax.inject.Inject;
import org.apache.karaf.features.BootFinished;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/** A waiting job gives its reason, whatever it waits for, as one code and as a tree, and keeps the first cause. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class WaitingReasonsIT {

    @Inject
    private BundleContext context;

    @Inject
    private SessionFactory sessions;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private BootFinished booted;

    /** A job has one of these until its slots are planned; which one, depends on the moment. */
    private static final Set<ReasonCode> EARLY = EnumSet.of(
            ReasonCode.NO_JOB_MASTER, ReasonCode.DECIDING, ReasonCode.NOT_ATTEMPTED, ReasonCode.STARTING_WORKERS);

    private Cluster cluster;
    private String bundle;

    @Configuration
    public Option[] configuration() {
        return new Option[] {BerthContainer.cluster(0, 1, 2)};
    }

    private String sequence(String name, int slots) {
        return Jobs.sequence(name, bundle, 1L << 40, 1_000, slots, slots);
    }

    private JobDetails waitsFor(JobId job, ReasonCode code) throws Exception {
        JobDetails details = cluster.await(job, "waiting for " + code, LIMIT, now -> {
            alwaysSaysWhy(now);
            return now.waiting().current().code() == code;
        });
        System.out.println("WaitingReasonsIT: " + job + " " + details.reason());
        details.waiting().current().lines().forEach(line -> System.out.println("  " + line));
        return details;
    }

    private static void alwaysSaysWhy(JobDetails job) {
        Waiting waiting = job.waiting();
        if (job.status() != JobStatus.EXECUTING && !job.status().isTerminal()) {
            assertFalse(Cluster.text(job), waiting.current().code() == ReasonCode.NONE);
            assertFalse(Cluster.text(job), waiting.current().line().isBlank());
            assertFalse(Cluster.text(job), waiting.first().code() == ReasonCode.NONE);
            assertTrue(Cluster.text(job), waiting.currentMillis() > 0 && waiting.firstMillis() > 0);
        }
    }

    private static boolean anywhere(Reason reason, ReasonCode code) {
        return reason.code() == code || reason.causes().stream().anyMatch(cause -> anywhere(cause, code));
    }

    private List<Bundle> strategies() {
        return Arrays.stream(context.getBundles())
                .filter(installed -> installed.getSymbolicName().startsWith("io.berth.matching."))
                .toList();
    }

    @Test
    public void waitingJobsGiveAReason() throws Exception {
        cluster = new Cluster(jobs, operations);
        bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));

        JobId holder = cluster.submit(sequence("holder", 2));
        JobDetails first = cluster.job(holder);
        alwaysSaysWhy(first);
        assertTrue(
                "soon after the submission: " + Cluster.text(first),
                EARLY.contains(first.waiting().current().code()));
        waitsFor(holder, ReasonCode.STARTING_WORKERS);
        JobDetails running = cluster.running(holder, LIMIT);
        assertEquals("a job that runs does not wait", Waiting.NOT, running.waiting());

        JobId large =
                cluster.submit(sequence("large", 1).replaceAll("(operator: [a-z]+)", "$1\n    slotSharingGroup: large")
                        + "slotSharingGroups:\n  - {name: large, cpu: 1, heap: 10g}\n");
        Reason tooLarge = waitsFor(large, ReasonCode.NO_MEMORY).waiting().current();
        assertTrue(tooLarge.line(), tooLarge.line().startsWith("needs 1 x {1 cpu, 10 GiB} for group large, 0 fit: "));
        assertTrue(tooLarge.toString(), anywhere(tooLarge, ReasonCode.TOO_LARGE));
        assertTrue("the words of the policy are a leaf: " + tooLarge, anywhere(tooLarge, ReasonCode.POLICY));

        JobId limited = cluster.submit(sequence("limited", 1));
        JobDetails limit = waitsFor(limited, ReasonCode.POOL_LIMIT);
        assertTrue(limit.reason(), limit.reason().startsWith("waiting: needs 1 x "));
        assertTrue(limit.reason(), limit.reason().contains("pool limit is reached with 1 worker of local/"));

        List<Bundle> strategies = strategies();
        assertEquals(strategies.toString(), 2, strategies.size());
        for (Bundle strategy : strategies) {
            strategy.stop();
        }
        JobId late = cluster.submit(sequence("late", 1));
        JobDetails nobody = waitsFor(late, ReasonCode.NO_STRATEGY);
        assertTrue(nobody.reason(), nobody.reason().contains("no matching strategy"));
        assertEquals(
                "the running job continues",
                JobStatus.EXECUTING,
                cluster.job(holder).status());
        for (Bundle strategy : strategies) {
            strategy.start();
        }
        Waiting again = waitsFor(late, ReasonCode.POOL_LIMIT).waiting();
        assertEquals(
                "the first cause is kept", ReasonCode.NO_STRATEGY, again.first().code());
        assertTrue(again.toString(), again.firstMillis() < again.currentMillis());

        // The list shows what was last known of each job.
        waitsFor(large, ReasonCode.NO_MEMORY);
        waitsFor(limited, ReasonCode.POOL_LIMIT);
        shellShows(late);
        restShows(late);

        for (JobId job : List.of(late, limited, large, holder)) {
            cluster.cancel(job);
            JobDetails canceled =
                    cluster.await(job, "canceled", LIMIT, details -> details.status() == JobStatus.CANCELED);
            assertEquals(Waiting.NOT, canceled.waiting());
        }
    }

    private void shellShows(JobId job) throws Exception {
        String list = shell("berth:job-list");
        assertTrue(list, list.contains("Why") && list.contains("POOL_LIMIT") && list.contains("NO_MEMORY"));
        String info = shell("berth:job-info " + job);
        assertTrue(
                info,
                info.contains("waits since ")
                        && info.contains("POOL_LIMIT: needs 1 x ")
                        && info.contains("first cause, of ")
                        && info.contains("NO_STRATEGY: no matching strategy"));
        String json = shell("berth:job-info -j " + job);
        assertTrue(json, json.contains("\"code\" : \"POOL_LIMIT\"") && json.contains("\"first\""));
    }

    private String shell(String command) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
                Session session = sessions.create(new ByteArrayInputStream(new byte[0]), out, out)) {
            session.execute(command);
            out.flush();
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private static void restShows(JobId job) throws Exception {
        Properties http = new Properties();
        try (InputStream file =
                Files.newInputStream(Path.of(System.getProperty("karaf.etc"), "org.apache.felix.http.cfg"))) {
            http.load(file);
        }
        URI uri = URI.create("http://127.0.0.1:" + http.getProperty("org.osgi.service.http.port") + "/v1/jobs/" + job);
        String body = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        assertTrue(body, body.contains("\"waiting\":{\"first\":{\"code\":\"NO_STRATEGY\""));
        assertTrue(body, body.contains("\"current\":{\"code\":\"POOL_LIMIT\""));
    }
}
