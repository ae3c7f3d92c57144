package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.ops.shell.console.Answers;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List the policies that are installed, and the choices. */
@Service
@Command(scope = "berth", name = "policy-list", description = "List the policies that are installed, and the choices")
public final class PolicyListCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<PolicyDetails> policies = policyOperations.policies();
        if (json) {
            Answers.print(policies);
            return null;
        }
        ShellTable table =
                Answers.table("Kind", "Name", "Version", "Bundle", "Ranking", "State", "Decisions", "Failures");
        for (PolicyDetails policy : policies) {
            table.addRow()
                    .addContent(
                            policy.kind().label(),
                            policy.name(),
                            policy.version(),
                            policy.bundle(),
                            policy.ranking(),
                            policy.state(),
                            policy.decisions(),
                            policy.failures());
        }
        table.print(Answers.out());
        policyOperations.choices().forEach(choice -> Answers.out().println(choice.line()));
        policyOperations.shadows().forEach(shadow -> Answers.out().println(shadow.line()));
        return null;
    }
}
