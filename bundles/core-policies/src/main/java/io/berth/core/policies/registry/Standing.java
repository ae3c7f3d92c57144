package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyVerdict;

/** Whether a policy may decide once it has a configuration, and why not. */
sealed interface Standing {

    PolicyVerdict verdict();

    /** What prevents it from deciding, for people; empty when nothing does. */
    String obstacle();

    /** Nothing prevents it. */
    record Sound() implements Standing {

        @Override
        public PolicyVerdict verdict() {
            return PolicyVerdict.READY;
        }

        @Override
        public String obstacle() {
            return "";
        }
    }

    /** Its factory has not described itself yet. */
    record BeingInspected() implements Standing {

        @Override
        public PolicyVerdict verdict() {
            return PolicyVerdict.BEING_CHECKED;
        }

        @Override
        public String obstacle() {
            return "is being inspected";
        }
    }

    /** Its factory cannot be fetched, or its description differs from its registration. */
    record Unusable(String why) implements Standing {

        @Override
        public PolicyVerdict verdict() {
            return PolicyVerdict.CANNOT_BE_USED;
        }

        @Override
        public String obstacle() {
            return "cannot be used: " + why;
        }
    }
}
