package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Policies that were built outside the reactor, with the extension points only, each for one ability. Each decides on a
 * live cluster about jobs that run to their end.
 */
public class AbilitiesIT {

    private static final int SLOTS = 4;
    private static final long LONG = 1L << 40;
    private static final int RATE = 100;
    /** In milliseconds: long enough that something else happens while a strategy spins until then. */
    private static final int MATCHING_DEADLINE = 6_000;

    private static OutsideCluster cluster;
    private static String userCode;

    private final List<String> jobs = new ArrayList<>();

    @BeforeClass
    public static void startTheCluster() throws Exception {
        cluster = OutsideCluster.start(
                "abilities",
                List.of(
                        Setting.berth("backend.local", "workers.min", 2),
                        Setting.berth("backend.local", "workers.max", 2),
                        Setting.berth("backend.local", "worker.slots", SLOTS / 2),
                        Setting.berth("backend.local", "worker.memory", "128m"),
                        Setting.berth("backend.local", "worker.labels", "zone=eu-1"),
                        Setting.berth("core.resources", "worker.memory.overhead.mib", 128),
                        Setting.berth("core.resources", "slot.return.pause.ms", 5_000),
                        Setting.berth("core.policies", "deadline.matching.ms", MATCHING_DEADLINE),
                        Setting.berth("core.policies", "decisions.journal", true),
                        Setting.berth("core.scheduler", "measurement.window.ms", 5_000),
                        Setting.berth("core.scheduler", "resource.stabilization.timeout.ms", 300)));
        cluster.shell("bundle:install -s file:" + BerthContainer.file("berth.abilities.jar"))
                .well();
        cluster.workers(2, LIMIT);
    }

    @AfterClass
    public static void makeTheDecisionsAgainAndStopTheCluster() throws Exception {
        if (cluster != null) {
            try {
                Simulator.makeAllDecisionsAgain(cluster, BerthContainer.file("berth.abilities.jar"));
            } finally {
                cluster.close();
            }
        }
    }

    /** Again for each test: a bundle that no job uses is not kept for long. */
    @Before
    public void storeTheUserCode() throws Exception {
        userCode = cluster.bundle(BerthContainer.file("berth.sequence.jar").toPath());
    }

    @After
    public void endJobsAndUseTheDefaults() throws Exception {
        for (String job : jobs) {
            cancel(job);
        }
        use("matching", "first-fit");
        use("distribution", "fifo");
    }

    private static void use(String kind, String name) throws Exception {
        Await.until(
                kind + " " + name + " can be used",
                LIMIT,
                () -> cluster.send("PUT", "policies/" + kind, Map.of("name", name))
                                .status()
                        < 300);
    }

    private String submit(String name, long records, int minimum, int desired, String more) throws Exception {
        return submitted(Jobs.sequence(name, userCode, records, RATE, minimum, desired) + more);
    }

    /** A job that runs until it {@link #finishes}. */
    private String held(String name, int minimum, int desired, String more) throws Exception {
        String numbers = Jobs.sequence(name, userCode, RATE, RATE, minimum, desired);
        return submitted(Jobs.until(mayFinish(name), numbers) + more);
    }

    private static Path mayFinish(String name) {
        return cluster.home().resolve(name + "-may-finish");
    }

    private static void finishes(String job) throws Exception {
        String name = cluster.get("jobs/" + job).get("name").asText();
        Files.createFile(mayFinish(name));
        JsonNode done = cluster.finished(job, LIMIT);
        assertEquals(RATE, done.get("counters").get("tally.tally.records").asInt());
    }

    private String submitted(String description) throws Exception {
        String job = cluster.submit(description);
        jobs.add(job);
        return job;
    }

    private String submit(String name, long records, int slots) throws Exception {
        return submit(name, records, slots, slots, "");
    }

    private static void cancel(String job) throws Exception {
        if (!isOver(job)) {
            cluster.send("POST", "jobs/" + job + "/cancel", "");
            Await.until("job " + job + " is over", LIMIT, () -> isOver(job));
        }
    }

