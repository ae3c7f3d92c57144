package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.ChosenPolicyKindCompleter;
import io.berth.ops.shell.console.PolicyNameCompleter;
import io.berth.spi.PolicyKind;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Choose the policy of a kind. */
@Service
@Command(scope = "berth", name = "policy-use", description = "Choose the policy of a kind")
public final class PolicyUseCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Argument(index = 0, name = "kind", required = true, description = "matching, distribution or scaling")
    @Completion(ChosenPolicyKindCompleter.class)
    private String kind = "";

    @Argument(index = 1, name = "name", required = true, description = "Name or LDAP filter; '' chooses by ranking")
    @Completion(PolicyNameCompleter.class)
    private String name = "";

    @Option(name = "-i", aliases = "--check-index", description = "Only if the choice still has this index")
    private long index = -1;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        PolicyKind wanted = Answers.kind(kind);
        long now = Answers.index(policyOperations.use(wanted, name, Answers.index(index), "shell"));
        ChosenPolicy.print(policyOperations, wanted, name, now, json);
        return null;
    }
}
