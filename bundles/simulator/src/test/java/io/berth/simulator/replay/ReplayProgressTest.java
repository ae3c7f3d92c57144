package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How often the progress of replays is shown, and what it says. */
class ReplayProgressTest {

    private static final int MANY = 1_000;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long nanos;

    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return nanos / 1_000_000;
        }
    };

    private ReplayProgress progress(int combinations) {
        ReplayInput input = new ReplayInput(
                List.of(Small.node("a", 2)), List.of(Small.job("j", 7_200, 10, 1, "")), List.of(), Optional.empty());
        return new ReplayProgress(
                new PrintStream(err, true, StandardCharsets.UTF_8),
                clock,
                new Scenario(input, Map.of(), new TreeMap<>()),
                combinations);
    }

    private List<String> lines() {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void pass(Replay.Progress progress, long nowMillis) {
        for (int moment = 0; moment < MANY; moment++) {
            progress.at(nowMillis, 1, 5);
        }
    }

    @Test
    void aLineComesEveryFiveSecondsOverAllCombinations() {
        ReplayProgress progress = progress(2);
        Replay.Progress first = progress.of("spread/fifo");
        nanos = 4_000_000_000L;
        pass(first, 10_800_000);
        assertThat(lines()).isEmpty();

        Replay.Progress second = progress.of("spread/drf");
        nanos = 6_000_000_000L;
        pass(second, 10_800_000);
        assertThat(lines()).containsExactly("spread/drf (2 of 2): hour 1, 1 of 1 jobs have arrived, 5 wait");
    }

    @Test
    void oneCombinationIsNotNumbered() {
        Replay.Progress only = progress(1).of("spread");
        nanos = 6_000_000_000L;
        pass(only, 7_200_000);

        assertThat(lines()).containsExactly("spread: hour 0, 1 of 1 jobs have arrived, 5 wait");
    }
}
