package io.berth.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.Clock;
import io.berth.runtime.process.TaskLog.Stream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrintedLogTest {

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream toOut = new ByteArrayOutputStream();
    private final ByteArrayOutputStream toErr = new ByteArrayOutputStream();
    private final Time time = new Time();
    private final PrintedLog log = new PrintedLog(time);

    private static final class Time implements Clock {

        private long millis;

        @Override
        public long nanos() {
            return millis * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis;
        }
    }

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(toOut, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(toErr, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() {
        System.setOut(out);
        System.setErr(err);
    }

    private static List<String> lines(ByteArrayOutputStream printed) {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void printsToTheStreamsThatTheWorkerSortsByTask() {
        log.line(Stream.OUT, "one");
        log.line(Stream.ERR, "two");

        assertThat(lines(toOut)).containsExactly("one");
        assertThat(lines(toErr)).containsExactly("two");
    }

    @Test
    void leavesOutWhatIsTooMuchAndSaysSo() {
        for (int line = 0; line < PrintedLog.MAX_LINES + 7; line++) {
            log.line(Stream.OUT, "line " + line);
        }
        time.millis += 1_000;
        log.line(Stream.OUT, "later");

        assertThat(lines(toOut))
                .hasSize(PrintedLog.MAX_LINES + 2)
                .endsWith("line 499", "[berth: 7 lines are left out: at most 500 in a second are kept]", "later");
    }
}
