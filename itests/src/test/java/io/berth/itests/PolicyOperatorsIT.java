package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.ConfigurationFaults.Decider;
import io.berth.itests.OutsideCluster.Answer;
import io.berth.itests.OutsideCluster.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Several operators use one cluster, over REST, by command line and in the shell. Nobody overwrites an unseen choice
 * of another operator, a choice survives the control plane, and each operator can find out why a policy does not
 * decide.
 */
public class PolicyOperatorsIT {

    private static final String FIRST_FIT = "first-fit";
    private static final String SPREAD = "spread";

    private static OutsideCluster cluster;

    /** Makes a choice with an index. */
    private interface Operator {
        Reply use(String name, long index) throws Exception;
    }

    private record Reply(boolean won, String said) {}

    @BeforeClass
    public static void startTheCluster() throws Exception {
        cluster = OutsideCluster.start(
                "operators",
                List.of(
                        Setting.berth("backend.local", "workers.min", 1),
                        Setting.berth("backend.local", "workers.max", 1),
                        Setting.berth("backend.local", "worker.memory", "128m"),
                        Setting.berth("core.resources", "worker.memory.overhead.mib", 128),
                        Setting.berth("core.scheduler", "resource.stabilization.timeout.ms", 300)));
    }

    @AfterClass
    public static void stopTheCluster() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    public void ofTwoOperatorsWithTheSameIndexOneWinsAndTheOtherLearnsWho() throws Exception {
        Operator rest = PolicyOperatorsIT::overRest;
        Operator line = PolicyOperatorsIT::byCommandLine;
        Operator shell = PolicyOperatorsIT::inTheShell;
        for (List<Operator> two : List.of(
                List.of(rest, rest),
                List.of(line, line),
                List.of(line, rest),
                List.of(shell, rest),
                List.of(shell, line))) {
            long index = choice().get("index").asLong();
            List<Reply> replies = atOnce(List.of(
                    () -> two.get(0).use(FIRST_FIT, index), () -> two.get(1).use(SPREAD, index)));

            assertEquals(
                    replies.toString(), 1, replies.stream().filter(Reply::won).count());
            String winner = replies.get(0).won() ? FIRST_FIT : SPREAD;
            String loser = replies.get(replies.get(0).won() ? 1 : 0).said();
            assertTrue(
                    loser,
                    loser.contains("another change came first: matching is '" + winner + "' at index " + (index + 1)
                            + ", by "));
            assertTrue(loser, loser.contains("nothing was changed, check and try again with that index"));
            assertEquals(winner, choice().get("name").asText());
            assertEquals(index + 1, choice().get("index").asLong());
        }
    }

    private static Reply overRest(String name, long index) throws Exception {
        Answer answer = cluster.send("PUT", "policies/matching", Map.of("name", name, "index", index));
        assertTrue(answer.toString(), answer.status() == 200 || answer.status() == 409);
        if (answer.status() == 409) {
            assertEquals(index + 1, answer.body().get("current").get("index").asLong());
        }
        return new Reply(answer.status() == 200, answer.body().toString());
    }

    private static Reply byCommandLine(String name, long index) throws Exception {
        Outcome outcome = cluster.commandLine("policy", "use", "--check-index", Long.toString(index), "matching", name);
        assertTrue(outcome.toString(), outcome.exit() == 0 || outcome.exit() == 2);
        return new Reply(outcome.exit() == 0, outcome.text());
    }

    private static Reply inTheShell(String name, long index) throws Exception {
        String text = cluster.shell("berth:policy-use -i " + index + " matching " + name)
                .text();
        boolean won = text.contains("From the next decision on: matching " + name + " (index " + (index + 1) + ")");
        assertNotEquals(text, won, text.contains("another change came first"));
        return new Reply(won, text);
    }

