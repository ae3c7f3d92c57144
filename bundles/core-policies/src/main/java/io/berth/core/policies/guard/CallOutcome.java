package io.berth.core.policies.guard;

/** How a guarded call ended. Holds texts only: an exception object of a policy would pin its class loader. */
public sealed interface CallOutcome<T> {

    record Returned<T>(T value) implements CallOutcome<T> {}

    /** The policy rejected its configuration. */
    record Refused<T>(String message) implements CallOutcome<T> {}

    /** @param hung whether it did not return within its deadline */
    record Failed<T>(String text, boolean hung) implements CallOutcome<T> {}
}
