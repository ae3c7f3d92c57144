package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.PolicyKindCompleter;
import io.berth.ops.shell.console.PolicyNameCompleter;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** Show why policies decide or do not. */
@Service
@Command(scope = "berth", name = "policy-diag", description = "Show why policies decide or do not")
public final class PolicyDiagCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Argument(index = 0, name = "kind", description = "matching, distribution, scaling or backend")
    @Completion(PolicyKindCompleter.class)
    private String kind = "";

    @Argument(index = 1, name = "name", description = "Name of the policy")
    @Completion(PolicyNameCompleter.class)
    private String name = "";

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<PolicyDiagnosis> found = policyOperations.diagnose(
                kind.isEmpty() ? Optional.empty() : Optional.of(Answers.kind(kind)),
                Optional.of(name).filter(text -> !text.isEmpty()));
        if (json) {
            Answers.print(found);
            return null;
        }
        ShellTable table = Answers.table("Kind", "Name", "Version", "Bundle", "Verdict", "Why");
        for (PolicyDiagnosis one : found) {
            table.addRow()
                    .addContent(
                            one.kind().label(),
                            one.name(),
                            one.version(),
                            one.bundle(),
                            one.verdict().label(),
                            one.text());
        }
        table.print(Answers.out());
        return null;
    }
}
