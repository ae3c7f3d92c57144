package io.berth.testkit.rules;

import io.berth.spi.InvalidConfigurationException;
import java.util.Random;

/**
 * The seeds of random inputs.
 *
 * @param first seed, from 0
 * @param count of them, from 1
 */
public record Seeds(int first, int count) {

    /** The odd number next to 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Checks a rule with the input of a seed. */
    @FunctionalInterface
    public interface Check {

        /** @throws BrokenRule when the policy breaks the rule */
        void check(int seed) throws InvalidConfigurationException;
    }

    public Seeds {
        if (first < 0 || count < 1 || first > Integer.MAX_VALUE - count) {
            throw new IllegalArgumentException(
                    "seeds are " + count + " from " + first + ": allowed are 1 and more from 0 and more");
        }
    }

    /**
     * Random numbers of a seed, always the same ones. Those of seeds that follow each other have nothing in common, while
     * the first numbers of {@link Random} hardly differ for small seeds.
     */
    public static Random random(int seed) {
        long mixed = (seed + 1) * SPREAD;
        return new Random(mixed ^ (mixed >>> 32));
    }

    /** One of so many of these seeds, and at least one: for inputs that take longer. */
    public Seeds oneIn(int number) {
        return new Seeds(first, Math.max(1, count / number));
    }

    /**
     * Checks a rule for each seed, until it is broken.
     *
     * @throws BrokenRule with the seed, also for what the policy throws
     * @throws InvalidConfigurationException when the policy does not accept its configuration
     */
    public void each(Check rule) throws InvalidConfigurationException {
        for (int seed = first; seed < first + count; seed++) {
            try {
                rule.check(seed);
            } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError thrown) {
                throw BrokenRule.of(seed, thrown);
            }
        }
    }
}
