package io.berth.testkit;

import io.berth.policy.rules.scaling.DesireResult;
import io.berth.policy.rules.scaling.JudgementResult;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import java.util.Optional;
import java.util.OptionalLong;

/** What a scaling policy returned, judged as the host judges it: what follows a broken rule is not collected. */
public final class RecordedParallelism implements ParallelismBuilder {

    private final DesireResult result;

    /** At first, each vertex has parallelism 0. Only the thread that calls this may set another one. */
    public RecordedParallelism(JobView job) {
        result = new DesireResult(job);
        result.rules().begin();
    }

    /** The call of the policy is over: what it still does has no effect and is a violation. */
    public void end() {
        result.rules().end();
    }

    /** The first rule that the answer breaks, as the host says it; use after the call counts too. */
    public Optional<String> violation() {
        return result.rules().misuse().or(result::violation);
    }

    /** The parallelism of each vertex. */
    public int[] values() {
        return result.values();
    }

    /** The reason that the policy gave, as the host shows it, or the empty text. */
    public String reason() {
        return result.reason();
    }

    @Override
    public void parallelism(int vertex, int parallelism) {
        result.parallelism(vertex, parallelism);
    }

    @Override
    public void reason(String text) {
        result.reason(text);
    }

    /** The smallest time after which the policy asked for another call; empty when it did not. */
    public OptionalLong reviewMillis() {
        return result.rules().reviewMillis();
    }

    @Override
    public void reviewAfter(long millis) {
        result.reviewAfter(millis);
    }

    /** What a scaling policy said of a change. */
    public static final class Judgement implements JudgementBuilder {

        private final JudgementResult result = new JudgementResult();

        /** At first, nothing is said. Only the thread that calls this may judge. */
        public Judgement() {
            result.begin();
        }

        /** A change to this parallelism of each vertex, bounded by the slots only. */
        public static FeasibleChange change(int... parallelism) {
            int[] values = parallelism.clone();
            return new FeasibleChange() {
                @Override
                public int parallelism(int vertex) {
                    return values[vertex];
                }

                @Override
                public String bound() {
                    return "";
                }
            };
        }

        /** The call of the policy is over: what it still does has no effect and is a violation. */
        public void end() {
            result.rules().end();
        }

        /** The first rule that the answer breaks, as the host says it; use after the call counts too. */
        public Optional<String> violation() {
            return result.rules().misuse().or(result::violation);
        }

        /** Whether the policy said anything that counts: accept, decline or reviewAfter. */
        public boolean judged() {
            return result.judged();
        }

        /** Whether the job restarts. */
        public boolean accepted() {
            return result.accepted();
        }

        /** The reason that the policy gave, as the host shows it, or the empty text. */
        public String reason() {
            return result.reason();
        }

        /** The smallest time after which the policy asked for another call; empty when it did not. */
        public OptionalLong reviewMillis() {
            return result.rules().reviewMillis();
        }

        @Override
        public void accept() {
            result.accept();
        }

        @Override
        public void decline() {
            result.decline();
        }

        @Override
        public void reason(String text) {
            result.reason(text);
        }

        @Override
        public void reviewAfter(long millis) {
            result.reviewAfter(millis);
        }
    }
}
