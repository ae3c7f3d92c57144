package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyVerdict;

/** Whether a policy may decide once it has a configuration, and if not, why. */
sealed interface Standing {

    PolicyVerdict verdict();

    /** What is in its way, for people; empty when nothing is. */
    String obstacle();

    /** Nothing is known against it. */
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

    /** Its factory cannot be fetched, or describes itself otherwise than it is registered. */
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
