package io.berth.scorecard.check;

import io.berth.spi.InvalidConfigurationException;
import java.util.List;

/**
 * One thing that a policy is checked for.
 *
 * @param name as the test of the contract is called, where there is one
 * @param what the policy must do, as the end of a sentence that begins with the policy
 * @param points that it can get
 */
public record Check(Section section, String name, String what, int points, Rule rule) {

    /** A rule that is kept or broken. */
    @FunctionalInterface
    public interface Kept {

        /** @throws io.berth.testkit.rules.BrokenRule when the policy breaks it */
        void check() throws InvalidConfigurationException;
    }

    /** A rule that may cost some of the points. */
    @FunctionalInterface
    public interface Rule {

        /** @throws io.berth.testkit.rules.BrokenRule when all points are lost */
        Found check() throws InvalidConfigurationException;
    }

    /**
     * What a check found.
     *
     * @param lost points
     * @param figure what was measured, or the empty text
     * @param reason why points are lost, or the empty text
     */
    public record Found(int lost, String figure, String reason) {

        static final Found NOTHING = new Found(0, "", "");

        /** No point is lost. */
        public static Found of(String figure) {
            return new Found(0, figure, "");
        }
    }

    private static final int USUAL = 5;

    /** What each kind must do before it decides anything: the two tests of its contract with these names. */
    public static List<Check> ofCreation(Kept describes, Kept isCreated) {
        return List.of(
                of(
                        Section.CORRECTNESS,
                        "describesItselfAlwaysTheSame",
                        "describes itself the same each time, with a summary",
                        describes),
                of(
                        Section.CORRECTNESS,
                        "isCreatedWithTheDefaultsThatItDescribes",
                        "is created with the defaults that it describes",
                        isCreated));
    }

    /** A rule of five points. */
    public static Check of(Section section, String name, String what, Kept rule) {
        return new Check(section, name, what, USUAL, () -> {
            rule.check();
            return Found.NOTHING;
        });
    }
}
