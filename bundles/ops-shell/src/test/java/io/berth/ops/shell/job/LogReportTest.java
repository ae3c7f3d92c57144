package io.berth.ops.shell.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.spi.WorkerId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogReportTest {

    private static final WorkerId WORKER = new WorkerId("w-1");
    private static final byte[] TEXT = "one\ntwo\nthree".getBytes(StandardCharsets.UTF_8);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Five bytes at a time; the first two are gone. */
    private static Optional<LogPart> read(WorkerId worker, LogRequest request) {
        if (!worker.equals(WORKER)) {
            return Optional.empty();
        }
        int from = (int) Math.max(request.from() < 0 ? TEXT.length + request.from() : request.from(), 2);
        int next = Math.min(from + 5, TEXT.length);
        return Optional.of(new LogPart(true, from, next, TEXT.length, Arrays.copyOfRange(TEXT, from, next)));
    }

    private List<String> print(Optional<Integer> tail, WorkerId worker) {
        new LogReport(tail, LogReportTest::read)
                .print(worker, LogRequest.ofWorker(0, 0), "a.0 | ", new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void printsALogPartByPart() {
        assertThat(print(Optional.empty(), WORKER))
                .containsExactly("a.0 | [berth: 2 bytes are no longer there]", "a.0 | e", "a.0 | two", "a.0 | three");
    }

    @Test
    void printsTheLastLines() {
        assertThat(print(Optional.of(2), WORKER)).containsExactly("a.0 | two", "a.0 | three");
    }

    @Test
    void aLogThatWasRemovedAfterItWasListedDoesNotEndTheOthers() {
        LogReport report = new LogReport(Optional.empty(), LogReportTest::read);
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        report.printListed(new WorkerId("nobody"), LogRequest.ofWorker(0, 0), "a.0 | ", stream);
        report.printListed(WORKER, LogRequest.ofWorker(0, 0), "a.1 | ", stream);

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.startsWith("a.0 | [berth: no such log of worker 'nobody'"))
                .contains("a.1 | three");
    }

    @Test
    void saysThatThereIsNone() {
        assertThatThrownBy(() -> print(Optional.empty(), new WorkerId("nobody")))
                .hasMessageContaining("no such log of worker 'nobody'");
    }
}
