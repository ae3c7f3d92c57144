package io.berth.ops.shell.cluster;

import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.ops.shell.console.Answers;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List who leads each role, and whether this process leads it or waits. */
@Service
@Command(
        scope = "berth",
        name = "role-list",
        description = "List who leads each role, and whether this process leads it or waits")
public final class RoleListCommand implements Action {

    @Reference
    private RoleOperations roleOperations;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<RoleDetails> roles = roleOperations.roles();
        if (json) {
            Answers.print(roles);
            return null;
        }
        ShellTable table = Answers.table("Role", "Leader", "Epoch", "Here");
        for (RoleDetails role : roles) {
            table.addRow()
                    .addContent(
                            role.role(),
                            role.leader().isEmpty() ? "nobody" : role.leader(),
                            role.epoch() == 0 ? "" : role.epoch(),
                            role.here());
        }
        table.print(Answers.out());
        return null;
    }
}
