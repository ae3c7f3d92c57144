package io.berth.core.policies.guard;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;

/** Is notified by code in the guard which call into the policy begins, so that each one is measured by its name. */
public interface Phases {

    /** The previous call ends and this one begins. Called on the guarded thread. */
    void enter(PolicyCall call);
}
