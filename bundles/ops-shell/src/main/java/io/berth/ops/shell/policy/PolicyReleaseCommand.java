package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.PolicyKindCompleter;
import io.berth.ops.shell.console.PolicyNameCompleter;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** End the quarantine of a policy. */
@Service
@Command(scope = "berth", name = "policy-release", description = "End the quarantine of a policy")
public final class PolicyReleaseCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Argument(index = 0, name = "kind", required = true, description = "matching, distribution, scaling or backend")
    @Completion(PolicyKindCompleter.class)
    private String kind = "";

    @Argument(index = 1, name = "name", required = true, description = "Name of the policy")
    @Completion(PolicyNameCompleter.class)
    private String name = "";

    @Override
    public @Nullable Object execute() throws Exception {
        policyOperations.release(Answers.kind(kind), name, "shell");
        Answers.out().println("May decide again: " + kind + " " + name);
        return null;
    }
}
