package io.berth.testkit.rules;

import io.berth.spi.InvalidConfigurationException;

/**
 * The seeds of random inputs.
 *
 * @param first seed, from 0
 * @param count of them, from 1
 */
public record Seeds(int first, int count) {

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
