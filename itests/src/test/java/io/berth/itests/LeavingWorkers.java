package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** Workers of a live cluster that leave while a job runs on them. */
final class LeavingWorkers {

    private static final int RECORDS = 1_000;
    private static final int RATE = 500;

    private final OutsideCluster cluster;

    LeavingWorkers(OutsideCluster cluster) {
        this.cluster = cluster;
    }

    /** What a test does meanwhile. */
    interface Action {
        void run() throws Exception;
    }

    /**
     * The sample backend takes the only worker of a job away.
     *
     * @param makesRoom gives the job room elsewhere
     */
    void takeAway(String worker, String job, Action makesRoom) throws Exception {
        ProcessHandle process = process(worker);
        Path directory = cluster.home().resolve("data").resolve("berth").resolve("backend-machines");
        Path written = Files.writeString(directory.resolve("notice"), "40000");
        Files.move(written, directory.resolve(worker + ".leaves"));
        String notice = "taken away by backend machines: spot notice";
        cluster.await(
                job,
                "knows that its worker leaves",
                LIMIT,
                details -> details.get("reason").asText().contains(notice));
        Outcome kept = cluster.commandLine("worker", "undrain", worker);
        assertEquals(kept.text(), 1, kept.exit());
        assertTrue(kept.text(), kept.text().contains("backend machines takes it away: it cannot stay"));
        makesRoom.run();
        moved(job, worker, notice);
        Await.until(() -> "worker " + worker + " ends", LIMIT, () -> !process.isAlive());
    }

    /** An operator drains the worker of a job that writes records. */
    void drain(String userCode) throws Exception {
        Path output = cluster.home().resolve("moved");
        Path finish = cluster.home().resolve("drained-may-finish");
        String job = cluster.submit(
                Jobs.until(finish, Jobs.sequenceToFiles("drained", userCode, RECORDS, RATE, 1, 1, output)));
        String worker = workersOf(cluster.running(job, LIMIT)).get(0);
        ProcessHandle process = process(worker);
        Outcome drained = cluster.commandLine("worker", "drain", worker, "--reason", "new kernel", "--wait");
        assertEquals(drained.text(), 0, drained.exit());
        moved(job, worker, "new kernel");
        Await.until(() -> "worker " + worker + " ends", LIMIT, () -> !process.isAlive());
        Files.createFile(finish);
        JsonNode done = cluster.finished(job, LIMIT);
        assertEquals(done.toString(), 0, done.get("restarts").asInt());
        assertEquals(done.toString(), 1, done.get("rescales").asInt());
        assertEquals("each record once", LongStream.range(0, RECORDS).boxed().toList(), Cluster.numbersIn(output));
    }

    /** An operator drains a worker by a time, and the job on it finds no other slots until then. */
    void drainBy(String deadline, String worker, String job) throws Exception {
        ProcessHandle process = process(worker);
        int before = cluster.get("jobs/" + job).get("rescales").asInt();
        cluster.commandLine("worker", "drain", worker, "--deadline", deadline, "--reason", "new disk")
                .well();
        cluster.await(
                job,
                "waits for other slots and runs",
                LIMIT,
                details -> details.get("reason").asText().contains("new disk")
                        && details.get("rescales").asInt() == before
                        && details.get("status").asText().equals("Executing"));
        JsonNode details = cluster.await(
                job,
                "runs elsewhere",
                LIMIT,
                now -> now.get("status").asText().equals("Executing")
                        && now.get("rescales").asInt() > before
                        && !workersOf(now).contains(worker));
        assertEquals("failed restarts of " + details, 0, details.get("restarts").asInt());
        assertTrue(
                details.get("history").toString(),
                details.get("history").toString().contains("moves from worker " + worker + ": new disk"));
        Await.until(() -> "worker " + worker + " ends", LIMIT, () -> !process.isAlive());
    }

    private void moved(String job, String from, String why) throws Exception {
        JsonNode details = cluster.await(
                job,
                "runs elsewhere",
                LIMIT,
                now -> now.get("status").asText().equals("Executing")
                        && now.get("rescales").asInt() > 0
                        && !workersOf(now).contains(from));
        assertEquals(
                "planned restarts of " + details, 1, details.get("rescales").asInt());
        assertEquals("failed restarts of " + details, 0, details.get("restarts").asInt());
        assertTrue(
                details.get("history").toString(),
                details.get("history").toString().contains("moves from worker " + from + ": " + why));
    }

    private static List<String> workersOf(JsonNode details) {
        TreeSet<String> workers = new TreeSet<>();
        details.get("slots").forEach(slot -> workers.add(slot.get("worker").asText()));
        return List.copyOf(workers);
    }

    private ProcessHandle process(String worker) {
        return cluster.workers().stream()
                .filter(process -> WorkerProcesses.commandLine(process).contains(worker))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process of worker " + worker));
    }
}
