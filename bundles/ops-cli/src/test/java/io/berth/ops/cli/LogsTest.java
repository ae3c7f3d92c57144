package io.berth.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ManualClock clock = new ManualClock();
    private StubControlPlane plane;

    @BeforeEach
    void open() throws IOException {
        plane = new StubControlPlane();
        plane.on("GET /v1/jobs/words-1", 200, job("Executing"));
    }

    @AfterEach
    void close() {
        plane.close();
    }

    private static String job(String status) {
        return "{\"id\": \"words-1\", \"status\": \"" + status
                + "\", \"vertices\": [{\"name\": \"source\"}, {\"name\": \"count\"}]}";
    }

    private static String log(String worker, String name, String vertex, int subtask, int execution) {
        return """
                {"worker": "%s", "log": "%s", "vertices": ["%s", "sink"], "subtask": %d, "epoch": 1,
                 "execution": %d, "restart": 0, "createdMillis": 1, "start": 0, "end": 4}
                """.formatted(worker, name, vertex, subtask, execution);
    }

    private static String logs(String... logs) {
        return "{\"logs\": [" + String.join(",", logs) + "], \"omitted\": 0, \"silent\": []}";
    }

    private static String page(long from, long next, long end, String text) {
        return "{\"from\": %d, \"next\": %d, \"end\": %d, \"text\": \"%s\"}".formatted(from, next, end, text);
    }

    private int berth(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", plane.url()));
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0,
                Map.of(),
                Path.of(""),
                clock,
                clock.latch());
        return Berth.run(terminal, all.toArray(String[]::new));
    }

    private List<String> out() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void showsOneLogPageByPageWithoutLabels() {
        plane.on("GET /v1/jobs/words-1/logs?vertex=count&subtask=1", 200, logs(log("w-1", "1-1", "count", 1, 1)))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=0", 200, page(3, 9, 20, "one\\ntw"))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=9", 200, page(9, 20, 20, "o\\n\\tat X\\u001b[2J"));

        assertThat(berth("logs", "words-1", "count.1")).isZero();

        assertThat(out()).containsExactly("[berth: 3 bytes are no longer there]", "one", "two", "\tat X [2J");
    }

    @Test
    void labelsLinesWithTaskAndAttemptWhenThereAreSeveralLogs() {
        plane.on(
                        "GET /v1/jobs/words-1/logs",
                        200,
                        logs(
                                log("w-1", "1-1", "source", 0, 1),
                                log("w-2", "1-2", "count", 3, 1),
                                log("w-1", "1-3", "count", 3, 2),
                                log("w-1", "removed", "count", 4, 2)))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=0", 200, page(0, 4, 4, "a\\nb\\n"))
                .on("GET /v1/jobs/words-1/logs/w-2/1-2?from=0", 200, page(0, 1, 1, "c"))
                .on("GET /v1/jobs/words-1/logs/w-1/1-3?from=0", 200, page(0, 2, 2, "d\\n"));

        assertThat(berth("logs", "words-1")).isZero();
        assertThat(out())
                .contains("source.0 | a", "source.0 | b", "count.3 | c", "count.3#2 | d")
                .hasSize(4);

        out.reset();
        assertThat(berth("logs", "words-1", "--attempt", "2")).isZero();
        assertThat(out()).containsExactly("count.3#2 | d");
    }

    @Test
    void showsTheLastLines() {
        plane.on("GET /v1/workers/w-1/logs?from=-262144", 200, page(0, 8, 8, "a\\nb\\nc\\nd\\n"));

        assertThat(berth("logs", "--worker", "w-1", "--tail", "2")).isZero();

        assertThat(out()).containsExactly("c", "d");
    }

    @Test
    void followsAJobOverItsRestartsToItsEnd() {
        plane.on("GET /v1/jobs/words-1", 200, job("Executing"))
                .on("GET /v1/jobs/words-1", 200, job("Finished"))
                .on("GET /v1/jobs/words-1/logs", 200, logs(log("w-1", "1-1", "count", 0, 1)))
                .on(
                        "GET /v1/jobs/words-1/logs",
                        200,
                        logs(log("w-1", "1-1", "count", 0, 1), log("w-2", "1-2", "count", 0, 2)))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=0", 200, page(0, 3, 3, "a\\nb"))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=3", 200, page(3, 5, 5, "c\\n"))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=5", 200, page(5, 5, 5, ""))
                .on("GET /v1/jobs/words-1/logs/w-2/1-2?from=0", 200, page(0, 2, 2, "d"));

        assertThat(berth("logs", "words-1", "-f")).isZero();

        assertThat(out()).containsExactly("count.0 | a", "count.0 | bc", "count.0#2 | d");
    }

    @Test
    void followingAsksWorkersNowAndThenAndReadsOnlyWhatHasGrown() {
        List<String> logs = new ArrayList<>();
        for (int subtask = 0; subtask < 9; subtask++) {
            logs.add(log("w-1", "1-" + subtask, "count", subtask, 1));
            plane.on("GET /v1/jobs/words-1/logs/w-1/1-" + subtask + "?from=0", 200, page(0, 4, 4, "one\\n"));
        }
        for (int turn = 0; turn < 20; turn++) {
            plane.on("GET /v1/jobs/words-1", 200, job("Executing"));
        }
        plane.on("GET /v1/jobs/words-1", 200, job("Finished"))
                .on("GET /v1/jobs/words-1/logs", 200, logs(logs.toArray(String[]::new)));

        assertThat(berth("logs", "words-1", "-f")).isZero();

        assertThat(out()).hasSize(9);
        assertThat(plane.requests())
                .filteredOn("GET /v1/jobs/words-1/logs"::equals)
                .hasSizeBetween(4, 6);
        assertThat(plane.requests())
                .filteredOn(request -> request.contains("/logs/"))
                .as("each log once: the list says that it has not grown")
                .hasSize(9);
    }

    @Test
    void saysOnceWhatIsMissingWhileItFollows() {
        String list = "{\"logs\": [], \"omitted\": 0, \"silent\": [\"w-7\"]}";
        plane.on("GET /v1/jobs/words-1", 200, job("Finished")).on("GET /v1/jobs/words-1/logs", 200, list);

        assertThat(berth("logs", "words-1", "-f")).isZero();

        assertThat(err()).containsOnlyOnce("worker w-7 does not answer: its logs are missing");
    }

    @Test
    void labelsAttemptsOfSeveralJobMastersWithTheirEpoch() {
        String next = log("w-2", "1-2", "count", 0, 1).replace("\"epoch\": 1", "\"epoch\": 7");
        plane.on("GET /v1/jobs/words-1/logs", 200, logs(log("w-1", "1-1", "count", 0, 1), next))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=0", 200, page(0, 2, 2, "a\\n"))
                .on("GET /v1/jobs/words-1/logs/w-2/1-2?from=0", 200, page(0, 2, 2, "b\\n"));

        assertThat(berth("logs", "words-1")).isZero();

        assertThat(out()).containsExactly("count.0#1@1 | a", "count.0#1@7 | b");
    }

    @Test
    void aTaskThatWritesFasterThanItIsReadDoesNotKeepTheCommand() {
        plane.on("GET /v1/workers/w-1/logs?from=0", 200, page(0, 2, 4, "a\\n"))
                .on("GET /v1/workers/w-1/logs?from=2", 200, page(2, 4, 400, "b\\n"));

        assertThat(berth("logs", "--worker", "w-1")).isZero();

        assertThat(out()).containsExactly("a", "b");
    }

    @Test
    void saysWhatIsMissing() {
        plane.on("GET /v1/jobs/words-1/logs", 200, "{\"logs\": [], \"omitted\": 2, \"silent\": [\"w-7\"]}");

        assertThat(berth("logs", "words-1")).isZero();

        assertThat(err())
                .contains("worker w-7 does not answer: its logs are missing")
                .contains("2 older logs are left out")
                .contains("there is no log: no such task of job words-1 has begun");
    }

    @Test
    void refusesWhatCannotBeMeant() {
        assertThat(berth("logs")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("logs", "words-1", "--worker", "w-1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("allowed is either a JOB or --worker ID");
        assertThat(berth("logs", "words-1", "nobody.1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("task is 'nobody.1'").contains("the vertices are source, count");
        assertThat(berth("logs", "words-1", "--tail", "-5")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("--tail is '-5': allowed is 0 to 100000");
        assertThat(berth("logs", "--worker", "w-1", "--attempt", "1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(berth("logs", "other")).isEqualTo(ExitCode.BAD_INPUT);
        plane.on("GET /v1/workers/gone/logs?from=0", 404, "{\"error\": \"no log of worker 'gone'\"}");
        assertThat(berth("logs", "--worker", "gone")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("no log of worker 'gone'");
        plane.on("GET /v1/jobs/words-1/logs", 200, logs(log("w-1", "1-1", "count", 0, 1)));
        assertThat(berth("logs", "words-1", "--attempt", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err()).contains("--attempt is 'x': allowed is the number of an execution");
    }

    @Test
    void printsLogsWithTheirTextAsJson() {
        plane.on("GET /v1/jobs/words-1/logs", 200, logs(log("w-1", "1-1", "count", 0, 1)))
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=0", 200, page(0, 4, 4, "a\\nb\\n"));

        assertThat(berth("logs", "words-1", "-o", "json")).isZero();

        assertThat(String.join("", out())).contains("\"execution\" : 1").contains("\"text\" : \"a\\nb\\n\"");
    }

    @Test
    void jsonSaysWhatIsMissingBesideTheResult() {
        String list = logs(log("w-1", "1-1", "count", 0, 1), log("w-1", "removed", "count", 1, 1))
                .replace("\"silent\": []", "\"silent\": [\"w-7\"]");
        plane.on("GET /v1/jobs/words-1/logs", 200, list)
                .on("GET /v1/jobs/words-1/logs/w-1/1-1?from=0", 200, page(0, 2, 2, "a\\n"));

        assertThat(berth("logs", "words-1", "-o", "json")).isZero();

        assertThat(String.join("", out())).contains("\"log\" : \"1-1\"").doesNotContain("removed");
        assertThat(err())
                .contains("worker w-7 does not answer: its logs are missing")
                .contains("logs/w-1/removed");
    }
}
