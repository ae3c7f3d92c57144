package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterDetails.SpecDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.job.AmountText;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SpecText;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.api.time.TimeText;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.PoolCompleter;
import java.time.Instant;
import java.util.ArrayList;
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

/** Show the queues of a pool, what they use, and the worker specs that may extend it. */
@Service
@Command(
        scope = "berth",
        name = "pool-info",
        description = "Show the queues of a pool, what they use, need and used over time, and its worker specs")
public final class PoolInfoCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    /** Not where the ResourceManager runs alone: there the command shows no specs. */
    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Argument(name = "pool", description = "Name of the pool; default is the default")
    @Completion(PoolCompleter.class)
    private String pool = "default";

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<PoolDetails> pools = policyOperations.pools();
        PoolDetails details = pools.stream()
                .filter(one -> one.name().equals(pool))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no pool '" + pool + "': there are "
                        + String.join(
                                ", ", pools.stream().map(PoolDetails::name).toList())));
        if (json) {
            Answers.print(details);
            return null;
        }
        Answers.out()
                .println("Pool " + details.name() + ", half of what was used is forgotten after "
                        + TimeText.of(details.halfLifeMillis())
                        + (details.measuredMillis() == 0
                                ? ", not measured yet"
                                : ", measured at " + Instant.ofEpochMilli(details.measuredMillis())));
        Answers.out()
                .println("Workers: " + details.members() + "; order " + details.order()
                        + (details.startsWorkers() ? "" : "; none may be started for it"));
        Answers.out().println("Matching rule: " + (details.rule().isEmpty() ? "common" : details.rule()));
        Optional.ofNullable(details.obstacles().get(PoolDetails.FILE))
                .ifPresent(obstacle -> Answers.out().println("File: " + obstacle));
        policies(details).forEach(Answers.out()::println);
        details.fallbacks()
                .forEach((kind, names) ->
                        Answers.out().println("Fallbacks for " + kind + ": " + String.join(", ", names)));
        ShellTable table = Answers.table(
                "Queue", "Parent", "Weight", "Guaranteed", "Limit", "Used", "Pending", "Used seconds", "Submitters");
        for (QueueDetails queue : details.queues()) {
            table.addRow()
                    .addContent(
                            queue.name(),
                            queue.parent(),
                            queue.weight(),
                            AmountText.of(queue.guaranteed()),
                            AmountText.of(queue.limit()),
                            AmountText.of(queue.used()),
                            AmountText.of(queue.pending()),
                            AmountText.of(queue.usedSeconds()),
                            String.join(",", queue.submitters()));
        }
        table.print(Answers.out());
        List<SpecDetails> specs = clusterOperations == null
                ? List.of()
                : specs(
                        Answers.await(clusterOperations.cluster(ClusterQuery.NUMBERS))
                                .pools(),
                        pool);
        if (!specs.isEmpty()) {
            ShellTable offered = Answers.table("Spec", "Total", "Slots", "Workers", "Cost/h", "Starts in");
            for (SpecDetails spec : specs) {
                offered.addRow()
                        .addContent(
                                spec.backend() + "/" + spec.spec(),
                                spec.total(),
                                spec.slots(),
                                spec.workers() + " of " + spec.maximum(),
                                SpecText.cost(spec.costPerHour()),
                                SpecText.start(spec.startMillis(), spec.startLearnedFrom()));
            }
            offered.print(Answers.out());
        }
        return null;
    }

    /** The specs whose workers belong to a pool. */
    static List<SpecDetails> specs(List<PoolFigures> figures, String pool) {
        return figures.stream()
                .filter(one -> one.pool().equals(pool))
                .flatMap(one -> one.specs().stream())
                .toList();
    }

    /** Who decides for it, and why another one does. */
    static List<String> policies(PoolDetails details) {
        List<String> lines = new ArrayList<>();
        for (String kind : List.of("matching", "distribution")) {
            Optional<PolicyChoice> choice =
                    Optional.ofNullable(details.policies().get(kind));
            String obstacle = details.obstacles().getOrDefault(kind, "");
            if (choice.isPresent() || !obstacle.isEmpty()) {
                lines.add("Policy for " + kind + ": "
                        + choice.map(PolicyChoice::selector).orElse("the common one")
                        + choice.map(PolicyChoice::parameters)
                                .filter(parameters -> !parameters.isEmpty())
                                .map(parameters -> " " + parameters)
                                .orElse("")
                        + (obstacle.isEmpty() ? "" : ", which " + obstacle));
            }
        }
        return lines;
    }
}