    private static boolean isOver(String job) throws Exception {
        return List.of("Finished", "Failed", "Canceled")
                .contains(cluster.get("jobs/" + job).get("status").asText());
    }

    /** The job waits, and its reasons have the text. */
    private static void waits(String job, String reason) throws Exception {
        cluster.await(
                job,
                "waits because of '" + reason + "'",
                LIMIT,
                details -> !details.get("status").asText().equals("Executing")
                        && details.get("waiting").toString().contains(reason));
    }

    private static TreeSet<String> workersOf(JsonNode details) {
        TreeSet<String> workers = new TreeSet<>();
        details.get("slots").forEach(slot -> workers.add(slot.get("worker").asText()));
        return workers;
    }

    private static List<String> workers() throws Exception {
        List<String> ids = new ArrayList<>();
        cluster.get("workers").forEach(worker -> ids.add(worker.get("id").asText()));
        return ids;
    }

    @Test
    public void aFilterExcludesAWorkerAndTheWaitingJobSaysWhy() throws Exception {
        String old = workers().get(0);
        String other = workers().get(1);
        cluster.commandLine("worker", "label", old, "kernel=old").well();
        use("matching", "filter");
        String first = held("filtered", 2, 2, "");
        assertEquals(new TreeSet<>(List.of(other)), workersOf(cluster.running(first, LIMIT)));
        String second = submit("waiting", RATE, 1);
        waits(second, "matching strategy filter: excludes 1 worker: its kernel is too old");
        assertEquals(
                "EXCLUDED",
                cluster.get("jobs/" + second)
                        .get("waiting")
                        .get("current")
                        .get("code")
                        .asText());
        cluster.commandLine("worker", "label", old, "kernel-").well();
        assertEquals(new TreeSet<>(List.of(old)), workersOf(cluster.running(second, LIMIT)));
        finishes(first);
        cluster.finished(second, LIMIT);
    }

    @Test
    public void constraintsOfAGroupDecideWhichWorkersItsSlotsAreOn() throws Exception {
        new ConstrainedJobs(cluster, userCode, workers()).run();
    }

    @Test
    public void aShadowSaysWhatItWouldHaveDecidedAndNeverDecides() throws Exception {
        cluster.commandLine("policy", "shadow", "matching", "first-fit").well();
        String job = submit("shadowed", 2 * RATE, 2);
        cluster.finished(job, LIMIT);
        Await.until(
                "the shadow has agreed",
                LIMIT,
                () -> cluster.get("policies")
                                .get("shadows")
                                .get(0)
                                .get("agreed")
                                .asLong()
                        > 0);
        JsonNode same = cluster.get("policies").get("shadows").get(0);
        assertEquals(same.toString(), 0, same.get("differed").asLong());
        assertEquals(same.toString(), 0, same.get("failed").asLong());
        cluster.commandLine("policy", "shadow", "matching", "spread").well();
        String other = submit("spread", 2 * RATE, 2);
        cluster.finished(other, LIMIT);
        Await.until(
                "the shadow differs",
                LIMIT,
                () -> cluster.get("policies")
                                .get("shadows")
                                .get(0)
                                .get("differed")
                                .asLong()
                        > 0);
        long decision = cluster.get("policies")
                .get("shadows")
                .get(0)
                .get("lastDifferent")
                .asLong();
        JsonNode shown = cluster.get("decisions/" + decision);
        assertTrue(shown.toString(), shown.get("policies").toString().contains("first-fit"));
        assertEquals("differs", shown.get("shadows").get(0).get("verdict").asText());
        cluster.commandLine("policy", "shadow", "matching", "--off").well();
        assertEquals(0, cluster.get("policies").get("shadows").size());
    }

