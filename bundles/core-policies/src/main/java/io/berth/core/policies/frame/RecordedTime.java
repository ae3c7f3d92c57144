package io.berth.core.policies.frame;

import io.berth.core.policies.frame.TimeAnswers.Run;
import io.berth.core.policies.registration.CallTime;
import java.util.ArrayList;
import java.util.List;

/** The time of a call, with a record of its answers. Thread-safe: a policy may read it on threads of its own. */
public final class RecordedTime implements CallTime {

    /** Of a call that is debugged for long, later answers are not recorded. */
    private static final int MAX_RUNS = 10_000;

    private final CallTime time;
    private final Answers now = new Answers();
    private final Answers remaining = new Answers();

    public RecordedTime(CallTime time) {
        this.time = time;
    }

    private static final class Answers {
        private List<Run> runs = List.of();
        private long millis;
        private long count;

        private synchronized long add(long answer) {
            if (count > 0 && answer != millis) {
                end();
            }
            millis = answer;
            count++;
            return answer;
        }

        private void end() {
            if (runs.isEmpty()) {
                runs = new ArrayList<>();
            }
            if (runs.size() < MAX_RUNS) {
                runs.add(new Run(millis, count));
            }
            count = 0;
        }

        private synchronized List<Run> runs() {
            if (count > 0) {
                end();
            }
            return List.copyOf(runs);
        }
    }

    @Override
    public long now() {
        return now.add(time.now());
    }

    @Override
    public long remainingMillis() {
        return remaining.add(time.remainingMillis());
    }

    /** What was answered up to now. */
    public TimeAnswers answers() {
        return new TimeAnswers(now.runs(), remaining.runs());
    }
}
