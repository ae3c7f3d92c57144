package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.PolicyKindCompleter;
import io.berth.ops.shell.console.PolicyNameCompleter;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Let a policy shadow the decisions of a pool or of all jobs, without deciding. */
@Service
@Command(
        scope = "berth",
        name = "policy-shadow",
        description =
                "Let a policy shadow the decisions of a pool, or a scaling policy those of all jobs, without deciding")
public final class PolicyShadowCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Argument(index = 0, name = "kind", required = true, description = "matching, distribution or scaling")
    @Completion(PolicyKindCompleter.class)
    private String kind = "";

    @Argument(index = 1, name = "name", description = "Name of the policy; not with --off")
    @Completion(PolicyNameCompleter.class)
    private String name = "";

    @Option(
            name = "-p",
            aliases = "--pool",
            description = "Name of the pool; the default pool without it; not with scaling")
    private String pool = "";

    @Option(name = "--off", description = "End the shadow")
    private boolean off;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        if (off != name.isEmpty()) {
            throw new IllegalArgumentException("allowed are a name or --off");
        }
        ShadowDetails shadow = off
                ? policyOperations.endShadow(Answers.kind(kind), pool, "shell")
                : policyOperations.shadow(Answers.kind(kind), name, pool, "shell");
        if (json) {
            Answers.print(shadow);
        } else if (off) {
            Answers.out().println("Ended: " + shadow.line());
        } else {
            Answers.out()
                    .println("From the next decision on: " + kind + " " + name + " shadows " + shadow.scope()
                            + "; berth:policy-list shows how it does");
        }
        return null;
    }
}