    @Test
    public void aShadowOfScalingFollowsAllJobs() throws Exception {
        cluster.commandLine("policy", "shadow", "scaling", "reactive").well();
        finished("followed");
        Await.until("the shadow has agreed", LIMIT, () -> shadowed("agreed") > 0);
        assertEquals(0, shadowed("differed") + shadowed("failed"));
        String shell =
                cluster.shell("berth:policy-shadow scaling by-rates").well().text();
        assertTrue(shell, shell.contains("scaling by-rates shadows all jobs"));
        finished("followed-by-another");
        Await.until("the other has decided", LIMIT, () -> shadowed("compared") > 0);
        assertEquals(0, shadowed("failed"));
        String ended = cluster.commandLine("policy", "shadow", "scaling", "--off")
                .well()
                .text();
        assertTrue(ended, ended.contains("Ended: shadow: scaling by-rates of all jobs follows: agrees in "));
        assertEquals(0, cluster.get("policies").get("shadows").size());
    }

    private void finished(String name) throws Exception {
        cluster.finished(submit(name, 2 * RATE, 2), LIMIT);
    }

    private static long shadowed(String figure) throws Exception {
        return cluster.get("policies").get("shadows").get(0).get(figure).asLong();
    }

    @Test
    public void amongJobsOfOneRankTheStrategyChooses() throws Exception {
        use("matching", "small-first");
        assertEquals("in the order of their arrival", "large-fifo", firstOfTwo("fifo"));
        assertEquals("in any order", "small-equal", firstOfTwo("equal"));
    }

    /** A large job and then a small one wait until one event makes room for either of them. Returns which one runs. */
    private String firstOfTwo(String distribution) throws Exception {
        use("distribution", distribution);
        String closed = workers().get(0);
        cluster.commandLine("worker", "taint", closed, "closed=yes").well();
        String holder = submit("holder-" + distribution, LONG, SLOTS / 2);
        cluster.running(holder, LIMIT);
        List<String> both;
        try {
            both = List.of(
                    held("large-" + distribution, SLOTS / 2, SLOTS / 2, ""), held("small-" + distribution, 1, 1, ""));
            for (String job : both) {
                waits(job, "taint closed is not tolerated");
            }
        } finally {
            cluster.commandLine("worker", "taint", closed, "closed-").well();
        }
        AtomicReference<String> first = new AtomicReference<>();
        Await.until("one of both runs", LIMIT, () -> {
            for (String job : both) {
                if (parallelism(cluster.get("jobs/" + job)) > 0) {
                    first.set(job);
                }
            }
            return first.get() != null;
        });
        String second = both.get(1 - both.indexOf(first.get()));
        waits(second, "needs ");
        String name = cluster.get("jobs/" + first.get()).get("name").asText();
        finishes(first.get());
        finishes(second);
        cancel(holder);
        return name;
    }

    @Test
    public void reservedRoomIsKeptForAGang() throws Exception {
        use("matching", "patient");
        String early = submit("early", LONG, 1);
        cluster.running(early, LIMIT);
        String gang = held("gang", SLOTS, SLOTS, "");
        waits(gang, "room for " + (SLOTS - 1) + " of them is reserved");
        String late = submit("late", RATE, 1);
        waits(late, "reserves room for " + (SLOTS - 1) + " slots of job " + gang);
        cancel(early);
        cluster.running(gang, LIMIT);
        finishes(gang);
        cluster.finished(late, LIMIT);
    }

    @Test
    public void aJobReturnsSlotsAboveItsMinimumToOneThatCannotStart() throws Exception {
        use("matching", "makes-room");
        String wide = submit("wide", LONG, 1, SLOTS, "");
        cluster.await(wide, "has all slots", LIMIT, details -> parallelism(details) == SLOTS);
        String narrow = held("narrow", 2, 2, "");
        cluster.await(narrow, "runs on slots of the other job", LIMIT, details -> parallelism(details) == 2);
        JsonNode less =
                cluster.await(wide, "runs on with the rest", LIMIT, details -> parallelism(details) == SLOTS - 2);
        assertTrue(
                less.get("history").toString(),
                less.get("history")
                        .toString()
                        .contains("slots are returned: matching strategy makes-room: another job cannot start"));
        assertEquals("nothing failed", 0, less.get("restarts").asInt());
        finishes(narrow);
        cluster.await(wide, "has all slots again", LIMIT, details -> parallelism(details) == SLOTS);
    }

