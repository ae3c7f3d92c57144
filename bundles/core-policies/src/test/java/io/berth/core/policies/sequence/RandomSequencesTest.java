package io.berth.core.policies.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Compares the host with a model of its rules, over random sequences of register, unregister, change ranking,
 * configure, choose, release, hang, throw, break a rule, decide and close. Policies use all that their builders offer,
 * by the rules and against them: a plan must have what they answered, or nothing of it. One thread runs all of them with a virtual
 * clock, so that a seed gives the same sequence on each machine. {@code -Dberth.sequences=100000} runs that number of
 * sequences, {@code -Dberth.sequences.seed=N} repeats one.
 */
class RandomSequencesTest {

    private static final int SEQUENCES = Integer.getInteger("berth.sequences", 1_000);
    private static final long SEED = Long.getLong("berth.sequences.seed", -1);
    private static final long FROM = Long.getLong("berth.sequences.from", 0);
    /**
     * Two in this number of sequences give each policy its own class loader. Waiting for their collection takes long.
     */
    private static final int OWN_LOADERS_EVERY = 250;

    private static final int MAX_SHORTENED = Integer.getInteger("berth.sequences.shorten", 400);

    private static boolean hasOwnLoaders(long seed) {
        return seed % OWN_LOADERS_EVERY < 2;
    }

    @Test
    void hasAlwaysADefinedDeciderOrSaysThatThereIsNone() {
        if (SEED >= 0) {
            check(SEED);
            return;
        }
        for (long seed = FROM; seed < FROM + SEQUENCES; seed++) {
            check(seed);
        }
    }

    @Test
    void aSeedGivesTheSameSequenceEachTime() {
        for (long seed = 0; seed < 20; seed++) {
            Sequence first = new Sequence(seed, new BitSet(), true, false);
            Sequence second = new Sequence(seed, new BitSet(), true, false);
            first.run();
            second.run();
            assertThat(first.steps()).isEqualTo(second.steps());
        }
    }

    @Test
    void keepsNothingOfAPolicyThatWent() {
        for (long seed = 0; seed < 12; seed++) {
            new Sequence(seed, new BitSet(), false, true).run();
        }
    }

    private static void check(long seed) {
        BitSet dropped = new BitSet();
        Optional<Failed> first = failed(seed, dropped, false);
        if (first.isEmpty()) {
            return;
        }
        Failed shortest = failed(seed, dropped, true)
                .orElseThrow(() -> new AssertionError(
                        "sequence " + seed + " failed, but not when it was repeated",
                        first.get().error()));
        int runs = 0;
        for (int step = Sequence.STEPS - 1; step >= 0 && runs < MAX_SHORTENED; step--, runs++) {
            dropped.set(step);
            Optional<Failed> shorter = failed(seed, dropped, true);
            dropped.set(step, shorter.isPresent());
            shortest = shorter.orElse(shortest);
        }
        throw new AssertionError(
                "sequence " + seed + ": " + shortest.error().getMessage() + "\n  "
                        + String.join("\n  ", shortest.steps())
                        + "\nrepeat it with ./mvnw -pl bundles/core-policies test "
                        + "-Dtest=RandomSequencesTest -Dberth.sequences.seed=" + seed,
                shortest.error());
    }

    private record Failed(Throwable error, List<String> steps) {}

    private static Optional<Failed> failed(long seed, BitSet dropped, boolean recording) {
        Sequence sequence = new Sequence(seed, dropped, recording, hasOwnLoaders(seed));
        try {
            sequence.run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException failure) {
            return Optional.of(new Failed(failure, sequence.steps()));
        }
    }
}
