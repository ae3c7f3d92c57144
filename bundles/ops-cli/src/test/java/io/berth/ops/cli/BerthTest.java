package io.berth.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import io.berth.ops.cli.job.Uploads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BerthTest {

    private static final String WAITING = job("WaitingForResources", 0, "waiting: needs 2 slots");
    private static final String EXECUTING = job("Executing", 500, "");
    private static final String FINISHED = job("Finished", 1000, "");

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ManualClock clock = new ManualClock();
    private final CountDownLatch stopped = clock.latch();
    private int columns;
    private StubControlPlane plane;

    @BeforeEach
    void open() throws IOException {
        plane = new StubControlPlane();
    }

    @AfterEach
    void close() {
        plane.close();
    }

    private static String job(String status, long exchanged, String reason) {
        return job(status, exchanged, reason, 0);
    }

    private static String job(String status, long exchanged, String reason, int restarts) {
        return """
                {"id": "words-1", "name": "words", "status": "%s", "reason": "%s", "queue": "default",
                 "pool": "default", "runMillis": 13, "slots": [], "submittedMillis": 500,
                 "startedMillis": 1000, "endedMillis": 55200, "restarts": %d,
                 "groups": [{"name": "default", "desired": 2, "acquired": 1}],
                 "vertices": [{"name": "count", "operator": "word-count", "exchangedIn": %d}],
                 "history": [{"wallMillis": 0, "status": "Created", "reason": ""}]}
                """.formatted(status, reason, restarts, exchanged);
    }

    private int berth(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--url")) {
            all.addAll(List.of("--url", plane.url()));
        }
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                columns,
                Map.of(),
                home,
                clock,
                stopped);
        return Berth.run(terminal, all.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void listsJobsAsATable() {
        plane.on("GET /v1/jobs", 200, "[" + WAITING + "]");

        assertThat(berth("jobs")).isZero();

        assertThat(out().lines().toList()).hasSize(2);
        assertThat(out()).contains("ID       NAME").contains("words-1  words  WaitingForResources");
    }

    @Test
    void showsWhyAJobWaitsAsACodeInTheListAndAsATree() {
        String why = """
                "waiting": {"firstMillis": 0, "currentMillis": 1000,
                  "first": {"code": "NO_STRATEGY", "count": 0, "text": "no matching strategy", "causes": []},
                  "current": {"code": "POOL_LIMIT", "count": 0, "text": "needs 3 x {1 cpu, 4 GiB}, 1 fits", "causes": [
                    {"code": "NO_MEMORY", "count": 14, "text": "14 workers have cpu but no memory", "causes": []}]}},
                "queue":""";
        String waiting = WAITING.replaceFirst("\"queue\":", why);
        plane.on("GET /v1/jobs", 200, "[" + waiting + "]").on("GET /v1/jobs/words-1", 200, waiting);

        assertThat(berth("jobs")).isZero();
        assertThat(out()).contains("WHY").contains("WaitingForResources  POOL_LIMIT  default");
        assertThat(berth("job", "words-1")).isZero();
        assertThat(out().lines().toList())
                .containsSubsequence(
                        "waits since 1970-01-01T00:00:01Z for",
                        "  POOL_LIMIT: needs 3 x {1 cpu, 4 GiB}, 1 fits",
                        "    NO_MEMORY 14: 14 workers have cpu but no memory",
                        "first cause, of 1970-01-01T00:00:00Z",
                        "  NO_STRATEGY: no matching strategy");
    }

    @Test
    void saysWhetherTheExpectedRunTimeOfAJobWasLearned() {
        plane.on(
                        "GET /v1/jobs/stated",
                        200,
                        WAITING.replaceFirst("\"queue\":", "\"expectedRuntimeMillis\": 300000, \"queue\":"))
                .on(
                        "GET /v1/jobs/learned",
                        200,
                        WAITING.replaceFirst(
                                "\"queue\":",
                                "\"expectedRuntimeMillis\": 300000, \"runtimeLearnedFrom\": 3, \"queue\":"));

        assertThat(berth("job", "stated")).isZero();
        assertThat(out().lines()).contains("expected to run for 5 min");
        assertThat(berth("job", "learned")).isZero();
        assertThat(out().lines()).contains("expected to run for 5 min, learned from 3 earlier runs");
    }

    @Test
    void aListIsReadPageByPage() {
        plane.onPage("GET /v1/jobs", "[" + job("Failed", 0, "of the first page") + "]", "/v1/jobs?after=1&limit=1000")
                .on("GET /v1/jobs?after=1&limit=1000", 200, "[" + job("Failed", 0, "of the last page") + "]");

        assertThat(berth("jobs")).isZero();

        assertThat(out()).contains("of the first page").contains("of the last page");
    }

    @Test
    void theListOfJobsShortensLongReasons() {
        plane.on("GET /v1/jobs", 200, "[" + job("Failed", 0, "x".repeat(500)) + "]");

        assertThat(berth("jobs")).isZero();

        assertThat(out()).contains("x".repeat(77) + "...").doesNotContain("x".repeat(78));
    }

    @Test
    void theErrorForAnUnknownJobNamesTheCommandThatListsJobs() {
        plane.on("GET /v1/jobs/x", 404, "{\"error\": \"no job 'x'\"}");
        plane.on("POST /v1/jobs/x/cancel", 404, "{\"error\": \"no job 'x'\"}");

        assertThat(berth("job", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("cancel", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err().lines())
                .filteredOn(line -> line.equals("berth: no job 'x': 'berth jobs' lists all"))
                .hasSize(2);
    }

    @Test
    void listsJobsAsJson() {
        plane.on("GET /v1/jobs", 200, "[" + WAITING + "]");

        assertThat(berth("jobs", "-o", "json")).isZero();

        assertThat(out()).startsWith("[ {").contains("\"status\" : \"WaitingForResources\"");
    }

    @Test
    void runFollowsAJobToItsEnd() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, WAITING)
                .on("GET /v1/jobs/words-1", 200, EXECUTING)
                .on("GET /v1/jobs/words-1", 200, FINISHED);

        assertThat(berth("run", file.toString())).isZero();

        assertThat(plane.requests().get(0)).isEqualTo("POST /v1/jobs name: words\n");
        assertThat(err())
                .contains("words-1  WaitingForResources")
                .contains("slots 1 of 2")
                .contains("needs 2 slots")
                .contains("records 1,000");
        assertThat(out()).contains("Job words-1 Finished after 54.2 s, 1000 records");
    }

    @Test
    void aSubmissionWithoutAnAnswerIsRepeatedWithItsKey() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 503, "{\"error\": \"no answer within 10000 ms; try again\"}")
                .on("POST /v1/jobs", 200, "{\"id\": \"words-1\"}");

        assertThat(berth("run", file.toString(), "--detach")).isZero();

        assertThat(plane.keys()).hasSize(2);
        assertThat(plane.keys().get(0))
                .matches("[A-Za-z0-9._-]{1,100}")
                .isEqualTo(plane.keys().get(1));
        assertThat(out()).isEqualTo("words-1" + System.lineSeparator());
    }

    @Test
    void theErrorForASubmissionWithoutAnAnswerNamesItsKey() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 503, "{\"error\": \"no answer within 10000 ms; try again\"}");

        assertThat(berth("run", file.toString(), "--key", "mine")).isEqualTo(ExitCode.NOT_REACHABLE);

        assertThat(plane.keys()).hasSize(3).containsOnly("mine");
        assertThat(err()).contains("with --key mine the job is not submitted twice");
    }

    @Test
    void theSummaryOfAJobNamesItsWholeRunTimeAndItsAttempts() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, job("Failed", 0, "no luck", 10));

        berth("run", file.toString());

        assertThat(out()).contains("Job words-1 Failed after 54.2 s in 11 attempts");
    }

    @Test
    void withoutATerminalRestartsThatDifferOnlyInNumbersArePrintedOnce() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");
        for (int i = 1; i <= 10; i++) {
            plane.on("GET /v1/jobs/words-1", 200, job("Executing", 0, "", i - 1));
            plane.on(
                    "GET /v1/jobs/words-1",
                    200,
                    job("Restarting", 0, "task a[0] of execution " + i + " on worker w" + i % 2 + " failed", i));
        }
        plane.on("GET /v1/jobs/words-1", 200, job("Failed", 0, "too often", 10));

        berth("run", file.toString());

        assertThat(err().lines().filter(line -> line.startsWith("words-1  ")))
                .as("one line for each state within 10 s, and the end")
                .hasSize(3);
        assertThat(err()).contains("restarts 10");
    }

    @Test
    void withoutATerminalOnlyChangesArePrintedWithTheWholeReason() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        String reason = "restarting: " + "x".repeat(300) + " /the/path/that/matters";
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");
        for (int i = 0; i < 50; i++) {
            plane.on("GET /v1/jobs/words-1", 200, job("Restarting", i, reason));
        }
        plane.on("GET /v1/jobs/words-1", 200, FINISHED);

        assertThat(berth("run", file.toString())).isZero();

        assertThat(err().lines().filter(line -> line.contains("Restarting")))
                .as("the first one, and one every 10 s within 25 s")
                .hasSize(3)
                .allMatch(line -> line.endsWith("/the/path/that/matters"));
    }

    @Test
    void runHasAnExitCodeForAFailedJob() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, job("Failed", 0, "operator threw"));

        assertThat(berth("run", file.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("job words-1 Failed: operator threw");
    }

    @Test
    void runHasAnExitCodeForAClusterThatIsTooSmall() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, failed("in other words", "WaitingForResources"));

        assertThat(berth("run", file.toString())).isEqualTo(ExitCode.CANNOT_RUN);
    }

    @Test
    void textFromATaskDoesNotDecideTheExitCode() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, failed("not enough resources", "WaitingForResources", "Executing"));

        assertThat(berth("run", file.toString())).isEqualTo(ExitCode.FAILED);
    }

    private static String failed(String reason, String... states) {
        String history = Stream.concat(Stream.of(states), Stream.of("Failed"))
                .map(state -> ", {\"wallMillis\": 1, \"status\": \"" + state + "\", \"reason\": \"\"}")
                .collect(Collectors.joining());
        return job("Failed", 0, reason).replace("\"reason\": \"\"}]", "\"reason\": \"\"}" + history + "]");
    }

    @Test
    void runWaitsAsLongAsAControlPlaneTakesToStart() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");
        for (int i = 0; i < 100; i++) {
            plane.on("GET /v1/jobs/words-1", 503, "{\"error\": \"the Dispatcher begins\"}");
        }
        plane.on("GET /v1/jobs/words-1", 200, FINISHED);

        assertThat(berth("run", file.toString())).isZero();
        assertThat(err()).containsOnlyOnce("the Dispatcher begins").contains("waiting for it up to 180 s");
    }

    @Test
    void controlCharactersFromATaskAreNotPrinted() throws IOException {
        String escape = "\\u001b[2J\\u009b1m\\u202e";
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, job("Executing", 0, "bad " + escape + " text"))
                .on("GET /v1/jobs/words-1", 200, job("Failed", 0, "bad " + escape + " text"));

        berth("run", file.toString());
        berth("job", "words-1");

        assertThat(out() + err()).contains("bad  [2J 1m  text").doesNotContain("\u001b", "\u009b", "\u202e");
    }

    @Test
    void runDetachedPrintsOnlyTheId() throws IOException {
        Path file = Files.writeString(home.resolve("job.json"), "{\"name\": \"words\"}");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");

        assertThat(berth("run", file.toString(), "--detach")).isZero();

        assertThat(out()).isEqualTo("words-1" + System.lineSeparator());
        assertThat(plane.requests()).hasSize(1);
    }

    @Test
    void theJobContinuesWhenTheUserStopsTheCommand() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}").on("GET /v1/jobs/words-1", 200, EXECUTING);
        stopped.countDown();

        assertThat(berth("run", file.toString())).isZero();
        assertThat(err()).contains("job words-1 continues");
    }

    @Test
    void runUploadsBundlesThatAreNamedByPath() throws IOException {
        Path jar = Files.writeString(home.resolve("words.jar"), "abc");
        String hash = Uploads.hash(jar);
        Path file = Files.writeString(
                home.resolve("job.yaml"), "name: words # caf\u00e9 \uD83D\uDE00\nbundles: [file:words.jar]\n");
        plane.on("PUT /v1/bundles/" + hash, 201, "{\"sha256\": \"" + hash + "\"}")
                .on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");

        assertThat(berth("run", file.toString(), "--detach")).isZero();

        assertThat(plane.requests())
                .containsExactly(
                        "GET /v1/bundles/" + hash,
                        "PUT /v1/bundles/" + hash + " abc",
                        "POST /v1/jobs name: words # caf\u00e9 \uD83D\uDE00\nbundles: [\"" + hash + "\"]\n");
    }

    @Test
    void runUploadsNoBundleThatIsAlreadyStored() throws IOException {
        Path jar = Files.writeString(home.resolve("words.jar"), "abc");
        String hash = Uploads.hash(jar);
        Path file = Files.writeString(home.resolve("job.json"), "{\"bundles\": [\"words.jar\"], \"name\": \"words\"}");
        plane.on("GET /v1/bundles/" + hash, 200, "{}").on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");

        assertThat(berth("run", file.toString(), "--detach")).isZero();

        assertThat(plane.requests()).hasSize(2);
        assertThat(plane.requests().get(1)).contains("{\"bundles\": [\"" + hash + "\"], \"name\"");
    }

    @Test
    void runPrintsAllProblemsOfADescription() throws IOException {
        Path file = Files.writeString(home.resolve("job.yaml"), "name: [\n");
        plane.on("POST /v1/jobs", 400, """
                {"error": "the job description has 2 problems; nothing was submitted", "problems": [
                 {"field": "name", "given": "missing", "allowed": "a name"},
                 {"field": "", "given": "empty", "allowed": "a mapping"}]}
                """);

        assertThat(berth("run", file.toString())).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err())
                .contains("2 problems; nothing was submitted")
                .contains("  name is missing: a name")
                .contains("  job description is empty: a mapping");
    }

    @Test
    void refusesFilesThatCannotBeRead() {
        assertThat(berth("run", "/nowhere/job.yaml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("/nowhere/job.yaml cannot be read");
    }

    @Test
    void saysWhatToDoWhenTheControlPlaneIsNotReachable() throws IOException {
        assertThat(berth("workers", "--url", unused())).isEqualTo(ExitCode.NOT_REACHABLE);
        assertThat(err()).contains("is not reachable").contains("berth master start");
    }

    private static String unused() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    @Test
    void asksTheControlPlaneThatServesOfSeveral() throws IOException {
        plane.on("GET /v1/jobs", 200, "[" + job("Failed", 0, "of the leader") + "]");

        assertThat(berth("jobs", "--url", unused() + "," + plane.url())).isZero();
        assertThat(berth("jobs", "--url", unused(), "--url", plane.url())).isZero();
        assertThat(out().split("of the leader", -1)).hasSize(3);
    }

    @Test
    void refusesAnInvalidAddress() {
        assertThat(berth("workers", "--url", "nonsense")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("'nonsense'");
    }

    @Test
    void reportsAnAnswerThatIsNotFromAControlPlane() {
        plane.on("GET /v1/workers", 200, "<html>");

        assertThat(berth("workers")).isEqualTo(ExitCode.NOT_REACHABLE);
        assertThat(err()).contains("not a Berth control plane");
    }

    @Test
    void reportsThatTheControlPlaneGotNoAnswer() {
        plane.on("GET /v1/slots", 503, "{\"error\": \"no answer within 10000 ms; try again\"}");

        assertThat(berth("slots")).isEqualTo(ExitCode.NOT_REACHABLE);
        assertThat(err()).contains("no answer within 10000 ms");
    }

    @Test
    void showsAndCancelsOneJob() {
        plane.on("GET /v1/jobs/words-1", 200, EXECUTING)
                .on("POST /v1/jobs/words-1/cancel", 202, "{\"id\": \"words-1\"}");

        assertThat(berth("job", "words-1")).isZero();
        assertThat(out())
                .contains("Job words-1 (words): Executing")
                .contains("word-count")
                .contains("1970-01-01");
        assertThat(berth("cancel", "words-1")).isZero();
        assertThat(out()).contains("words-1 is being canceled");
        assertThat(berth("job", "nobody")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void showsWhatHappenedToAJob() {
        plane.on("GET /v1/jobs/words-1/history", 200, """
                {"states": [{"wallMillis": 0, "status": "Created", "reason": ""}],
                 "failures": [{"execution": 4, "othersInAll": 9,
                   "cause": {"wallMillis": 5000, "task": "count[3]", "worker": "w-1",
                     "text": "task count[3] failed: \\u001b[2Jboom", "stack": "java.io.IOException: boom\\n\\tat Count.map"},
                   "others": [{"task": "sink[0]", "worker": "w-2"}]}],
                 "rescales": [{"startedMillis": 7000, "kind": "RESCALE", "trigger": "more slots",
                   "policy": "scaling reactive", "outcome": "JOB_ENDED",
                   "vertices": [{"name": "read", "before": 1, "after": 1}, {"name": "count", "before": 2, "after": 3}],
                   "groups": [{"name": "default", "before": 2, "after": 0}],
                   "phases": [{"status": "Restarting", "millis": 40}, {"status": "Executing", "millis": 1960}]}]}
                """);

        assertThat(berth("job", "words-1", "--history")).isZero();
        assertThat(out())
                .contains("1970-01-01T00:00:00Z Created\n")
                .contains("1970-01-01T00:00:05Z execution 4 failed: task count[3] failed:  [2Jboom\n")
                .contains("    java.io.IOException: boom\n    \tat Count.map\n")
                .contains("  9 other tasks failed with it: sink[0] on worker w-2, ...\n")
                .contains("1970-01-01T00:00:07Z  rescale  job ended  2.0 s ")
                .contains("Restarting 40 ms, Executing 1.9 s ")
                .contains("  count 2 -> 3  default 2 -> ?  more slots (scaling reactive)");
        assertThat(berth("job", "nobody", "--history")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void listsWhyAChoiceIsNotInEffect() {
        plane.on("GET /v1/policies", 200, """
                {"policies": [], "choices": [
                  {"kind": "matching", "name": "best-fit", "index": 1,
                   "obstacle": "is not there: first-fit decides in its place"},
                  {"kind": "scaling", "name": "", "index": 0, "obstacle": ""}]}
                """);

        assertThat(berth("policies")).isZero();
        assertThat(out())
                .contains("chosen: matching best-fit (index 1), which is not there: first-fit decides in its place")
                .contains("chosen: scaling by ranking (index 0)\n");
    }

    @Test
    void choosesAPolicy() {
        plane.on("PUT /v1/policies/matching", 200, "{\"kind\": \"matching\", \"name\": \"spread\", \"index\": 5}");

        assertThat(berth("policy", "use", "matching", "spread")).isZero();
        assertThat(plane.requests().get(0).replaceAll("\\s+", " "))
                .isEqualTo("PUT /v1/policies/matching { \"name\" : \"spread\" }");
        assertThat(out()).contains("From the next decision on: matching spread (index 5)");
        assertThat(berth("policy")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void saysForWhichPoolsTheChoiceDoesNotCount() {
        plane.on(
                "PUT /v1/policies/matching",
                200,
                "{\"kind\": \"matching\", \"name\": \"spread\", \"index\": 5, \"notReached\": {\"gpu\": \"first-fit\"}}");

        assertThat(berth("policy", "use", "matching", "spread")).isZero();
        assertThat(out()).contains("Not for pool gpu: etc/io.berth.pool-gpu.cfg names first-fit");
    }

    @Test
    void choosesAPolicyOnlyAtTheExpectedIndex() {
        plane.on(
                "PUT /v1/policies/matching",
                409,
                "{\"error\": \"another change came first: matching is 'spread' at index 4, by shell\"}");

        assertThat(berth("policy", "use", "matching", "spread", "--check-index", "3"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(plane.requests().get(0).replaceAll("\\s+", " "))
                .isEqualTo("PUT /v1/policies/matching { \"index\" : 3, \"name\" : \"spread\" }");
        assertThat(err()).contains("at index 4, by shell");
    }

    @Test
    void revertsToThePreviousChoice() {
        plane.on("POST /v1/policies/matching/revert", 200, "{\"kind\": \"matching\", \"name\": \"\", \"index\": 6}");

        assertThat(berth("policy", "revert", "matching", "--check-index", "5")).isZero();
        assertThat(plane.requests().get(0).replaceAll("\\s+", " "))
                .isEqualTo("POST /v1/policies/matching/revert { \"index\" : 5 }");
        assertThat(out()).contains("From the next decision on: matching by ranking (index 6)");
    }

    @Test
    void beginsAndEndsAShadowAndShowsHowOftenItAgrees() {
        String line = "shadow: matching spread of pool default follows: agrees in 9 of 10 decisions";
        String shadow = "{\"pool\": \"default\", \"kind\": \"matching\", \"line\": \"" + line + "\"}";
        String ofJobs =
                "{\"pool\": \"\", \"kind\": \"scaling\", \"line\": \"shadow: scaling steps of all jobs waits\"}";
        plane.on("PUT /v1/policies/matching/shadow", 200, shadow)
                .on("DELETE /v1/policies/matching/shadow?pool=default", 200, shadow)
                .on("PUT /v1/policies/scaling/shadow", 200, ofJobs)
                .on("GET /v1/policies", 200, "{\"policies\": [], \"choices\": [], \"shadows\": [" + shadow + "]}");

        assertThat(berth("policy", "shadow", "matching", "spread", "--pool", "default"))
                .isZero();
        assertThat(plane.requests().get(0).replaceAll("\\s+", " "))
                .isEqualTo("PUT /v1/policies/matching/shadow { \"name\" : \"spread\", \"pool\" : \"default\" }");
        assertThat(berth("policies")).isZero();
        assertThat(out()).contains(line);
        assertThat(berth("policy", "shadow", "matching", "--off", "--pool", "default"))
                .isZero();
        assertThat(out()).contains("Ended: " + line);
        assertThat(berth("policy", "shadow", "scaling", "steps")).isZero();
        assertThat(out()).contains("scaling steps shadows all jobs");
        assertThat(berth("policy", "shadow", "matching")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("policy", "shadow", "matching", "spread", "--off")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void releasesAPolicyAndShowsWhyAPolicyDoesNotDecide() {
        String diagnosis = """
                [{"kind": "matching", "name": "moody", "version": "1.0.0", "bundle": "b", "verdict": "quarantined",
                  "text": "since 2026: bad mood"}]
                """;
        plane.on("POST /v1/policies/matching/release", 200, "{\"kind\": \"matching\", \"name\": \"moody\"}")
                .on("GET /v1/policies/diagnosis", 200, diagnosis)
                .on("GET /v1/policies/diagnosis?kind=matching&name=moody", 200, diagnosis);

        assertThat(berth("policy", "diag")).isZero();
        assertThat(berth("policy", "diag", "matching", "moody")).isZero();
        assertThat(out()).contains("quarantined  since 2026: bad mood");
        assertThat(berth("policy", "release", "matching", "moody")).isZero();
        assertThat(out()).contains("May decide again: matching moody");
        assertThat(berth("policy", "diag", "cooking")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void listsWhichPolicyDecidedWhen() {
        plane.on("GET /v1/policies/history?kind=matching&limit=20", 200, """
                [{"number": 9, "wallMillis": 1, "kind": "matching", "owner": "pool default", "cause": "use by shell",
                  "from": {"name": "first-fit", "version": "0.1.0", "generation": 1},
                  "to": {"name": "spread", "version": "0.1.0", "generation": 0},
                  "inFlight": 1, "firstDecision": 0, "addedDelayMicros": -1, "index": 4,
                  "refreshed": {"count": 1, "names": ["b.policy"]},
                  "ledger": {"verdict": "nothing changed", "lastDecision": {"hash": "00ff"},
                    "firstBefore": {"hash": "00ff"}}}]
                """);

        assertThat(berth("policy", "history", "--kind", "matching")).isZero();
        assertThat(out())
                .contains("1970-01-01T00:00:00.001Z")
                .contains("use by shell")
                .contains("first-fit 0.1.0 generation 1  spread 0.1.0  1")
                .containsPattern("- +-")
                .contains("1 (b.policy)  nothing changed, 00ff and 00ff");
    }

    @Test
    void filtersDecisions() {
        plane.on("GET /v1/decisions?kind=matching&generation=4&job=words-1&pool=default&after=6&limit=5", 200, """
                [{"number": 7, "owner": "pool default", "stateNumber": 3, "micros": 12, "jobs": ["words-1"],
                  "policies": [{"kind": "matching", "name": "spread", "version": "0.1.0", "generation": 4}],
                  "results": ["a on w-1"], "reasons": ["least used"], "inputs": []}]
                """);

        assertThat(berth(
                        "decisions",
                        "--kind",
                        "matching",
                        "--generation",
                        "4",
                        "--job",
                        "words-1",
                        "--pool",
                        "default",
                        "--after",
                        "6",
                        "--limit",
                        "5"))
                .isZero();
        assertThat(out()).contains("matching spread 0.1.0 generation 4").contains("a on w-1");
    }

    @Test
    void showsTheCandidatesAndTheRoundsOfADecision() {
        plane.on("GET /v1/decisions/7", 200, """
                {"number": 7, "owner": "pool default", "stateNumber": 3, "micros": 12, "jobs": ["words-1"],
                  "policies": [{"kind": "matching", "name": "spread", "version": "0.1.0"}],
                  "candidates": [{"kind": "matching", "name": "greedy", "version": "1", "bundle": "b",
                    "configurationRevision": 2, "verdict": "left out of this decision: takes too much"}],
                  "rounds": ["round 1: greedy takes too much"], "results": [], "reasons": [], "inputs": []}
                """);
        assertThat(berth("decision", "7")).isZero();
        assertThat(out())
                .contains("matching greedy 1 (b), configuration 2: left out of this decision: takes too much")
                .contains("rounds:")
                .contains("round 1: greedy takes too much");
    }

    @Test
    void exportsDecisionsToAFile(@TempDir Path exported) throws Exception {
        Path file = exported.resolve("decisions.journal");
        plane.on("GET /v1/decisions/export?from=3&to=9", 200, "recorded")
                .on("GET /v1/decisions/export", 409, "{\"error\": \"no decisions are recorded\"}");
        assertThat(berth("decisions", "export", "--from", "3", "--to", "9", "--output", file.toString()))
                .isZero();
        assertThat(file).hasContent("recorded");
        assertThat(out()).contains("wrote 8 bytes to " + file);
        assertThat(berth("decisions", "export", "--output", file.toString())).isEqualTo(2);
        assertThat(err()).contains("no decisions are recorded");
        assertThat(file).as("the earlier file").hasContent("recorded");
        assertThat(berth("decisions", "export", "--from", "first")).isEqualTo(2);
        assertThat(err()).contains("option --from is 'first': the number of a decision is allowed");
    }

    @Test
    void blocksAWorkerAndShowsTheRemainingTime() {
        plane.on("POST /v1/workers/w-1/block", 200, "[{\"worker\": \"w-1\", \"millis\": 600000, \"reason\": \"disk\"}]")
                .on("POST /v1/workers/w-1/unblock", 200, "[{\"worker\": \"w-1\", \"millis\": 1, \"reason\": \"disk\"}]")
                .on("GET /v1/workers", 200, """
                        [{"id": "w-1", "state": "registered", "blockedMillis": 540001, "blockedReason": "disk"},
                         {"id": "w-2", "state": "registered", "blockedMillis": 0, "blockedReason": ""}]
                        """);
        assertThat(berth("worker", "block", "w-1", "--for", "10m", "--reason", "disk"))
                .isZero();
        assertThat(berth("workers")).isZero();
        assertThat(berth("worker", "unblock", "w-1")).isZero();

        assertThat(plane.requests().get(0)).contains("\"for\" : \"10m\"").contains("\"reason\" : \"disk\"");
        assertThat(out())
                .contains(
                        "Worker w-1 takes no slots for 10 min: disk",
                        "BLOCKED",
                        "10 min: disk",
                        "Worker w-1 takes slots again");
    }

    @Test
    void listsWhichRequestsForWorkersAreQueued() {
        plane.on("GET /v1/workers", 200, """
                [{"id": "pending-cloud-1", "state": "pending", "queuedMillis": 300000, "queuedReason": "3 before it"},
                 {"id": "w-2", "state": "registered", "queuedMillis": 0, "queuedReason": ""}]
                """);
        assertThat(berth("workers")).isZero();
        assertThat(out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .anySatisfy(line -> assertThat(line).endsWith("QUEUED"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("pending-cloud-1 pending").endsWith("for 5 min: 3 before it"))
                .anySatisfy(line -> assertThat(line).startsWith("w-2").doesNotContain("for"));
    }

    @Test
    void listsHowManyResultsWorkersKeep() {
        plane.on("GET /v1/workers", 200, """
                [{"id": "w-1", "state": "registered", "slots": 4, "results": 12, "total": "{1 cpu}"}]
                """);
        assertThat(berth("workers")).isZero();
        assertThat(out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .anySatisfy(line -> assertThat(line).contains("SLOTS RESULTS TOTAL"))
                .anySatisfy(line -> assertThat(line).startsWith("w-1").contains(" 4 12 {1 cpu}"));
    }

    @Test
    void listsWhatWorkersCost() {
        plane.on("GET /v1/workers", 200, """
                [{"id": "w-1", "state": "registered", "free": "{1 cpu}", "costPerHour": 0.25},
                 {"id": "w-2", "state": "registered", "free": "{2 cpu}", "costPerHour": 0}]
                """);
        assertThat(berth("workers")).isZero();
        assertThat(out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .anySatisfy(line -> assertThat(line).contains("FREE COST/H HEARD"))
                .anySatisfy(line -> assertThat(line).startsWith("w-1").contains("{1 cpu} 0.25 "))
                .anySatisfy(line -> assertThat(line).startsWith("w-2").contains("{2 cpu} - "));
    }

    @Test
    void showsTheWorkerSpecsOfAPool() {
        plane.on("GET /v1/pools/gpu", 200, """
                {"name": "gpu", "queues": [], "specs": [
                  {"backend": "local", "spec": "default", "total": "{2 cpu}", "slots": 2, "workers": 1, "maximum": 4,
                   "costPerHour": 0.25, "startMillis": 2100, "startLearnedFrom": 3},
                  {"backend": "local", "spec": "large", "total": "{8 cpu}", "slots": 8, "workers": 0, "maximum": 1,
                   "costPerHour": 0, "startMillis": 0, "startLearnedFrom": 0}]}
                """);
        assertThat(berth("pool", "gpu")).isZero();
        assertThat(out().lines().map(line -> line.replaceAll(" +", " ").strip()).toList())
                .contains(
                        "SPEC TOTAL SLOTS WORKERS COST/H STARTS IN",
                        "local/default {2 cpu} 2 1 of 4 0.25 3 s, learned from 3 starts",
                        "local/large {8 cpu} 8 0 of 1 - -");
    }

    @Test
    void namesTheProblemOfAnInvalidBlock() {
        plane.on("POST /v1/workers/127.0.0.1%3A9/block", 400, """
                {"error": "the request has 1 problem; nothing was changed",
                 "problems": [{"field": "for", "given": "'10x'", "allowed": "allowed is a number with s, m, h or d"}]}
                """);
        assertThat(berth("worker", "block", "127.0.0.1:9", "--for", "10x", "--reason", "disk"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("nothing was changed", "for is '10x': allowed is a number with s, m, h or d");
    }

    private static final String REQUIREMENTS = """
            {"revision": 3, "vertices": [{"vertex": "source", "minimum": 1, "desired": 1, "maximum": 1},
              {"vertex": "count", "minimum": 1, "desired": 2, "maximum": 4}]}
            """;

    @Test
    void showsAndChangesTheBoundsOfAJob() {
        plane.on("GET /v1/jobs/words-1/requirements", 200, REQUIREMENTS)
                .on(
                        "PUT /v1/jobs/words-1/requirements",
                        200,
                        REQUIREMENTS
                                .replace("\"revision\": 3", "\"revision\": 4")
                                .replace("\"maximum\": 4", "\"maximum\": 8"));
        assertThat(berth("scale", "words-1")).isZero();
        assertThat(out())
                .contains("Job words-1 has requirements of revision 3")
                .contains("count   1        2        4");
        assertThat(berth("scale", "words-1", "count=2:8")).isZero();
        assertThat(out())
                .contains("Job words-1 now has requirements of revision 4")
                .contains("8");
        assertThat(plane.requests().get(plane.requests().size() - 1).replaceAll("\\s", ""))
                .endsWith(
                        "{\"revision\":3,\"vertices\":[{\"vertex\":\"source\",\"minimum\":1,\"desired\":1,\"maximum\":1},"
                                + "{\"vertex\":\"count\",\"minimum\":2,\"desired\":8,\"maximum\":8}]}");
    }

    @Test
    void aScaleThatCannotBeReadChangesNothing() {
        plane.on("GET /v1/jobs/words-1/requirements", 200, REQUIREMENTS);
        assertThat(berth("scale", "words-1", "sink=2")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("berth: vertex is 'sink': allowed are source, count; nothing was changed");
        assertThat(berth("scale", "words-1", "count=2-8")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("'count=2-8': allowed is VERTEX=N, VERTEX=MIN:MAX or VERTEX=MIN:DESIRED:MAX");
        assertThat(plane.requests()).allMatch(request -> request.startsWith("GET"));
    }

    @Test
    void drainsAWorkerAndWaitsUntilItIsEmpty() {
        plane.on(
                        "POST /v1/workers/w-1/drain",
                        200,
                        "[{\"worker\": \"w-1\", \"leavingReason\": \"ann\", \"leavingMillis\": 600000, \"problem\": \"\"}]")
                .on("GET /v1/workers", 200, """
                        [{"id": "w-1", "state": "registered", "spec": "", "leavingReason": "ann",
                          "leavingMillis": 590000}]
                        """)
                .on("GET /v1/slots", 200, "[{\"worker\": \"w-2\", \"job\": \"count\"}]");
        assertThat(berth("worker", "drain", "w-1", "--deadline", "10m", "--reason", "ann", "--wait"))
                .isZero();
        assertThat(plane.requests().get(0)).contains("\"deadline\" : \"10m\"").contains("\"reason\" : \"ann\"");
        assertThat(out()).contains("Worker w-1 takes no slots and leaves within 10 min: ann");
        assertThat(err()).contains("Worker w-1 is empty, and takes no slots: stop it, or use 'berth worker undrain'");
        assertThat(berth("workers")).isZero();
        assertThat(out()).contains("LEAVES");
    }

    @Test
    void labelsAndTaintsAWorker() {
        plane.on(
                "POST /v1/workers/w-1/labels",
                200,
                "[{\"worker\": \"w-1\", \"labels\": {\"zone\": \"a\"}, \"taints\": {}, \"problem\": \"\"}]");
        assertThat(berth("worker", "label", "w-1", "zone=a", "rack-")).isZero();
        assertThat(berth("--url", plane.url(), "worker", "taint", "w-1", "new-"))
                .isZero();
        assertThat(plane.requests().get(0)).contains("labels").contains("\"zone\" : \"a\"", "\"rack\" : null");
        assertThat(plane.requests().get(1)).contains("taints").contains("\"new\" : null");
        assertThat(out()).contains("Worker w-1: labels zone=a, taints none");
    }

    @Test
    void aDrainedWorkerThatIsNotListedMayRegisterAgain() {
        String drained =
                "[{\"worker\": \"w-1\", \"leavingReason\": \"ann\", \"leavingMillis\": -1, \"problem\": \"\"}]";
        plane.on("POST /v1/workers/w-1/drain", 200, drained)
                .on("GET /v1/workers", 200, "[]")
                .on("GET /v1/slots", 200, "[]");
        long before = clock.millis();
        assertThat(berth("worker", "drain", "w-1", "--wait")).isZero();
        assertThat(clock.millis() - before).isGreaterThanOrEqualTo(30_000);
        assertThat(err())
                .contains(
                        "Worker w-1 is not registered; it has ended unless it registers within 30 s",
                        "Worker w-1 has ended");
    }

    @Test
    void aDrainNamesTheUserAndAFailedUndrainSaysWhatToDo() {
        plane.on(
                        "POST /v1/workers/w-1/drain",
                        200,
                        "[{\"worker\": \"w-1\", \"leavingReason\": \"x\", \"leavingMillis\": -1, \"problem\": \"\"}]")
                .on(
                        "POST /v1/workers/w-1/undrain",
                        200,
                        "[{\"worker\": \"w-1\", \"leavingReason\": \"x\", \"leavingMillis\": -1,"
                                + " \"problem\": \"it did not answer\"}]");
        assertThat(berth("worker", "drain", "w-1")).isZero();
        assertThat(plane.requests().get(0)).contains("drained by " + System.getProperty("user.name"));
        assertThat(berth("worker", "undrain", "w-1")).isEqualTo(ExitCode.FAILED);
        assertThat(out()).contains("leaves when it is empty: x; it did not answer");
    }

    @Test
    void statusShowsTheLeaderAndTheLocalStateOfEachRole() {
        plane.on("GET /v1/status", 200, """
                {"version": "0.1.0", "masterAddress": "127.0.0.1:7078", "resourceManager": "serving", "workers": 2,
                 "slots": 3, "roles": [
                   {"role": "dispatcher", "leader": "127.0.0.1:7077", "epoch": 41, "here": "leads"},
                   {"role": "resource-manager", "leader": "127.0.0.1:7078", "epoch": 7, "here": "waits"},
                   {"role": "job-masters", "leader": "", "epoch": 0, "here": "none"}]}
                """);
        assertThat(berth("status")).isZero();

        assertThat(out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .containsExactly(
                        "Berth 0.1.0, workers join at 127.0.0.1:7078: 2 are registered, 3 slots are allocated",
                        "ROLE LEADER EPOCH HERE",
                        "dispatcher 127.0.0.1:7077 41 leads",
                        "resource-manager 127.0.0.1:7078 7 waits",
                        "job-masters nobody none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "jobs",
                "job",
                "logs",
                "cancel",
                "status",
                "workers",
                "worker block",
                "worker unblock",
                "worker drain",
                "worker undrain",
                "worker label",
                "worker taint",
                "slots",
                "policies",
                "policy",
                "policy use",
                "policy revert",
                "policy history",
                "policy release",
                "policy shadow",
                "policy diag",
                "policy compare",
                "decisions",
                "decision",
                "worker",
                "master",
                "master start",
                "master stop",
                "demo"
            })
    void everyCommandHasHelp(String command) {
        List<String> arguments = new ArrayList<>();
        if (!command.isEmpty()) {
            arguments.addAll(List.of(command.split(" ")));
        }
        arguments.add("--help");

        assertThat(berth(arguments.toArray(String[]::new))).isZero();
        assertThat(out()).contains("Usage: berth " + command).contains("--url").contains("-o");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "run",
                "job",
                "jobs -o xml",
                "decisions --limit many",
                "decision x",
                "worker --cpu 1",
                "policy use matching",
                "worker block w-1",
                "worker block w-1 --for 1m",
                "worker drain",
                "worker drain w-1 --deadline",
                "worker undrain",
                "worker",
                "worker w-1",
                "worker-drain w-1",
                "worker drain w-1 w-2",
                "worker --slots 2 drain w-1",
                "worker drain w-1 --slots 2",
                "worker label w-1"
            })
    void refusesBadCommandLines(String line) {
        assertThat(berth(line.split(" "))).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).isNotEmpty();
        assertThat(plane.requests()).isEmpty();
    }

    @Test
    void namesTheProblemOfTheCommandLineInOneLine() {
        berth("decisons");
        assertThat(err().lines().toList()).hasSize(2);
        assertThat(err())
                .contains("command 'decisons' is not known: did you mean 'decisions'?")
                .contains("'berth --help'");

        berth("worker", "drian", "w-1");
        assertThat(err())
                .contains("command 'drian' is not known: did you mean 'drain'?")
                .contains("'berth worker --help'");

        berth("worker", "--cpu", "1");
        assertThat(err()).contains("Missing required options: '--master=HOST:PORT[,...]', '--memory=M'");

        berth("worker", "--label", "zone=a", "label", "w-1", "zone=b");
        assertThat(err()).contains("option '--label' is one of 'berth worker', not of 'berth worker label'");

        berth("decisions", "--limit", "3", "export");
        assertThat(err()).contains("option '--limit' is one of 'berth decisions', not of 'berth decisions export'");

        berth("master", "--free-ports", "start");
        assertThat(err())
                .contains("option '--free-ports' is one of 'berth master', not of 'berth master start'"
                        + ": write it after 'start'");

        berth("demo", "--slts", "3");
        assertThat(err()).contains("option '--slts' is not known").contains("'berth demo --help'");

        berth("demo", "--slots", "many");
        assertThat(err()).contains("'--slots': 'many' is not a whole number in range");
    }

    @Test
    void aWorkerMayBeNamedAsACommand() {
        assertThat(berth("worker", "--id", "drain", "--master", "h:1", "--cpu", "1", "--memory", "5"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("--memory is '5'");
    }

    @Test
    void listsTheCommandsOfAWorker() {
        assertThat(berth("worker", "--help")).isZero();
        assertThat(out().lines().map(line -> line.strip().split(" ")[0]))
                .contains("drain", "undrain", "block", "unblock", "label", "taint");
        assertThat(out()).contains("berth worker --master=HOST:PORT[,...] --cpu=N --memory=M [OPTIONS]");
    }

    @Test
    void redrawsProgressWithinTheWidthOfTheTerminal() throws IOException {
        columns = 40;
        Path file = Files.writeString(home.resolve("job.yaml"), "name: words\n");
        plane.on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}")
                .on("GET /v1/jobs/words-1", 200, WAITING)
                .on("GET /v1/jobs/words-1", 200, FINISHED);

        assertThat(berth("run", file.toString())).isZero();

        List<String> drawn = List.of(err().split("[\r\n]+"));
        assertThat(drawn)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("words-1  WaitingForResources")
                        .hasSize(39));
        assertThat(drawn)
                .filteredOn(line -> line.startsWith("words-1"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(40));
    }

    @Test
    void knowsTheWidthOfTheTerminal() {
        assertThat(Berth.columns(Optional.empty())).isZero();
        assertThat(Berth.columns(Optional.of("no"))).isZero();
        assertThat(Berth.columns(Optional.of("3"))).isEqualTo(20);
        assertThat(Berth.columns(Optional.of("132"))).isEqualTo(132);
    }

    @Test
    void refusesADemoThatCannotWriteItsOutput() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "");
        Path text = Files.writeString(home.resolve("text"), "a");

        assertThat(berth("demo", "--text", text.toString(), "--output", file.toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("--output is " + file);
        assertThat(home.resolve(".berth")).doesNotExist();
    }

    @Test
    void refusesADemoWithInvalidOptions() throws IOException {
        assertThat(berth("demo", "--workers", "2", "--slots", "1", "--parallelism", "3:4"))
                .isEqualTo(ExitCode.CANNOT_RUN);
        assertThat(berth("demo", "--parallelism", "4:3")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("demo", "--parallelism", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("demo", "--workers", "0")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("demo", "--text", "/nowhere")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("demo", "--policy", "cooking=x")).isEqualTo(ExitCode.BAD_INPUT);
        try (var files = Files.list(home)) {
            assertThat(files).isEmpty();
        }
    }
}