    @Test
    public void ofManyContendersExactlyOneWinsEachIndexAndTheHistoryHasNoGap() throws Exception {
        int rounds = 20;
        int contenders = 12;
        overRest(FIRST_FIT, choice().get("index").asLong());
        long first = choice().get("index").asLong();
        ExecutorService threads = Executors.newFixedThreadPool(contenders);
        try {
            for (int round = 0; round < rounds; round++) {
                long index = first + round;
                String policy = round % 2 == 0 ? SPREAD : FIRST_FIT;
                CyclicBarrier begin = new CyclicBarrier(contenders);
                List<Future<Answer>> answers = new ArrayList<>();
                for (int contender = 0; contender < contenders; contender++) {
                    String selector = contender % 2 == 0 ? policy : "(io.berth.policy.name=" + policy + ")";
                    answers.add(threads.submit(() -> {
                        begin.await(20, TimeUnit.SECONDS);
                        return cluster.send("PUT", "policies/matching", Map.of("name", selector, "index", index));
                    }));
                }
                List<String> winners = new ArrayList<>();
                Set<String> learned = new HashSet<>();
                for (Future<Answer> future : answers) {
                    Answer answer = future.get(30, TimeUnit.SECONDS);
                    if (answer.status() == 200) {
                        winners.add(answer.body().get("name").asText());
                    } else {
                        assertEquals(answer.toString(), 409, answer.status());
                        learned.add(answer.body().get("current").get("name").asText());
                        assertEquals(
                                index + 1,
                                answer.body().get("current").get("index").asLong());
                    }
                }
                assertEquals("winners of index " + index, 1, winners.size());
                assertEquals("all others learn the winner", Set.copyOf(winners), learned);
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(first + rounds, choice().get("index").asLong());
        Await.until(
                "the last choice in the history",
                LIMIT,
                () -> recorded(first + rounds).isPresent());

        List<Long> indexes = new ArrayList<>();
        for (JsonNode swap : cluster.get("policies/history?kind=matching&limit=1000")) {
            if (swap.get("owner").asText().equals("pool default")
                    && swap.get("index").asLong() > first) {
                assertEquals(swap.toString(), "use by REST", swap.get("cause").asText());
                indexes.add(swap.get("index").asLong());
            }
        }
        List<Long> newestFirst = new ArrayList<>();
        for (long index = first + rounds; index > first; index--) {
            newestFirst.add(index);
        }
        assertEquals("each change is in the history once", newestFirst, indexes);
    }

    @Test
    public void aChoiceSurvivesTheControlPlaneHoweverItEnds() throws Exception {
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", FIRST_FIT))
                        .status());
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", SPREAD)).status());
        JsonNode chosen = choice();
        JsonNode newest = newestSwap(chosen);
        cluster.stop();
        cluster.start();
        assertDecides(chosen);
        assertRemembers(newest);

        Answer reverted = cluster.send(
                "POST",
                "policies/matching/revert",
                Map.of("index", chosen.get("index").asLong()));
        assertEquals(reverted.toString(), 200, reverted.status());
        assertEquals(
                "earlier records are kept too",
                FIRST_FIT,
                reverted.body().get("name").asText());
        JsonNode kept = choice();
        cluster.kill();
        cluster.start();
        assertDecides(kept);
        assertEquals(chosen.get("index").asLong() + 1, kept.get("index").asLong());
        assertRemembers(newest);

        Reply late = overRest(SPREAD, chosen.get("index").asLong());
        assertTrue("an index from before is refused: " + late, !late.won());
    }

    /** The record of the last choice, which the history has as soon as the planner follows it. */
    private static JsonNode newestSwap(JsonNode chosen) throws Exception {
        long index = chosen.get("index").asLong();
        Await.until(
                "choice " + index + " in the history",
                LIMIT,
                () -> recorded(index).isPresent());
        JsonNode swap = recorded(index).orElseThrow();
        assertEquals(swap.toString(), SPREAD, swap.get("to").get("name").asText());
        return swap;
    }

    private static Optional<JsonNode> recorded(long index) throws Exception {
        for (JsonNode swap : cluster.get("policies/history?kind=matching&limit=1000")) {
            if (swap.get("owner").asText().equals("pool default")
                    && swap.get("cause").asText().equals("use by REST")
                    && swap.get("index").asLong() == index) {
                return Optional.of(swap);
            }
        }
        return Optional.empty();
    }

    /** The history of a later control plane has a record of an earlier one, at the same place. */
    private static void assertRemembers(JsonNode swap) throws Exception {
        List<JsonNode> same = new ArrayList<>();
        for (JsonNode one : cluster.get("policies/history?kind=matching&limit=1000")) {
            if (one.get("number").asLong() == swap.get("number").asLong()) {
                same.add(one);
            }
        }
        assertEquals("records of number " + swap.get("number"), 1, same.size());
        for (String field : List.of("/wallMillis", "/owner", "/cause", "/index", "/from/name", "/to/name")) {
            assertEquals(
                    field + " of " + same.get(0), swap.at(field), same.get(0).at(field));
        }
    }

    /** The choice is in effect again, unchanged, and the chosen policy decides because of it. */
    private static void assertDecides(JsonNode before) throws Exception {
        Await.until(() -> "the choice " + before, LIMIT, () -> choice().equals(before));
        String name = before.get("name").asText();
        Await.until(() -> name + " decides", LIMIT, () -> verdict(name).equals("deciding"));
        String text = diagnosis(name).get("text").asText();
        assertTrue(text, text.startsWith("it is chosen: matching is '" + name + "' at index " + before.get("index")));
    }

    @Test
    public void revertGoesBackOneMoreEachTimeAndRejectsAnOutdatedIndex() throws Exception {
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", FIRST_FIT))
                        .status());
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", SPREAD)).status());
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", FIRST_FIT))
                        .status());
        long index = choice().get("index").asLong();

