package io.berth.itests;

import static org.junit.Assert.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import io.berth.itests.stub.StubLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.Test;

/**
 * Five hundred workers without tasks register at once, by sockets, at a real control plane. Jobs declare requirements,
 * and half of the workers vanish at once. No living process is declared lost, and all jobs get their slots within
 * three times the largest timeout.
 */
public class CrowdIT {

    /** The aim is three times the heartbeat timeout, which the test prints; on a busy machine all takes longer. */
    private static final Duration LIMIT = Duration.ofSeconds(240);

    private static final int HALF = 250;
    private static final int SLOTS = 4;
    private static final int JOBS = 400;
    private static final int SEED = 20261120;
    private static final long HEARTBEAT_TIMEOUT_MILLIS = 10_000;

    @Test
    public void f29_halfOfFiveHundredWorkersVanishAndNoOtherIsDeclaredLost() throws Exception {
        int port = FreePorts.next();
        try (OutsideCluster cluster = OutsideCluster.start(
                        "crowd",
                        port,
                        List.of(
                                Setting.berth("core.resources", "heartbeat.timeout.ms", HEARTBEAT_TIMEOUT_MILLIS),
                                Setting.berth("backend.local", "workers.max", 0)));
                StubProcess living = stubs(cluster, "living", port, new StubLoad(0, HALF, SLOTS, JOBS, 100, SEED));
                StubProcess vanishing =
                        stubs(cluster, "vanishing", port, new StubLoad(HALF, HALF, SLOTS, 0, 1, SEED))) {
            long began = System.nanoTime();
            Await.until(
                    "all registered",
                    LIMIT,
                    () -> living.number("registered") == HALF && vanishing.number("registered") == HALF);
            note("500 workers registered", began);
            cluster.workers(2 * HALF, LIMIT);

            began = System.nanoTime();
            living.ask("run");
            Await.until(
                    "the first jobs",
                    LIMIT,
                    () -> Integer.parseInt(living.ask("counts").get(0).split(" ")[0]) > JOBS / 2);
            settle(living, cluster);
            note("each job served", began);
            assertEquals(List.of(), living.ask("violations"));
            assertEquals(List.of(), vanishing.ask("violations"));
            assertEquals("registered once each", HALF, vanishing.number("registrations"));

            living.ask("run");
            began = System.nanoTime();
            vanishing.kill();
            Await.until(
                    "those that vanished are given up",
                    LIMIT,
                    () -> cluster.get("status").get("workers").asInt() == HALF);
            settle(living, cluster);
            note("half of them gone, each job served again", began);
            assertEquals("none that lives was given up", HALF, living.number("registrations"));
            assertEquals(List.of(), living.ask("violations"));
            living.ask("leave");
            Await.until("all slots are free", LIMIT, () -> cluster.get("slots").isEmpty());
        }
    }

    private static StubProcess stubs(OutsideCluster cluster, String name, int port, StubLoad load) throws Exception {
        return new StubProcess(
                SoakOptions.classPath(),
                "127.0.0.1:" + port,
                load,
                cluster.home().resolve(name + ".log"));
    }

    /** No further jobs; existing ones have what they want, and all sides count the same slots. */
    private static void settle(StubProcess stubs, OutsideCluster cluster) throws Exception {
        stubs.ask("pause");
        Await.until(
                () -> "each job has what it wants: " + describe(() -> stubs.ask("unsettled")),
                LIMIT,
                () -> stubs.ask("unsettled").isEmpty());
        Await.until(
                () -> "one ledger: " + describe(() -> differences(stubs, cluster)),
                LIMIT,
                () -> differences(stubs, cluster).isEmpty());
    }

    /** Differences between the slots that the ResourceManager counts and those that jobs have. */
    private static List<String> differences(StubProcess stubs, OutsideCluster cluster) throws Exception {
        List<String> counted = new ArrayList<>();
        for (JsonNode slot : cluster.get("slots")) {
            counted.add(slot.get("worker").asText() + " "
                    + slot.get("allocation").asText() + " " + slot.get("job").asText());
        }
        List<String> held = new ArrayList<>(stubs.ask("held"));
        List<String> differences = new ArrayList<>(counted);
        differences.removeAll(held);
        held.removeAll(counted);
        differences.addAll(held);
        return differences;
    }

    private static String describe(Callable<List<String>> question) {
        try {
            return question.call().toString();
        } catch (Exception failure) {
            return failure.toString();
        }
    }

    private static void note(String what, long began) {
        System.out.printf("%s after %.2f s%n", what, (System.nanoTime() - began) / 1e9);
    }
}
