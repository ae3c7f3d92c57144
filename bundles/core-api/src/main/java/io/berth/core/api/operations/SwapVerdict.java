package io.berth.core.api.operations;

import java.util.Locale;

/** What the ledger proves about a change of the deciding policy. */
public sealed interface SwapVerdict {

    /** The text that users see. */
    String label();

    /** Whether a slot was allocated or moved without a decision. */
    default boolean isViolation() {
        return false;
    }

    /** Verdicts without numbers. */
    enum Plain implements SwapVerdict {
        NO_LEDGER,
        /** The new policy has not made its first decision. */
        OPEN,
        NOTHING_CHANGED;

        @Override
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Only jobs and workers changed the ledger. */
    record NoSlotGiven(long ended, long reported) implements SwapVerdict {

        @Override
        public String label() {
            return "no slot given; meanwhile " + ended + " ended and " + reported + " were reported by workers";
        }
    }

    /** @param slots number of slots in the text; 0 if the text has none */
    record Violated(Rule rule, long slots) implements SwapVerdict {

        @Override
        public String label() {
            return "violated: "
                    + switch (rule) {
                        case GIVEN_BY_NO_DECISION ->
                            slots + " slots were given by none of the decisions before and after";
                        case CHANGE_NOT_COUNTED -> "other allocations without a change that was counted";
                        case MORE_THAN_GIVEN ->
                            "the first decision changed more than the " + slots + " slots that it gave";
                    };
        }

        @Override
        public boolean isViolation() {
            return true;
        }
    }

    /** The rule that was violated between the last decision before a change and the first one after it. */
    enum Rule {
        GIVEN_BY_NO_DECISION,
        CHANGE_NOT_COUNTED,
        MORE_THAN_GIVEN
    }
}