    private TwoPools twoPools(String more) throws Exception {
        return new TwoPools(
                cluster,
                workers(),
                new TwoPools.Users() {
                    @Override
                    public String submit(String name, long records, int slots, String lines) throws Exception {
                        return AbilitiesIT.this.submit(name, records, slots, slots, lines);
                    }

                    @Override
                    public void cancel(String job) throws Exception {
                        AbilitiesIT.cancel(job);
                    }

                    @Override
                    public void waits(String job, String reason) throws Exception {
                        AbilitiesIT.waits(job, reason);
                    }
                },
                more);
    }

    @Test
    public void aVillainInOnePoolDelaysNoDecisionOfAnother() throws Exception {
        try (TwoPools pools = twoPools("matching = villain\nmatching.spin = 7 s\n")) {
            pools.aVillainInOneDelaysNoOther(MATCHING_DEADLINE);
        }
    }

    @Test
    public void aPolicyThatThrowsInOnePoolChangesNothingInAnother() throws Exception {
        try (TwoPools pools = twoPools("matching = villain\nmatching.throws = always\n")) {
            pools.oneThatThrowsHasItsFallback();
        }
    }

    @Test
    public void aWorkerMovesBetweenPoolsByItsLabels() throws Exception {
        try (TwoPools pools = twoPools("matching = spread\n")) {
            pools.itsFileWinsOverTheCommonChoice();
            pools.aWorkerMovesFromOneToTheOther();
        }
    }

    /** Weights of the queues: large and small within company, and other beside it. */
    private static void weights(int company, int large, int small, int other) throws Exception {
        cluster.configure("io.berth.pool-default.cfg", """
                queue.company.weight = %d
                queue.large.parent = company
                queue.large.weight = %d
                queue.small.parent = company
                queue.small.weight = %d
                queue.small.submitters = ann
                queue.other.weight = %d
                """.formatted(company, large, small, other));
    }

    /** Jobs that want all slots run with so many each. */
    private static void run(Map<String, Integer> expected) throws Exception {
        Map<String, Integer> now = new TreeMap<>();
        Await.until(() -> "jobs run with " + expected + " slots, but they run with " + now, LIMIT, () -> {
            for (String job : expected.keySet()) {
                now.put(job, parallelism(cluster.get("jobs/" + job)));
            }
            return now.equals(expected);
        });
    }

    @Test
    public void queuesShareThePoolByTheWeightsOfTheirTree() throws Exception {
        weights(3, 2, 1, 1);
        try {
            use("distribution", "shares");
            cluster.awaitLog("pool default: its settings have changed; it has 4 queues");
            assertTrue(cluster.refused(Jobs.sequence("stray", userCode, RATE, RATE, 1, 1) + "queue: middle\n")
                    .contains("a queue of the pool: root, "));
            assertTrue(cluster.refused(Jobs.sequence("foreign", userCode, RATE, RATE, 1, 1) + "queue: small\n")
                    .contains("small takes those of ann"));
            String large = submit("of-large", LONG, 1, SLOTS, "queue: large\n");
            run(Map.of(large, SLOTS));
            String small = held("of-small", 1, SLOTS, "queue: small\nsubmitter: ann\nexpectedRuntime: 10s\n");
            run(Map.of(large, 3, small, 1));
            String other = submit("of-other", LONG, 1, SLOTS, "queue: other\n");
            run(Map.of(large, 2, small, 1, other, 1));
            JsonNode less = cluster.get("jobs/" + large);
            assertTrue(
                    less.get("history").toString(),
                    less.get("history")
                            .toString()
                            .contains("distribution policy shares: queue large has more than its share"));
            assertEquals("nothing failed", 0, less.get("restarts").asInt());

            weights(3, 1, 2, 1);
            run(Map.of(large, 1, small, 2, other, 1));

            weights(1, 1, 1, 3);
            run(Map.of(large, 1, small, 1, other, 2));

            AtomicReference<JsonNode> pool = new AtomicReference<>();
            Await.until(() -> "the use of the queues is remembered in " + pool, LIMIT, () -> {
                pool.set(cluster.get("pools/default"));
                JsonNode queues = pool.get().get("queues");
                double used = usedSeconds(queues, "large");
                return used > 0
                        && usedSeconds(queues, "small") > 0
                        && usedSeconds(queues, "other") > 0
                        && usedSeconds(queues, "company") > used;
            });
            finishes(small);
        } finally {
            cluster.configure("io.berth.pool-default.cfg", "");
        }
    }

