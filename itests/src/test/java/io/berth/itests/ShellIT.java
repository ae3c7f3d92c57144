package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.inject.Inject;
import org.apache.karaf.features.BootFinished;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** The commands of scope berth in a shell session, for people and with -j for programs. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ShellIT {

    private static final Pattern JOB_ID = Pattern.compile("shell-job-[a-z0-9-]+");

    @Inject
    private SessionFactory sessions;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    @Inject
    private BootFinished booted;

    private Cluster cluster;

    @Configuration
    public Option[] configuration() {
        return new Option[] {BerthContainer.cluster(0, 1, 2)};
    }

    @Before
    public void meetTheCluster() {
        cluster = new Cluster(jobs, operations);
    }

    private String run(String command) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
                Session session = sessions.create(new ByteArrayInputStream(new byte[0]), out, out)) {
            Object result = session.execute(command);
            out.flush();
            String printed = bytes.toString(StandardCharsets.UTF_8);
            return printed.isEmpty() && result != null ? result.toString() : printed;
        }
    }

    private Path description(String name) throws Exception {
        String bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        return Files.writeString(
                Cluster.scratch("shell").resolve("job.yaml"), Jobs.sequence(name, bundle, 1L << 40, 1_000, 1, 1));
    }

    @Test
    public void submitsShowsAndCancelsAJob() throws Exception {
        String submitted = run("berth:job-submit " + description("shell-job"));
        Matcher id = JOB_ID.matcher(submitted);
        assertTrue(submitted, id.find());
        JobId job = new JobId(id.group());
        cluster.running(job, LIMIT);

        String list = run("berth:job-list");
        assertTrue(list, list.contains(job.value()) && list.contains("Executing"));
        assertJson(run("berth:job-list -j"), "\"" + job.value() + "\"", "\"Executing\"");
        String info = run("berth:job-info " + job);
        assertTrue(info, info.contains("numbers") && info.contains("tally"));
        assertJson(run("berth:job-info -j " + job), "\"numbers\"", "\"slots\"");
        assertJson(run("berth:worker-list -j"), "\"registered\"");
        String slots = run("berth:slot-list");
        assertTrue(slots, slots.contains(job.value()));
        assertJson(run("berth:slot-list -j"), "\"" + job.value() + "\"");
        String decisions = run("berth:decision-list");
        assertTrue(decisions, decisions.contains("first-fit") || decisions.contains("spread"));
        assertJson(run("berth:decision-list -j"), "\"matching\"");
        assertJson(run("berth:decision-list -j --kind matching --pool default --limit 1"), "\"candidates\"");
        long number = policies.decisions(new PolicyOperations.DecisionFilter(
                        Optional.of(PolicyKind.MATCHING), Optional.empty(), Optional.of(job.value()), 1))
                .get(0)
                .number();
        String decision = run("berth:decision-info " + number);
        assertTrue(decision, decision.contains("decided, generation") && decision.contains("round 1: taken"));
        assertJson(run("berth:decision-info -j " + number), "\"rounds\"");

        String bounds = run("berth:job-scale " + job);
        assertTrue(bounds, bounds.contains("requirements of revision 1") && bounds.contains("tally"));
        String scaled = run("berth:job-scale " + job + " tally=1:2");
        assertTrue(scaled, scaled.contains("now has requirements of revision 2"));
        cluster.await(
                job,
                "with a second task allowed",
                LIMIT,
                details -> Cluster.vertex(details, "tally").maximum() == 2);
        assertJson(run("berth:job-scale -j " + job), "\"revision\" : 2");

        String logs = run("berth:logs " + job);
        assertTrue(logs, logs.contains("INFO DataflowRuntime - Task " + job + "/"));
        assertJson(run("berth:logs -j " + job), "\"omitted\"", "\"vertices\"");
        String worker = cluster.registered().get(0);
        String own = run("berth:logs --worker " + worker + " --tail 100000");
        assertTrue(own, own.contains("INFO RunningWorker - worker " + worker + ": up at"));

        run("berth:job-cancel " + job);
        cluster.await(
                job, "canceled", LIMIT, details -> details.status().label().equals("Canceled"));
    }

    @Test
    public void choosesAPolicy() throws Exception {
        String list = run("berth:policy-list");
        for (String name : List.of("first-fit", "spread", "fifo", "reactive", "local")) {
            assertTrue(name + " in " + list, list.contains(name));
        }
        run("berth:policy-use matching spread");
        assertEquals(Optional.of("spread"), policies.choice(PolicyKind.MATCHING));
        assertJson(run("berth:policy-list -j"), "\"spread\"", "\"deciding\"");
        run("berth:policy-use matching first-fit");
        assertEquals(Optional.of("first-fit"), policies.choice(PolicyKind.MATCHING));
        run("berth:policy-revert matching");
        assertEquals(Optional.of("spread"), policies.choice(PolicyKind.MATCHING));
        assertJson(run("berth:policy-diag -j matching"), "\"filtered out\"", "\"deciding\"", "it is chosen");
        assertJson(run("berth:policy-history -j"));
        run("berth:policy-use matching first-fit");
    }

    @Test
    public void namesMistakes() throws Exception {
        Path file = description("shell-bad");
        Files.writeString(file, Files.readString(file).replace("operator: tally", "operator: taly"));
        int before = cluster.jobs().size();
        String answer;
        try {
            answer = run("berth:job-submit " + file);
        } catch (Exception refusal) {
            answer = refusal.getMessage();
        }
        assertTrue(answer, answer.contains("vertices[1].operator") && answer.contains("tally"));
        assertEquals("nothing was submitted", before, cluster.jobs().size());
    }

    private static void assertJson(String text, String... parts) {
        String json = text.strip();
        assertTrue(json, json.startsWith("[") || json.startsWith("{"));
        assertTrue(json, json.endsWith("]") || json.endsWith("}"));
        assertFalse("no colors in " + json, json.contains("\u001b"));
        for (String part : parts) {
            assertTrue(part + " in " + json, json.contains(part));
        }
    }
}
