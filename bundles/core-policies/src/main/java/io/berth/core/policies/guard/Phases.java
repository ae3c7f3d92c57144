package io.berth.core.policies.guard;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;

/** Told by what runs in the guard which call into the policy begins, so that each is measured by its name. */
public interface Phases {

    /** The call before ends here, this one begins. On the guarded thread. */
    void enter(PolicyCall call);
}
