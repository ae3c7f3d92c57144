package io.berth.testkit.rules;

import java.util.Locale;

/** Says what is wrong when something is not as a rule demands. */
public final class Expect {

    private Expect() {}

    /**
     * @param holds whether all is well
     * @param wrong what is wrong otherwise, as a format
     * @param values of the format
     * @throws BrokenRule when it does not hold
     */
    public static void that(boolean holds, String wrong, Object... values) {
        if (!holds) {
            throw new BrokenRule(String.format(Locale.ROOT, wrong, values));
        }
    }

    /**
     * @param what is compared, for people
     * @throws BrokenRule when the two are not equal
     */
    public static void same(String what, Object found, Object expected) {
        that(found.equals(expected), "%s: found %s, expected %s", what, found, expected);
    }
}
