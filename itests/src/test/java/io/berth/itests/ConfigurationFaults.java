package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Configures the sample policy by its file and in the shell, correctly and wrongly, and finds out what decides then.
 * The file is written and removed atomically, so that nobody sees it half written.
 */
final class ConfigurationFaults {

    static final String POLICY = "last-fit";
    private static final String PID = "com.example.lastfit";
    private final OutsideCluster cluster;
    private final Path file;
    private final String userCode;

    /** The deciding instance and its configuration. */
    record Decider(String policy, long generation, long revision) {}

    ConfigurationFaults(OutsideCluster cluster) throws Exception {
        this.cluster = cluster;
        this.file = cluster.home().resolve("etc").resolve(PID + ".cfg");
        this.userCode = cluster.bundle(BerthContainer.file("berth.sequence.jar").toPath());
    }

    void install() throws Exception {
        cluster.shell("kar:install file:" + BerthContainer.file("berth.sample.kar"))
                .well();
        Await.until(
                "the policy is there",
                LIMIT,
                () -> cluster.send("PUT", "policies/matching", Map.of("name", POLICY))
                                        .status()
                                == 200
                        && diagnosis().startsWith("deciding"));
    }

    void uninstall() throws Exception {
        Files.deleteIfExists(file);
        cluster.shell("kar:uninstall " + POLICY + "-1.0.0").well();
        Await.until("the policy is gone", LIMIT, () -> diagnosis().isEmpty());
    }

    void configure(String... lines) throws Exception {
        Path next = Files.createTempFile(cluster.home(), "next", "");
        Files.write(next, List.of(lines));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void delete() throws Exception {
        Files.delete(file);
    }

    boolean hasFile() {
        return Files.exists(file);
    }

    Outcome inTheShell(String... commands) throws Exception {
        return cluster.shell(commands).well();
    }

    /** Waits until the diagnosis over REST contains all the parts; then the command line must print the same. */
    void awaitDiagnosis(String... parts) throws Exception {
        String[] last = {""};
        Await.until(() -> "diagnosis with  " + List.of(parts) + ", but it is " + last[0], LIMIT, () -> {
            last[0] = diagnosis();
            return List.of(parts).stream().allMatch(last[0]::contains);
        });
        assertTrue(last[0], last[0].startsWith("deciding") && last[0].contains("last good configuration"));
        assertTrue("bounded: " + last[0].length(), last[0].length() < 2_000);
        String line = cluster.commandLine("policy", "diag", "matching", POLICY)
                .well()
                .text()
                .replaceAll("\\s+", " ");
        for (String part : parts) {
            assertTrue(line, line.contains(part));
        }
    }

    /** Verdict and text over REST; empty when the policy does not exist. */
    String diagnosis() throws Exception {
        for (JsonNode one : cluster.get("policies/diagnosis?kind=matching")) {
            if (one.get("name").asText().equals(POLICY)) {
                return one.get("verdict").asText() + ": " + one.get("text").asText();
            }
        }
        return "";
    }

    /** Starts a job that asks for a decision and must not be affected. Returns which policy decided. */
    Decider decider() throws Exception {
        String job = cluster.submit(Jobs.sequence("asks", userCode, 10, 0, 1, 1));
        assertEquals(0, cluster.finished(job, LIMIT).get("restarts").asInt());
        JsonNode newest = cluster.get("decisions?kind=matching&limit=1").get(0);
        for (JsonNode stamp : newest.get("policies")) {
            if (stamp.get("kind").asText().equals("matching")) {
                return new Decider(
                        stamp.get("name").asText(),
                        stamp.get("generation").asLong(),
                        stamp.get("configurationRevision").asLong());
            }
        }
        throw new AssertionError("no matching strategy made " + newest);
    }

    /** The same, once another generation than that one decides. */
    Decider deciderAfter(Decider before) throws Exception {
        Decider[] last = {before};
        Await.until(() -> "another generation than " + before, LIMIT, () -> {
            last[0] = decider();
            return last[0].generation() != before.generation();
        });
        assertEquals(POLICY, last[0].policy());
        return last[0];
    }
}