    private static double usedSeconds(JsonNode queues, String name) {
        for (JsonNode queue : queues) {
            if (queue.get("name").asText().equals(name)) {
                return queue.get("usedSeconds").path("heap").asDouble();
            }
        }
        throw new AssertionError("no queue " + name + " in " + queues);
    }

    @Test
    public void aJobIsAdmittedWhenItHasWaitedLongEnough() throws Exception {
        use("distribution", "ageing");
        long begun = System.nanoTime();
        String job = submit("aged", RATE, 1);
        waits(job, "deferred by distribution policy ageing");
        cluster.finished(job, LIMIT);
        assertTrue(
                "it waited", System.nanoTime() - begun >= Duration.ofSeconds(3).toNanos());
    }

    /** Its spinning would be given up after the deadline, and the next strategy would decide. */
    @Test
    public void aCallOfAPolicyInDevelopmentIsNotGivenUp() throws Exception {
        Path host = cluster.home().resolve("etc").resolve("io.berth.core.policies.cfg");
        String settings = Files.readString(host);
        cluster.configure("io.berth.pool-default.cfg", "matching = villain\nmatching.spin = 7 s\n");
        cluster.configure(host.getFileName().toString(), settings + "\ndevelopment.matching = villain\n");
        try {
            Await.until(
                    "the villain is in development and decides",
                    LIMIT,
                    () -> cluster.commandLine("policy", "diag", "matching")
                                    .text()
                                    .contains("it is in development")
                            && cluster.get("pools/default")
                                    .get("policies")
                                    .toString()
                                    .contains("villain"));
            String job = submit("debugged", RATE, 1);
            cluster.finished(job, LIMIT);
            cluster.awaitLog("in development: place has been running for");
            JsonNode placed = null;
            for (JsonNode decision : cluster.get("decisions?limit=1000&pool=default&job=" + job)) {
                if (decision.get("micros").asLong() >= 7_000_000) {
                    placed = decision;
                }
            }
            assertTrue("a decision that took as long as its call", placed != null);
            assertTrue(
                    placed.toString(),
                    placed.get("policies").toString().contains("villain")
                            && placed.get("results").size() > 0);
        } finally {
            cluster.configure(host.getFileName().toString(), settings);
            cluster.configure("io.berth.pool-default.cfg", "");
        }
        Await.until(
                "the villain is in development no longer",
                LIMIT,
                () -> !cluster.commandLine("policy", "diag", "matching").text().contains("in development"));
    }

    @Test
    public void aJobGrowsAtATimeOfDay() throws Exception {
        LocalDateTime from = LocalDateTime.now().plusSeconds(20).truncatedTo(ChronoUnit.SECONDS);
        String job = held("by-clock", 1, 3, "policies:\n  scaling: {name: by-clock, from: '" + from + "'}\n");
        cluster.await(job, "runs small before " + from, LIMIT, details -> parallelism(details) == 1);
        cluster.await(job, "runs large after " + from, LIMIT, details -> parallelism(details) == 3);
        assertTrue("not before", !LocalDateTime.now().isBefore(from));
        finishes(job);
    }

