package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.SwapLedger;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.PolicyKindCompleter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List the last changes of deciding policies, newest first. */
@Service
@Command(
        scope = "berth",
        name = "policy-history",
        description = "List the last changes of deciding policies, newest first")
public final class PolicyHistoryCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Option(name = "--kind", description = "Only those of this kind")
    @Completion(PolicyKindCompleter.class)
    private String kind = "";

    @Option(name = "--limit", description = "At most this number")
    private int limit = 20;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<SwapDetails> swaps =
                policyOperations.swaps(kind.isEmpty() ? Optional.empty() : Optional.of(Answers.kind(kind)), limit);
        if (json) {
            Answers.print(swaps);
            return null;
        }
        ShellTable table = Answers.table(
                "Number",
                "Time",
                "Kind",
                "Owner",
                "Cause",
                "Index",
                "From",
                "To",
                "In flight",
                "First decision",
                "Added micros",
                "Refreshed",
                "Ledger");
        for (SwapDetails swap : swaps) {
            table.addRow()
                    .addContent(
                            swap.number(),
                            Instant.ofEpochMilli(swap.wallMillis()),
                            swap.kind().label(),
                            swap.owner(),
                            swap.cause().label(),
                            swap.index(),
                            stamp(swap.from()),
                            stamp(swap.to()),
                            swap.inFlight(),
                            swap.firstDecision() == 0 ? "-" : swap.firstDecision(),
                            swap.addedDelayMicros() < 0 ? "-" : swap.addedDelayMicros(),
                            swap.refreshed().count()
                                    + (swap.refreshed().names().isEmpty()
                                            ? ""
                                            : " ("
                                                    + String.join(
                                                            ", ",
                                                            swap.refreshed().names()) + ")"),
                            ledger(swap.ledger()));
        }
        table.print(Answers.out());
        return null;
    }

    private static String ledger(SwapLedger ledger) {
        String last = ledger.lastDecision().hash();
        String first = ledger.firstBefore().hash();
        return ledger.verdict().label()
                + (first.equals("none") ? last.equals("none") ? "" : ", " + last : ", " + last + " and " + first);
    }

    private static String stamp(PolicyStamp stamp) {
        return stamp.bundle().isEmpty()
                ? stamp.name()
                : stamp.name() + " " + stamp.version()
                        + (stamp.generation() == 0 ? "" : " generation " + stamp.generation());
    }
}
