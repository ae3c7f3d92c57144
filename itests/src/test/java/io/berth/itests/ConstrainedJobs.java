package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Jobs whose constraints say on which of two workers they run. */
final class ConstrainedJobs {

    private static final int RECORDS = 500;

    private final OutsideCluster cluster;
    private final String userCode;
    private final String plain;
    private final String tainted;

    /** @param workers two, without labels and taints of their own */
    ConstrainedJobs(OutsideCluster cluster, String userCode, List<String> workers) {
        this.cluster = cluster;
        this.userCode = userCode;
        plain = workers.get(0);
        tainted = workers.get(1);
    }

    void run() throws Exception {
        command("label", plain, "rack=r1", "disk=hdd", "driver=520");
        command("label", tainted, "rack=r2", "disk=ssd", "driver=530");
        command("taint", tainted, "gpu=a100");
        try {
            waitsForAWorkerWithoutTaint();
            String tolerate = "tolerate: [{taint: gpu, value: a100}]";
            runsOn("tolerant", 1, List.of(tolerate, "prefer: [{label: rack, in: r2, weight: 10}]"), Set.of(tainted));
            runsOn("not-hdd", 1, List.of(tolerate, "require: [{label: disk, not-in: hdd}]"), Set.of(tainted));
            runsOn("new-driver", 1, List.of(tolerate, "require: [{label: driver, greater: 525}]"), Set.of(tainted));
            runsOn("apart", 2, List.of(tolerate, "spread: {label: rack, maxSkew: 1}"), Set.of(plain, tainted));
        } finally {
            command("label", plain, "rack-", "disk-", "driver-");
            command("label", tainted, "rack-", "disk-", "driver-");
            command("taint", tainted, "gpu-");
        }
    }

    private void command(String what, String worker, String... changes) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("worker", what, worker));
        arguments.addAll(List.of(changes));
        cluster.commandLine(arguments.toArray(String[]::new)).well();
    }

    /** It needs more slots than the worker without a taint has. */
    private void waitsForAWorkerWithoutTaint() throws Exception {
        String job = cluster.submit(Jobs.sequence("intolerant", userCode, RECORDS, RECORDS, 3, 3));
        cluster.await(
                job,
                "waits because of the taint",
                LIMIT,
                details -> details.path("waiting").toString().contains("taint gpu is not tolerated"));
        command("taint", tainted, "gpu-");
        JsonNode done = cluster.finished(job, LIMIT);
        assertEquals(done.toString(), 0, done.get("restarts").asInt());
        command("taint", tainted, "gpu=a100");
    }

    private void runsOn(String name, int slots, List<String> constraints, Set<String> workers) throws Exception {
        Path mayFinish = cluster.home().resolve(name + "-may-finish");
        String job = cluster.submit(Jobs.until(mayFinish, Jobs.sequence(name, userCode, RECORDS, RECORDS, slots, slots))
                + "slotSharingGroups:\n  - name: default\n    constraints:\n      "
                + String.join("\n      ", constraints) + "\n");
        Set<String> on = new TreeSet<>();
        cluster.running(job, LIMIT)
                .get("slots")
                .forEach(slot -> on.add(slot.get("worker").asText()));
        assertEquals(name, new TreeSet<>(workers), on);
        Files.createFile(mayFinish);
        cluster.finished(job, LIMIT);
    }
}
