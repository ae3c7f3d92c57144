package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A second pool on the cluster of {@link AbilitiesIT}, for workers with a label. */
final class TwoPools implements AutoCloseable {

    /** What users do there. */
    interface Users {

        /** Submits a job that ends after so many records, with more lines of its description. */
        String submit(String name, long records, int slots, String more) throws Exception;

        void cancel(String job) throws Exception;

        /** The job waits, and its reasons have the text. */
        void waits(String job, String reason) throws Exception;
    }

    private static final String FILE = "io.berth.pool-side.cfg";
    private static final String MEMBERS = "workers.labels = team=side\nworkers.start = false\nrule = loose\n";
    private static final String IN_SIDE = "pool: side\n";
    private static final long LONG = 1L << 40;
    private static final int SHORT = 300;
    /** So often a policy may fail in a row before it is in quarantine. */
    private static final int MAX_FAILURES = 3;

    private final OutsideCluster cluster;
    private final Users users;
    private final String first;
    private final String second;

    /** @param workers two, with two slots each; the first one moves to the second pool */
    TwoPools(OutsideCluster cluster, List<String> workers, Users users, String more) throws Exception {
        this.cluster = cluster;
        this.users = users;
        this.first = workers.get(0);
        this.second = workers.get(1);
        cluster.configure(FILE, MEMBERS + more);
        move(first, true);
    }

    private void move(String worker, boolean toSide) throws Exception {
        cluster.commandLine("worker", "label", worker, toSide ? "team=side" : "team-")
                .well();
        String pool = toSide ? "side" : "default";
        Await.until(
                "worker " + worker + " is in pool " + pool,
                LIMIT,
                () -> poolOf(worker).equals(pool));
    }

    private String poolOf(String worker) throws Exception {
        for (JsonNode one : cluster.get("workers")) {
            if (one.get("id").asText().equals(worker)) {
                return one.get("pool").asText();
            }
        }
        return "";
    }

    private static TreeSet<String> workersOf(JsonNode job) {
        TreeSet<String> workers = new TreeSet<>();
        job.get("slots").forEach(slot -> workers.add(slot.get("worker").asText()));
        return workers;
    }

