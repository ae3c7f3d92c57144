package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.Answers;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List the allocated slots. */
@Service
@Command(scope = "berth", name = "slot-list", description = "List the allocated slots")
public final class SlotListCommand implements Action {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<SlotDetails> slots =
                Answers.await(Answers.ofDispatcher(clusterOperations).cluster()).slots();
        if (json) {
            Answers.print(slots);
            return null;
        }
        ShellTable table = Answers.table("Allocation", "Worker", "Job", "Group", "Profile", "State", "Decision");
        for (SlotDetails slot : slots) {
            table.addRow()
                    .addContent(
                            slot.allocation(),
                            slot.worker(),
                            slot.job(),
                            slot.group(),
                            slot.profile(),
                            slot.state(),
                            slot.decision());
        }
        table.print(Answers.out());
        return null;
    }
}
