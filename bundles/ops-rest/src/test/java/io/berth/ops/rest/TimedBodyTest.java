package io.berth.ops.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.time.Clock;
import java.io.ByteArrayInputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimedBodyTest {

    private final AtomicLong now = new AtomicLong(5);
    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return now.get() * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return now.get();
        }
    };

    @Test
    void aBodyThatArrivesInTimeIsReadCompletely() throws Exception {
        TimedBody body = new TimedBody(new ByteArrayInputStream(new byte[] {1, 2, 3}), clock, 100);

        assertThat(body.read()).isEqualTo(1);
        now.addAndGet(100);
        assertThat(body.readAllBytes()).containsExactly(2, 3);
        now.addAndGet(100);
        assertThat(body.read()).isEqualTo(-1);
    }

    @Test
    void aSlowBodyIsRefusedAfterTheTimeout() throws Exception {
        TimedBody body = new TimedBody(new ByteArrayInputStream(new byte[10]), clock, 100);
        body.read();
        now.addAndGet(101);

        assertThatThrownBy(() -> body.readNBytes(5))
                .isInstanceOf(TimedBody.SlowBodyException.class)
                .hasMessageContaining("100 ms")
                .hasMessageContaining("body.timeout.ms");
    }

    @Test
    void aSettingOutOfRangeIsNamed() {
        assertThat(RestServlet.within("answer.timeout.ms", 1, 10)).isEqualTo(1);
        assertThatThrownBy(() -> RestServlet.within("answer.timeout.ms", -1, 10))
                .hasMessage("answer.timeout.ms is -1: allowed is 1 to 10");
    }
}