    /**
     * The source emits 5 records between two pauses, the tally takes 2 between two pauses of the same length: it needs
     * two and a half tasks, however long a pause is on this machine.
     */
    @Test
    public void aJobGrowsByWhatIsMeasured() throws Exception {
        String job = cluster.submit("""
                name: by-rates
                bundles: [%s]
                policies:
                  scaling: {name: by-rates, measure: 3 s}
                vertices:
                  - name: numbers
                    operator: sequence
                    parallelism: {min: 1, desired: 1, max: 1}
                    configuration: {records: 6000, splits: 12, rate.per.second: 500}
                  - name: tally
                    operator: tally
                    parallelism: {min: 1, desired: 1, max: %d}
                    configuration: {rate.per.second: 200}
                edges:
                  - {from: numbers, to: tally, partitioning: rebalance}
                """.formatted(userCode, SLOTS));
        jobs.add(job);
        JsonNode grown =
                cluster.await(job, "runs with three tallies", LIMIT, details -> parallelismOf(details, "tally") == 3);
        assertTrue(
                grown.get("history").toString(),
                grown.get("history").toString().contains("tally 1 to numbers 1, tally 3: the rates need it"));
        JsonNode measured = cluster.await(
                job,
                "shows what is measured",
                LIMIT,
                details -> details.get("measures").get("lastRescaleMillis").isNumber()
                        && details.at("/measures/vertices/0/tasks").isObject()
                        && details.at("/measures/vertices/1/tasks").isObject());
        JsonNode room = cluster.await(
                        job,
                        "knows its room",
                        LIMIT,
                        details -> details.at("/measures/room/0").isObject())
                .at("/measures/room/0");
        assertEquals("default", room.get("group").asText());
        assertTrue(
                "no queue limits it: " + room,
                room.get("queue").isNull() && room.get("free").asInt() <= SLOTS);
        JsonNode source = measured.get("measures").get("vertices").get(0);
        JsonNode tally = measured.get("measures").get("vertices").get(1);
        assertEquals(1, sharesOf(source), 1e-6);
        assertEquals(1, sharesOf(tally), 1e-6);
        assertTrue(source.toString(), source.get("backlogRecords").isNumber());
        assertTrue("no source: " + tally, tally.get("backlogRecords").isNull());
        assertTrue("nobody knows: " + source, source.get("lagMillis").isNull());
        JsonNode done = cluster.finished(job, LIMIT);
        assertEquals(
                "the rates after the rescale need the same",
                1,
                done.get("rescales").asInt());
        assertEquals(0, done.get("restarts").asInt());
        assertEquals(6_000, done.get("counters").get("tally.tally.records").asInt());
    }

    private static double sharesOf(JsonNode vertex) {
        JsonNode tasks = vertex.get("tasks");
        return tasks.get("busy").get("mean").asDouble()
                + tasks.get("idle").get("mean").asDouble()
                + tasks.get("backPressured").get("mean").asDouble();
    }

    private static int parallelismOf(JsonNode details, String vertex) {
        for (JsonNode one : details.get("vertices")) {
            if (one.get("name").asText().equals(vertex)
                    && details.get("status").asText().equals("Executing")) {
                return one.get("parallelism").asInt();
            }
        }
        return 0;
    }

    /** Of a running job; otherwise 0. */
    private static int parallelism(JsonNode details) {
        return details.get("status").asText().equals("Executing")
                ? details.get("vertices").get(0).get("parallelism").asInt()
                : 0;
    }

    @Test
    public void aJobRunsOnWorkersOfTheSpecThatItRequires() throws Exception {
        String group = """
        slotSharingGroups:
          - name: default
            constraints:
              require:
                - {label: zone, in: [%s]}
                - {label: berth.spec, in: [default]}
        """;
        String job = submit("in-zone", RATE, 1, 1, group.formatted("eu-1"));
        cluster.finished(job, LIMIT);
        String nowhere = submit("nowhere", RATE, 1, 1, group.formatted("eu-2"));
        waits(nowhere, "label zone in eu-2 is required");
    }

    private static String onlyOn(String label, String value) {
        return """
                slotSharingGroups:
                  - name: default
                    constraints:
                      require:
                        - {label: %s, in: [%s]}
                """.formatted(label, value);
    }