        Answer back = cluster.send("POST", "policies/matching/revert", Map.of("index", index));
        assertEquals(back.toString(), 200, back.status());
        assertEquals(SPREAD, choice().get("name").asText());
        assertEquals("deciding", verdict(SPREAD));
        Answer again = cluster.send("POST", "policies/matching/revert", Map.of("index", index));
        assertEquals(again.toString(), 409, again.status());
        assertEquals(SPREAD, choice().get("name").asText());
        Answer further = cluster.send("POST", "policies/matching/revert", Map.of());
        assertEquals(further.toString(), 200, further.status());
        assertEquals(FIRST_FIT, choice().get("name").asText());
        assertEquals(index + 2, choice().get("index").asLong());
    }

    @Test
    public void diagAndReleaseWorkForRealBundles() throws Exception {
        Path folder = Files.createTempDirectory(cluster.home(), "bundles");
        Path failing = OperatorBundles.failing(folder);
        Path unresolved = OperatorBundles.offering(folder, "unresolved", "com.example.missing");
        Path idle = OperatorBundles.offering(folder, "idle", "");
        Path older = OperatorBundles.offering(
                folder, "older", "io.berth.spi;version=\"[1.1,2)\",io.berth.spi.matching;version=\"[1.2,2)\"");
        cluster.shell(
                "bundle:install -s file:" + failing,
                "bundle:install file:" + idle,
                "bundle:resolve operators.idle",
                "bundle:install -s file:" + unresolved);
        cluster.shell("bundle:install -s file:" + older);
        cluster.workers(1, LIMIT);

        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", FIRST_FIT))
                        .status());
        assertEquals("deciding", verdict(FIRST_FIT));
        assertEquals("filtered out", verdict(SPREAD));
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", "")).status());
        assertEquals("outranked", verdict(SPREAD));
        assertEquals("not started", verdict("idle"));
        assertEquals("not resolved", verdict("unresolved"));
        String missing = diagnosis("unresolved").get("text").asText();
        assertTrue(missing, missing.contains("com.example.missing"));
        assertEquals("not resolved", verdict("older"));
        String migrate = diagnosis("older").get("text").asText();
        assertTrue(migrate, migrate.contains("there is 2.0.0") && migrate.contains("migrate-a-policy.md"));
        assertEquals(
                404,
                cluster.send("GET", "policies/diagnosis?kind=matching&name=nobody", "")
                        .status());

        Answer healthy = cluster.send("POST", "policies/matching/release", Map.of("name", SPREAD));
        assertEquals(400, healthy.status());
        assertTrue(healthy.toString(), healthy.body().get("error").asText().contains("'spread' is not quarantined"));

        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", "failing"))
                        .status());
        quarantineByJobs();
        String why = diagnosis("failing").get("text").asText();
        assertTrue(why, why.contains("out of order") && why.contains("policy release matching failing"));
        assertEquals("instead of the choice", "deciding", verdict(FIRST_FIT));

        Answer released = cluster.send("POST", "policies/matching/release", Map.of("name", "failing"));
        assertEquals(released.toString(), 200, released.status());
        assertEquals("deciding", verdict("failing"));
        quarantineByJobs();
        Outcome byLine =
                cluster.commandLine("policy", "release", "matching", "failing").well();
        assertTrue(byLine.text(), byLine.text().contains("May decide again: matching failing"));
        Outcome diag =
                cluster.commandLine("policy", "diag", "matching", "failing").well();
        assertTrue(diag.text(), diag.text().contains("deciding"));

        cluster.shell("bundle:uninstall operators.failing").well();
        Await.until(
                "the failing policy is gone",
                LIMIT,
                () -> cluster.send("GET", "policies/diagnosis?kind=matching&name=failing", "")
                                .status()
                        == 404);
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", FIRST_FIT))
                        .status());
    }

    @Test
    public void f62_withAWrongConfigurationThePreviousGenerationContinuesToDecide() throws Exception {
        ConfigurationFaults faults = new ConfigurationFaults(cluster);
        cluster.workers(1, LIMIT);
        faults.install();
        String shown = faults.inTheShell("config:meta com.example.lastfit").text();
        for (String part : List.of("order", "last-first", "spare.workers", "a whole number from 0 to 1000")) {
            assertTrue(shown, shown.contains(part));
        }
        Decider unconfigured = faults.decider();
        faults.configure("order = first-first", "spare.workers = 1");
        Decider good = faults.deciderAfter(unconfigured);
        for (String[] wrong : new String[][] {
            {"slots.per.worker = 7", "unknown key slots.per.worker", "order, spare.workers"},
            {"spare.workers = 5000", "spare.workers is '5000'", "a whole number from 0 to 1000"},
            {"spare.workers = -1", "spare.workers is '-1'", "a whole number from 0 to 1000"},
            {"spare.workers = many", "spare.workers is 'many'", "a whole number from 0 to 1000"},
            {"order = sideways", "order is 'sideways'", "one of last-first, first-first"},
            {"order = " + "x".repeat(10 << 20), "characters in 2 keys", "at most 65536 are allowed"}
        }) {
            faults.configure(wrong[0].startsWith("order") ? "spare.workers = 0" : "order = last-first", wrong[0]);
            faults.awaitDiagnosis(wrong[1], wrong[2]);
            assertEquals("nothing of it takes effect", good, faults.decider());
        }
        faults.configure("order = first-first", "spare.workers = 1");
        Await.until("the rejection is over", LIMIT, () -> !faults.diagnosis().contains("last good configuration"));
        assertEquals(
                "the previous configuration is back",
                good.policy(),
                faults.decider().policy());
        Decider again = faults.decider();
        faults.inTheShell("config:property-set -p com.example.lastfit spare.workers none");
        faults.awaitDiagnosis("spare.workers is 'none'", "a whole number from 0 to 1000");
        assertEquals(again, faults.decider());
        faults.delete();
        Decider defaults = faults.deciderAfter(again);
        assertTrue(
                "the defaults apply: " + faults.diagnosis(),
                faults.diagnosis().startsWith("deciding") && !faults.diagnosis().contains("last good configuration"));
        assertEquals(defaults, faults.decider());
        faults.configure("order = first-first", "spare.workers = 2");
        Decider configured = faults.deciderAfter(defaults);
        faults.inTheShell("config:delete com.example.lastfit");
        faults.deciderAfter(configured);
        Await.until("the file is gone, too", LIMIT, () -> !faults.hasFile());
        faults.uninstall();
        assertEquals(
                200,
                cluster.send("PUT", "policies/matching", Map.of("name", FIRST_FIT))
                        .status());
    }

    /** Lets jobs run until the chosen policy has failed often enough; no job is affected. */
    private static void quarantineByJobs() throws Exception {
        String bundle = cluster.bundle(BerthContainer.file("berth.sequence.jar").toPath());
        Set<String> jobs = new TreeSet<>();
        Await.until("the failing policy is quarantined", LIMIT, () -> {
            String job = cluster.submit(Jobs.sequence("unnoticed", bundle, 100, 0, 1, 1));
            jobs.add(job);
            cluster.finished(job, LIMIT);
            return verdict("failing").equals("quarantined");
        });
        for (String job : jobs) {
            assertEquals(0, cluster.get("jobs/" + job).get("restarts").asInt());
        }
    }

    private static JsonNode choice() throws Exception {
        for (JsonNode choice : cluster.get("policies").get("choices")) {
            if (choice.get("kind").asText().equals("matching")) {
                return choice;
            }
        }
        throw new AssertionError("no choice of a matching strategy in " + cluster.get("policies"));
    }

    private static JsonNode diagnosis(String name) throws Exception {
        return cluster.get("policies/diagnosis?kind=matching&name=" + name).get(0);
    }

    private static String verdict(String name) throws Exception {
        return diagnosis(name).get("verdict").asText();
    }

    /** Starts all, and waits for each. */
    private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
        CyclicBarrier begin = new CyclicBarrier(calls.size());
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> call : calls) {
                futures.add(threads.submit(() -> {
                    begin.await(20, TimeUnit.SECONDS);
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
