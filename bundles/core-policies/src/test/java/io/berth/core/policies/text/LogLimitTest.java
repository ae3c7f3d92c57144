package io.berth.core.policies.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogLimitTest {

    @Test
    void whatIsLoggedAboutABundleIsBoundedAndDroppedLinesAreCounted() {
        AtomicLong now = new AtomicLong();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return now.get() * 1_000_000;
            }

            @Override
            public long wallMillis() {
                return now.get();
            }
        };
        LogLimit limit = new LogLimit(clock);
        int logged = 0;
        for (int i = 0; i < 1_000; i++) {
            logged += limit.line("villain").isPresent() ? 1 : 0;
        }
        assertThat(logged).isEqualTo(LogLimit.LINES);
        assertThat(limit.line("another")).hasValue("");
        now.addAndGet(LogLimit.PERIOD_MILLIS);
        assertThat(limit.line("villain")).hasValue(" (960 lines about this bundle were left out)");
        assertThat(limit.line("villain")).hasValue("");
    }
}
