package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static io.berth.itests.RoleProcesses.DISPATCHER;
import static io.berth.itests.RoleProcesses.JOB_MASTERS;
import static io.berth.itests.RoleProcesses.RESOURCE_MANAGER;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runners.MethodSorters;

/**
 * The failure matrix of FLIP-6 on real processes. Processes are lost by {@code kill -9}, or are paused for longer than
 * all timeouts and then continue. The job that runs meanwhile writes each of its numbers once, no slot is given twice,
 * and no process is left. All rows share one set of processes. Each build runs the most important rows, {@code
 * -Pfailure-matrix} runs all.
 */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FailureMatrixIT {

    private static final long RATE = 500;
    private static final int PARALLELISM = RoleProcesses.WORKERS * RoleProcesses.SLOTS;
    private static final long RECORDS = PARALLELISM * RATE * 9;

    private static final String QUEUES = "io.berth.pool-default.cfg";
    /** What is shown is stored within a second. */
    private static final long STORED_MILLIS = 3_000;

    private static RoleProcesses processes;
    private static String bundle;

    @BeforeClass
    public static void start() throws Exception {
        processes = RoleProcesses.start();
        Await.until("REST answers", LIMIT, () -> processes.rest().restAnswers());
        processes.awaitSettled();
        bundle = processes
                .rest()
                .bundle(BerthContainer.file("berth.sequence.jar").toPath());
    }

    @AfterClass
    public static void end() throws Exception {
        if (processes != null) {
            processes.close();
            assertEquals(List.of(), processes.workers());
        }
    }

    /** What happens while a job runs. */
    private interface Loss {
        void happen() throws Exception;
    }

    private static String submit(String name) throws Exception {
        return processes
                .rest()
                .submit(Jobs.sequenceToFiles(name, bundle, RECORDS, RATE, PARALLELISM, PARALLELISM, output(name)));
    }

    private static Path output(String name) {
        return processes.shared().resolve("output-" + name);
    }

    /** The job runs when it happens, and ends as if nothing had happened. */
    private static JsonNode row(String name, Loss loss) throws Exception {
        String job = submit(name);
        processes.rest().running(job, LIMIT);
        loss.happen();
        JsonNode details = processes.finished(job);
        assertRight(name);
        processes.awaitSettled();
        return details;
    }

    private static void assertRight(String name) throws IOException {
        BitSet seen = new BitSet();
        for (String file : Cluster.files(output(name))) {
            for (String line : Files.readAllLines(output(name).resolve(file))) {
                int number = Integer.parseInt(line);
                assertTrue(
                        "number " + number + " occurs twice, or is too large", !seen.get(number) && number < RECORDS);
                seen.set(number);
            }
        }
        assertEquals("each number once", RECORDS, seen.cardinality());
    }

    /** The job is not affected, and no worker was started in the row, not even one that had ended again. */
    private static void rowWithTheSameWorkers(String name, Loss loss) throws Exception {
        List<Long> before = workerIds();
        SortedSet<String> started = processes.startedWorkers();
        assertTrue("what runs was started: " + started, started.size() >= before.size());
        assertUnharmed(row(name, loss));
        assertEquals("no other worker was started", started, processes.startedWorkers());
        assertEquals("the same workers", before, workerIds());
    }

    private static void assertUnharmed(JsonNode details) {
        assertEquals(details.toString(), 0, details.get("restarts").asInt());
    }

    private static ProcessHandle worker() {
        return processes.workers().get(0);
    }

    @Test
    @Category(WholeMatrix.class)
    public void killedTaskManager() throws Exception {
        row("killed-tm", () -> assertTrue(worker().destroyForcibly()));
    }

    @Test
    @Category(WholeMatrix.class)
    public void killedResourceManager() throws Exception {
        rowWithTheSameWorkers("killed-rm", () -> processes.kill(RESOURCE_MANAGER));
    }

    /** And none of the workers is started twice. How many times: {@code -Dberth.takeover.rounds}. */
    @Test
    @Category(WholeMatrix.class)
    public void nextResourceManagerPlansSoonAfterAKillAndAnOrderlyStop() throws Exception {
        SortedSet<String> started = processes.startedWorkers();
        int rounds = Integer.getInteger("berth.takeover.rounds", 3);
        List<Long> killed = new ArrayList<>();
        List<Long> stopped = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            killed.add(processes.takeover(false));
            processes.awaitSettled();
            stopped.add(processes.takeover(true));
            processes.awaitSettled();
        }
        System.out.println("ms from kill -9 to the first plan: " + killed + ", from an orderly stop: " + stopped);
        assertTrue("from kill -9: " + killed, median(killed) < 3_000);
        assertTrue("from an orderly stop: " + stopped, median(stopped) < 1_000);
        assertEquals("no other worker was started", started, processes.startedWorkers());
    }

    /** What a queue used is known to the next one, which sees none of its jobs. The queues are those of this row. */
    @Test
    public void nextResourceManagerKnowsWhatQueuesUsed() throws Exception {
        processes.configure(RESOURCE_MANAGER, QUEUES, "queue.etl.weight = 1\n");
        try {
            useAQueue();
            double before = processes.coresOf("etl", "usedSeconds");
            assertTrue("used: " + before, before > PARALLELISM);
            processes.kill(RESOURCE_MANAGER);
            double[] after = {0};
            Await.until("the next one says what was used", LIMIT, () -> {
                after[0] = processes.coresOf("etl", "usedSeconds");
                return after[0] > 0;
            });
            assertEquals("seconds of a core", before, after[0], before / 20);
            processes.awaitSettled();
        } finally {
            processes.removeConfiguration(RESOURCE_MANAGER, QUEUES);
        }
    }

    /** Until it is stored what the queue used, which uses nothing anymore. */
    private static void useAQueue() throws Exception {
        String uses = processes
                .rest()
                .submit(Jobs.sequence("uses", bundle, 1L << 40, RATE, PARALLELISM, PARALLELISM) + "queue: etl\n");
        try {
            processes.rest().running(uses, LIMIT);
            Await.until(
                    "the queue uses all slots",
                    LIMIT,
                    () -> processes.coresOf("etl", "used") == PARALLELISM
                            && processes.coresOf("etl", "usedSeconds") > 0);
        } finally {
            processes.rest().send("POST", "jobs/" + uses + "/cancel", "");
        }
        processes.awaitSettled();
        Await.until("the queue uses no slot", LIMIT, () -> processes.coresOf("etl", "used") == 0);
        long known = System.currentTimeMillis();
        Await.until("what was shown is stored", LIMIT, () -> System.currentTimeMillis() - known > STORED_MILLIS);
    }

    /** Commands that only a Dispatcher can serve do not keep the others away. */
    @Test
    public void theShellOfEachProcessHasTheCommandsThatItCanServe() throws Exception {
        for (String role : RoleProcesses.ROLES) {
            String roles =
                    processes.leader(role).shell("berth:role-list").well().text();
            assertTrue(roles, roles.contains(DISPATCHER) && roles.contains("leads"));
            String policies =
                    processes.leader(role).shell("berth:policy-list").well().text();
            assertTrue(policies, policies.contains("first-fit"));
        }
        String jobs = processes.leader(RESOURCE_MANAGER).shell("berth:job-list").text();
        assertTrue(jobs, jobs.contains("no dispatcher leads in this process"));
    }

    /** Also where nothing can be submitted. */
    @Test
    public void eachProcessSaysHowItIs() throws Exception {
        for (String role : RoleProcesses.ROLES) {
            OutsideCluster leader = processes.leader(role);
            OutsideCluster standby = processes.standby(role);
            for (OutsideCluster process : List.of(leader, standby)) {
                awaitStatus(200, process, "/health/live");
                awaitStatus(200, process, "/health/ready");
            }
            awaitStatus(200, leader, "/health/leader?role=" + role);
            awaitStatus(503, standby, "/health/leader?role=" + role);
            assertEquals(
                    "this process is a standby for role " + role,
                    standby.ask("/health/leader?role=" + role)
                            .body()
                            .path("problems")
                            .path(0)
                            .asText());
            awaitStatus(404, leader, "/health/leader?role=cook");
        }
        awaitStatus(421, processes.standby(DISPATCHER), "/v1/jobs");
    }

    /** A process that has just started may have no such page yet. */
    private static void awaitStatus(int status, OutsideCluster process, String path) throws Exception {
        Await.until(() -> status + " of " + path + " at " + process.home(), LIMIT, () -> {
            try {
                return process.ask(path).status() == status;
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    /** The command line that follows a job, with the addresses of both processes. */
    private static CompletableFuture<Outcome> follow(String name) throws IOException {
        Path description = Files.writeString(
                processes.shared().resolve(name + ".yaml"),
                Jobs.sequenceToFiles(name, bundle, RECORDS, RATE, PARALLELISM, PARALLELISM, output(name)));
        OutsideCluster any = processes.rest();
        String urls = processes.addresses(DISPATCHER);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return any.commandLine("run", description.toString(), "--url", urls);
            } catch (Exception failure) {
                throw new CompletionException(failure);
            }
        });
    }

    private static long median(List<Long> millis) {
        return millis.stream().sorted().toList().get(millis.size() / 2);
    }

    @Test
    @Category(WholeMatrix.class)
    public void killedJobMaster() throws Exception {
        row("killed-jm", () -> processes.kill(JOB_MASTERS));
    }

    @Test
    public void killedJobMasterAndResourceManager() throws Exception {
        row("killed-jm-rm", () -> processes.kill(JOB_MASTERS, RESOURCE_MANAGER));
    }

    @Test
    public void killedTaskManagerAndResourceManager() throws Exception {
        row("killed-tm-rm", () -> {
            assertTrue(worker().destroyForcibly());
            processes.kill(RESOURCE_MANAGER);
        });
    }

    /** What was acknowledged just before the process died is not lost either. */
    @Test
    @Category(WholeMatrix.class)
    public void killedDispatcher() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        assertUnharmed(row("killed-dispatcher", () -> {
            acknowledged.add(submit("acknowledged"));
            processes.kill(DISPATCHER);
        }));
        processes.finished(acknowledged.get(0));
        assertRight("acknowledged");
        processes.awaitSettled();
    }

    /** It continues when another worker has replaced it, and ends. */
    @Test
    @Category(WholeMatrix.class)
    public void stoppedTaskManager() throws Exception {
        row("stopped-tm", () -> {
            ProcessHandle zombie = worker();
            long began = System.nanoTime();
            OutsideCluster.signal(zombie, "STOP");
            RoleProcesses.awaitTimeout(began);
            Await.until(
                    "another worker has replaced it",
                    LIMIT,
                    () -> processes.workers().stream()
                                    .filter(process -> process.pid() != zombie.pid())
                                    .count()
                            == RoleProcesses.WORKERS);
            OutsideCluster.signal(zombie, "CONT");
        });
    }

    @Test
    public void stoppedResourceManager() throws Exception {
        rowWithTheSameWorkers("stopped-rm", () -> processes.pause(() -> {}, RESOURCE_MANAGER));
    }

    private static List<Long> workerIds() {
        return processes.workers().stream().map(ProcessHandle::pid).sorted().toList();
    }

    @Test
    @Category(WholeMatrix.class)
    public void stoppedJobMaster() throws Exception {
        row("stopped-jm", () -> processes.pause(() -> {}, JOB_MASTERS));
    }

    @Test
    @Category(WholeMatrix.class)
    public void stoppedJobMasterAndResourceManager() throws Exception {
        row("stopped-jm-rm", () -> processes.pause(() -> {}, JOB_MASTERS, RESOURCE_MANAGER));
    }

    @Test
    @Category(WholeMatrix.class)
    public void stoppedTaskManagerAndResourceManager() throws Exception {
        row("stopped-tm-rm", () -> {
            ProcessHandle zombie = worker();
            OutsideCluster.signal(zombie, "STOP");
            try {
                processes.pause(() -> {}, RESOURCE_MANAGER);
            } finally {
                if (zombie.isAlive()) {
                    OutsideCluster.signal(zombie, "CONT");
                }
            }
        });
    }

    /**
     * What the next one accepts meanwhile is not lost when the previous one continues, and who follows a job at both
     * addresses sees its end.
     */
    @Test
    public void stoppedDispatcher() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        List<CompletableFuture<Outcome>> followed = new ArrayList<>();
        assertUnharmed(row("stopped-dispatcher", () -> {
            acknowledged.add(submit("acknowledged-before"));
            followed.add(follow("followed"));
            Await.until(
                    "the job of the command line is there",
                    LIMIT,
                    () -> followed.get(0).isDone()
                            || processes.rest().get("jobs").toString().contains("\"followed\""));
            processes.pause(
                    () -> {
                        Await.until(
                                "REST of the next one answers",
                                LIMIT,
                                () -> processes.rest().restAnswers());
                        acknowledged.add(submit("acknowledged-meanwhile"));
                    },
                    DISPATCHER);
        }));
        for (String job : acknowledged) {
            processes.finished(job);
        }
        assertRight("acknowledged-before");
        assertRight("acknowledged-meanwhile");
        Outcome end = followed.get(0).get(LIMIT.toSeconds(), TimeUnit.SECONDS).well();
        assertTrue(end.text(), end.text().contains("Finished"));
        assertRight("followed");
        awaitStatus(421, processes.standby(DISPATCHER), "/v1/jobs");
        processes.awaitSettled();
    }
}
