package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.ChosenPolicyKindCompleter;
import io.berth.spi.PolicyKind;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Go back to the choice before. */
@Service
@Command(
        scope = "berth",
        name = "policy-revert",
        description = "Go back to the choice of policy before the last change")
public final class PolicyRevertCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Argument(index = 0, name = "kind", required = true, description = "matching, distribution or scaling")
    @Completion(ChosenPolicyKindCompleter.class)
    private String kind = "";

    @Option(name = "-i", aliases = "--check-index", description = "Only if the choice still has this index")
    private long index = -1;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        PolicyKind wanted = Answers.kind(kind);
        long now = Answers.index(policyOperations.revert(wanted, Answers.index(index), "shell"));
        String name = policyOperations.choice(wanted).orElse("");
        ChosenPolicy.print(policyOperations, wanted, name, now, json);
        return null;
    }
}