    private static void workersAreBack() throws Exception {
        Await.until(
                "only the workers of the local backend are left",
                LIMIT,
                () -> workers().size() == 2);
    }

    @Test
    public void aJobWaitsForWorkersThatABackendOffersLater() throws Exception {
        String job = submit("late", RATE, 1, 1, onlyOn("machine", "late"));
        waits(job, "label machine in late is required");
        cluster.configure("com.example.abilities.cfg", "machines = 1\noffered.after.ms = 2000\n");
        try {
            JsonNode running = cluster.running(job, LIMIT);
            assertTrue(
                    running.get("slots").toString(),
                    running.get("slots").get(0).get("worker").asText().startsWith("machines-"));
            cluster.finished(job, LIMIT);
        } finally {
            cluster.configure("com.example.abilities.cfg", "");
        }
        workersAreBack();
    }

    /** The kind of machine that a job needs is sold out, another one is offered, and then it is the other way round. */
    @Test
    public void aBackendOffersOtherSpecsWhileItRuns() throws Exception {
        cluster.configure("com.example.abilities.cfg", "machines = 1\n");
        try {
            cluster.await(
                    submit("first", RATE, 1, 1, onlyOn("machine", "late")),
                    "runs on what is offered",
                    LIMIT,
                    details -> parallelism(details) == 1
                            || details.get("status").asText().equals("Finished"));
            offer("machine 0\nother 1\n");
            String other = submit("other", RATE, 1, 1, onlyOn("machine", "other"));
            cluster.finished(other, LIMIT);
            workersAreBack();
            String soldOut = submit("sold-out", RATE, 1, 1, onlyOn("machine", "late"));
            Await.until(
                    "a decision leaves it out",
                    LIMIT,
                    () -> cluster.get("decisions?limit=10&pool=default&job=" + soldOut)
                                    .size()
                            > 0);
            waits(soldOut, "needs 1 x");
            offer("machine 1\nother 0\n");
            cluster.finished(soldOut, LIMIT);
        } finally {
            cluster.configure("com.example.abilities.cfg", "");
        }
        workersAreBack();
    }

    private static void offer(String offers) throws Exception {
        Path directory = cluster.home().resolve("data").resolve("berth").resolve("backend-machines");
        Files.move(Files.writeString(directory.resolve("written"), offers), directory.resolve("offers"));
        Await.until("the offers are read", LIMIT, () -> !Files.exists(directory.resolve("offers")));
    }

    @Test
    public void aJobMovesOnceFromAWorkerThatItsBackendTakesAway() throws Exception {
        String holder = submit("holder", LONG, SLOTS);
        cluster.running(holder, LIMIT);
        String older = submit("older", RATE, SLOTS, SLOTS, onlyOn("zone", "eu-1"));
        waits(older, "needs 4 x");
        cluster.configure("com.example.abilities.cfg", "machines = 1\n");
        try {
            String mover = held("mover", 1, 1, "");
            String machine = workersOf(cluster.running(mover, LIMIT)).first();
            use("matching", "moves-first");
            new LeavingWorkers(cluster).takeAway(machine, mover, () -> cancel(holder));
            assertEquals("it came first", 0, parallelism(cluster.get("jobs/" + older)));
            workersAreBack();
            finishes(mover);
            cluster.finished(older, LIMIT);
        } finally {
            cluster.configure("com.example.abilities.cfg", "");
        }
        workersAreBack();
    }

    @Test
    public void aJobMovesOnceFromAWorkerThatAnOperatorDrains() throws Exception {
        new LeavingWorkers(cluster).drain(userCode);
        workersAreBack();
    }

    /** There is room for the minimum of the job only. */
    @Test
    public void aJobRestartsWithWhatItHasBeforeTheDeadlineOfADrain() throws Exception {
        String job = held("without-room", SLOTS / 2, SLOTS, "");
        cluster.await(job, "has all slots", LIMIT, details -> parallelism(details) == SLOTS);
        new LeavingWorkers(cluster).drainBy("12s", workers().get(0), job);
        workersAreBack();
        cluster.await(job, "has all slots again", LIMIT, details -> parallelism(details) == SLOTS);
        finishes(job);
    }

