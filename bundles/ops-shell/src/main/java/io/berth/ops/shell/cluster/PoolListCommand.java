package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.job.AmountText;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.ops.shell.console.Answers;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List the pools, in the order in which they choose workers. */
@Service
@Command(scope = "berth", name = "pool-list", description = "List the pools, in the order in which they choose workers")
public final class PoolListCommand implements Action {

    /** Where no Dispatcher leads. */
    private static final String UNKNOWN = "-";

    @Reference
    private PolicyOperations policyOperations;

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<PoolDetails> pools = policyOperations.pools();
        if (json) {
            Answers.print(pools);
            return null;
        }
        List<PoolFigures> figures = clusterOperations == null
                ? List.of()
                : Answers.await(clusterOperations.cluster(ClusterQuery.NUMBERS)).pools();
        String none = clusterOperations == null ? UNKNOWN : "0";
        ShellTable table =
                Answers.table("Pool", "Workers", "Slots", "Free cpu", "Members", "Matching", "Distribution", "Rule");
        for (PoolDetails pool : pools) {
            Optional<PoolFigures> has = figures.stream()
                    .filter(one -> one.pool().equals(pool.name()))
                    .findFirst();
            table.addRow()
                    .addContent(
                            pool.name(),
                            has.map(figure -> String.valueOf(figure.workers())).orElse(none),
                            has.map(figure -> String.valueOf(figure.slots())).orElse(none),
                            has.map(figure -> AmountText.of("cpu", figure.freeCpuMillis()))
                                    .orElse(clusterOperations == null ? UNKNOWN : AmountText.of("cpu", 0)),
                            pool.members(),
                            policy(pool, "matching"),
                            policy(pool, "distribution"),
                            pool.rule().isEmpty() ? "common" : pool.rule());
        }
        table.print(Answers.out());
        return null;
    }

    private static String policy(PoolDetails pool, String kind) {
        return Optional.ofNullable(pool.policies().get(kind))
                .map(PolicyChoice::selector)
                .orElse("common");
    }
}