    /** Decisions that placed slots of a job, by their records. */
    private List<JsonNode> decisions(String job, String pool) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        cluster.get("decisions?limit=1000&pool=" + pool + "&job=" + job).forEach(one -> {
            if (one.get("owner").asText().equals("pool " + pool)) {
                found.add(one);
            }
        });
        return found;
    }

    private static long end(JsonNode decision) {
        return decision.get("wallMillis").asLong();
    }

    private static long begin(JsonNode decision) {
        return end(decision) - millis(decision);
    }

    private static long millis(JsonNode decision) {
        return decision.get("micros").asLong() / 1_000;
    }

    /**
     * The strategy of the second pool spins until it is given up. Jobs of the default pool are placed meanwhile, then
     * that of the second pool is, by its fallback.
     */
    void aVillainInOneDelaysNoOther(long deadlineMillis) throws Exception {
        String delayed = users.submit("delayed", SHORT, 1, IN_SIDE);
        List<String> others = new ArrayList<>();
        // The first one may be decided together with the delayed one; when it runs, the strategy spins.
        for (int job = 0; job < 2; job++) {
            String beside = users.submit("beside-" + job, SHORT, 1, "");
            assertEquals(new TreeSet<>(List.of(second)), workersOf(cluster.running(beside, LIMIT)));
            others.add(beside);
        }
        cluster.finished(delayed, LIMIT);
        List<JsonNode> hung = decisions(delayed, "side").stream()
                .filter(one -> millis(one) >= deadlineMillis)
                .toList();
        assertEquals(hung.toString(), 1, hung.size());
        assertTrue(hung.toString(), hung.get(0).get("rounds").toString().contains("villain"));
        long meanwhile = 0;
        for (String job : others) {
            for (JsonNode decision : decisions(job, "default")) {
                assertTrue(decision.toString(), millis(decision) < deadlineMillis);
                meanwhile += begin(decision) > begin(hung.get(0)) && end(decision) < end(hung.get(0)) ? 1 : 0;
            }
        }
        assertTrue("decisions while the villain spun", meanwhile > 0);
        cluster.commandLine("policy", "release", "matching", "villain").well();
    }

    /**
     * The strategy of the second pool throws. Its jobs are placed by its fallback, and after the third time it is not
     * called there anymore. The other pool does not notice.
     */
    void oneThatThrowsHasItsFallback() throws Exception {
        try {
            for (int call = 1; call <= MAX_FAILURES + 1; call++) {
                String thrown = users.submit("thrown-" + call, SHORT, 1, IN_SIDE);
                String beside = users.submit("beside-" + call, SHORT, 1, "");
                assertEquals(new TreeSet<>(List.of(first)), workersOf(cluster.running(thrown, LIMIT)));
                assertEquals(new TreeSet<>(List.of(second)), workersOf(cluster.running(beside, LIMIT)));
                assertEquals(0, cluster.finished(beside, LIMIT).get("restarts").asInt());
                cluster.finished(thrown, LIMIT);
                String decided = decisions(thrown, "side").toString();
                assertTrue(decided, decided.contains("a villain throws"));
                assertEquals(decided, call <= MAX_FAILURES, decided.contains("made again without it"));
                for (JsonNode other : decisions(beside, "default")) {
                    String deciding = other.get("policies").toString();
                    assertTrue(deciding, deciding.contains("first-fit") && !deciding.contains("villain"));
                }
            }
        } finally {
            cluster.commandLine("policy", "release", "matching", "villain");
        }
    }

    /** Each pool decides by its own strategy, and a worker that moves serves the jobs of its new pool. */
    void aWorkerMovesFromOneToTheOther() throws Exception {
        String staying = users.submit("staying", LONG, 1, "");
        assertEquals(new TreeSet<>(List.of(second)), workersOf(cluster.running(staying, LIMIT)));
        String waiting = users.submit("waiting", LONG, 3, IN_SIDE);
        users.waits(waiting, "etc/io.berth.pool-side.cfg has workers.start = false");
        move(second, true);
        assertEquals(new TreeSet<>(List.of(first, second)), workersOf(cluster.running(waiting, LIMIT)));
        JsonNode kept = cluster.running(staying, LIMIT);
        assertEquals(new TreeSet<>(List.of(second)), workersOf(kept));
        assertEquals(0, kept.get("restarts").asInt());
        assertEquals("loose", cluster.get("pools/side").get("rule").asText());
        assertTrue(decisions(waiting, "side").toString().contains("\"spread\""));
        assertTrue(decisions(staying, "default").toString().contains("\"first-fit\""));
        String late = users.submit("late", SHORT, 1, "");
        users.waits(late, "there is no worker of pool default");
        users.cancel(staying);
        users.waits(late, "there is no worker of pool default");
        move(second, false);
        assertEquals(new TreeSet<>(List.of(second)), workersOf(cluster.running(late, LIMIT)));
        cluster.finished(late, LIMIT);
        assertEquals(
                "its slots stayed", new TreeSet<>(List.of(first, second)), workersOf(cluster.running(waiting, LIMIT)));
    }

    /** The common choice does not count for a pool whose file names a policy, and the answer says so. */
    void itsFileWinsOverTheCommonChoice() throws Exception {
        String answer = cluster.commandLine("policy", "use", "matching", "first-fit")
                .well()
                .text();
        assertTrue(answer, answer.contains("Not for pool side: etc/io.berth.pool-side.cfg names spread"));
        String shell =
                cluster.shell("berth:policy-use matching first-fit").well().text();
        assertTrue(shell, shell.contains("Not for pool side: etc/io.berth.pool-side.cfg names spread"));
    }

    @Override
    public void close() throws Exception {
        cluster.removeConfiguration(FILE);
        cluster.commandLine("worker", "label", first, "team-");
        cluster.commandLine("worker", "label", second, "team-");
        Await.until(
                "only the default pool is left",
                LIMIT,
                () -> cluster.get("pools").size() == 1);
    }
}
