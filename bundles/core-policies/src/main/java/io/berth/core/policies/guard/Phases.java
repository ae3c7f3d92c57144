package io.berth.core.policies.guard;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;

/** What code in the guard says about the calls into a policy, so that each one is measured by its name, and asks. */
public interface Phases {

    /** The previous call ends and this one begins. Called on the guarded thread. */
    void enter(PolicyCall call);

    /** Milliseconds until the deadline, at least 0; in development, each deadline that passes is followed by another. */
    long remainingMillis();
}