    @Test
    public void twoBackendsOfOneFactoryHaveWorkersOfTheirOwn() throws Exception {
        cluster.configure("com.example.abilities-east.cfg", "machines = 1\n");
        cluster.configure("com.example.abilities-west.cfg", "machines = 1\n");
        cluster.configure("com.example.abilities-local.cfg", "machines = 1\n");
        try {
            String east = held("east", 1, 1, onlyOn("berth.backend", "east"));
            String west = held("west", 1, 1, onlyOn("berth.backend", "west"));
            assertTrue(workersOf(cluster.running(east, LIMIT)).first().startsWith("east-"));
            assertTrue(workersOf(cluster.running(west, LIMIT)).first().startsWith("west-"));
            String diag = cluster.commandLine("policy", "diag", "backend").text();
            assertTrue(diag, diag.contains("east") && diag.contains("west") && diag.contains("machines"));
            assertTrue(
                    diag,
                    diag.contains(
                            "backend local of configuration com.example.abilities~local collides with backend local"
                                    + " of bundle io.berth.backend.local"));
            finishes(east);
            cluster.removeConfiguration("com.example.abilities-east.cfg");
            finishes(west);
        } finally {
            cluster.removeConfiguration("com.example.abilities-east.cfg");
            cluster.removeConfiguration("com.example.abilities-west.cfg");
            cluster.removeConfiguration("com.example.abilities-local.cfg");
        }
        workersAreBack();
    }

    @Test
    public void aBackendWithANewConfigurationTakesOverItsWorkersAndJobsDoNotNotice() throws Exception {
        String job = submit("stays", LONG, SLOTS);
        TreeSet<String> before = workersOf(cluster.running(job, LIMIT));
        Path backend = cluster.home().resolve("etc").resolve("io.berth.backend.local.cfg");
        cluster.configure(backend.getFileName().toString(), Files.readString(backend) + "\nlogs.kept = 19\n");
        for (String worker : before) {
            cluster.awaitLog("worker " + worker + ": process ");
            cluster.awaitLog("worker " + worker + ": of an earlier term, runs at backend local as default");
        }
        JsonNode after = cluster.running(job, LIMIT);
        assertEquals(before, workersOf(after));
        assertEquals("restarts", 0, after.get("restarts").asInt());
        assertEquals(before, new TreeSet<>(workers()));
    }

    @Test
    public void anotherVersionOfABackendTakesOverItsWorkersAndJobsDoNotNotice() throws Exception {
        String job = submit("outlives", LONG, SLOTS);
        TreeSet<String> before = workersOf(cluster.running(job, LIMIT));
        long from = cluster.logged();
        Path update = OtherVersion.of(cluster.home(), "berth-backend-local", "99.0.0");
        cluster.shell("bundle:update io.berth.backend.local file:" + update).well();
        Await.until("the update is active", LIMIT, () -> versionOf("local").equals("99.0.0"));
        for (String worker : before) {
            Await.until(
                    "it has taken over worker " + worker,
                    LIMIT,
                    () -> cluster.loggedSince(from)
                            .contains("worker " + worker + ": of an earlier term, runs at backend local as default"));
        }
        JsonNode after = cluster.running(job, LIMIT);
        assertEquals(before, workersOf(after));
        assertEquals("restarts", 0, after.get("restarts").asInt());
        assertEquals(before, new TreeSet<>(workers()));
        // It also stops and starts workers.
        cancel(job);
        cluster.commandLine("worker", "drain", before.first()).well();
        Await.until(
                "another worker has come for the drained one",
                LIMIT,
                () -> !workers().contains(before.first()) && workers().size() == 2);
    }

    private static String versionOf(String backend) throws Exception {
        for (JsonNode policy : cluster.get("policies").get("policies")) {
            if (policy.get("kind").asText().equals("backend")
                    && policy.get("name").asText().equals(backend)) {
                return policy.get("version").asText();
            }
        }
        return "";
    }
}
