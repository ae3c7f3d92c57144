package io.berth.core.policies.guard;

/** How a guarded call ended. Holds texts only: an exception object of a policy would pin its class loader. */
public sealed interface CallOutcome<T> {

    record Returned<T>(T value) implements CallOutcome<T> {}

    /** The policy rejected its configuration. */
    record Refused<T>(String message) implements CallOutcome<T> {}

    /** @param fault what happened, which says whether the policy is to blame */
    record Failed<T>(String text, Fault fault) implements CallOutcome<T> {

        public Failed(String text, boolean hung) {
            this(text, hung ? Fault.HUNG : Fault.FAILED);
        }

        public boolean hung() {
            return fault == Fault.HUNG;
        }
    }

    /** What a failed call did. */
    enum Fault {
        FAILED,
        /** It did not return within its deadline, or too many others never did, so that it was not made. */
        HUNG,
        /** It was not made, for want of a thread: the policy is not to blame. */
        NO_THREAD
    }
}
