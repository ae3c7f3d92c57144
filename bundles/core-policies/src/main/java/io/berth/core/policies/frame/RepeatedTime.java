package io.berth.core.policies.frame;

import io.berth.core.policies.frame.TimeAnswers.Run;
import io.berth.core.policies.registration.CallTime;
import java.util.List;
import java.util.function.LongSupplier;

/** The time of a call that is made again: it gives the recorded answers. Thread-safe. */
public final class RepeatedTime implements CallTime {

    private final CallTime otherwise;
    private final Answers now;
    private final Answers remaining;

    /** @param otherwise answers what the recorded call did not read */
    public RepeatedTime(TimeAnswers recorded, CallTime otherwise) {
        this.otherwise = otherwise;
        this.now = new Answers(recorded.now());
        this.remaining = new Answers(recorded.remaining());
    }

    private static final class Answers {
        private final List<Run> runs;
        private int run;
        private long given;

        private Answers(List<Run> runs) {
            this.runs = runs;
        }

        /** The last answer stays when all were given. */
        private synchronized long next(LongSupplier otherwise) {
            if (runs.isEmpty()) {
                return otherwise.getAsLong();
            }
            if (given == runs.get(run).count() && run < runs.size() - 1) {
                run++;
                given = 0;
            }
            if (given < runs.get(run).count()) {
                given++;
            }
            return runs.get(run).millis();
        }
    }

    @Override
    public long now() {
        return now.next(otherwise::now);
    }

    @Override
    public long remainingMillis() {
        return remaining.next(otherwise::remainingMillis);
    }
}
