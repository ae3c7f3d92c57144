package io.berth.runtime.dataflow.connect;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Emits numbers. There is one split, a lane, for each subtask: of {@code n} lanes each has every n-th number. */
final class Generator implements Source<Long> {

    /** About a hundred microseconds of work. */
    private static final int RECORDS_PER_STEP = 1_000;

    private static final long MAX_PAUSE_NANOS = 10_000_000;
    private static final long SECOND = 1_000_000_000;

    private final Settings settings;
    private final Clock clock;
    private int lanes = 1;

    /**
     * What to emit.
     *
     * @param records of all lanes; empty without an end
     * @param rate records per second of all lanes; 0 without a limit
     */
    record Settings(
            OptionalLong records, long rate, boolean random, long start, long seed, long minimum, long maximum) {}

    Generator(Settings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public void open(OperatorContext context) {
        lanes = context.parallelism();
    }

    @Override
    public List<byte[]> enumerateSplits() {
        List<byte[]> splits = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            RecordOutput out = RecordOutput.growing();
            out.writeVarInt(lane);
            out.writeVarInt(lanes);
            splits.add(out.toByteArray());
        }
        return splits;
    }

    @Override
    public SplitReader<Long> read(byte[] split) {
        RecordInput in = new RecordInput(split);
        return new Lane(in.readVarInt(), in.readVarInt());
    }

    /** Each subtask has its lane from the beginning, so that the rate and the order of lanes hold, also without an end. */
    @Override
    public boolean asksAhead() {
        return false;
    }

    private final class Lane implements SplitReader<Long> {
        private final int lane;
        private final int of;
        private final OptionalLong count;
        private final SplittableRandom random;
        private final long begunNanos = clock.nanos();
        private long emitted;
        /** What the rate allowed long ago, and was given up. */
        private long forgiven;

        Lane(int lane, int of) {
            this.lane = lane;
            this.of = of;
            this.count = settings.records().isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(settings.records().getAsLong() / of
                            + (lane < settings.records().getAsLong() % of ? 1 : 0));
            this.random = new SplittableRandom(settings.seed() * 31 + lane);
        }

        @Override
        public boolean step(Collector<Long> out) throws InterruptedException {
            long due = Math.min(RECORDS_PER_STEP, Math.min(left(), due()));
            if (due == 0 && left() > 0) {
                pause();
                return true;
            }
            for (long i = 0; i < due; i++) {
                out.collect(next());
            }
            return left() > 0;
        }

        private long left() {
            return count.isEmpty() ? Long.MAX_VALUE : count.getAsLong() - emitted;
        }

        /** What the rate allows until now and is not emitted yet: at most a second's worth, also after back pressure. */
        private long due() {
            if (settings.rate() == 0) {
                return Long.MAX_VALUE;
            }
            double perNano = (double) settings.rate() / of / SECOND;
            long allowed = (long) ((clock.nanos() - begunNanos) * perNano) + 1;
            long most = Math.max(1, (long) (perNano * SECOND));
            long behind = allowed - emitted - forgiven;
            if (behind > most) {
                forgiven += behind - most;
                behind = most;
            }
            return Math.max(0, behind);
        }

        private void pause() throws InterruptedException {
            LockSupport.parkNanos(Math.min(MAX_PAUSE_NANOS, SECOND * of / settings.rate()));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        private Long next() {
            long number = emitted++;
            if (!settings.random()) {
                return settings.start() + lane + number * of;
            }
            return settings.maximum() == Long.MAX_VALUE
                    ? beyond()
                    : (Long) random.nextLong(settings.minimum(), settings.maximum() + 1);
        }

        /** The upper bound of the library is exclusive, and there is no number above the greatest one. */
        private Long beyond() {
            long minimum = settings.minimum();
            if (minimum == Long.MIN_VALUE) {
                return random.nextLong();
            }
            return random.nextLong(minimum - 1, Long.MAX_VALUE) + 1;
        }

        @Override
        public OptionalLong recordsLeft() {
            return count.isEmpty() ? OptionalLong.empty() : OptionalLong.of(left());
        }
    }
}
