package io.berth.itests.workflow;

import io.berth.core.api.BundleRef;
import io.berth.core.api.FencingToken;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.Problem;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import io.berth.core.dispatcher.description.InstalledPolicies;
import io.berth.core.dispatcher.description.JobCatalog;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** The units and pipelined regions that Berth finds in a job, from the text of its description. */
final class ProductUnits {

    private static final String BUNDLE = "ab".repeat(32);
    private static final EndpointRef JOB_MASTER =
            new EndpointRef(new RpcAddress("h", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 0)));

    private final List<JobUnit> units;

    /** @throws IllegalArgumentException when the description has problems */
    ProductUnits(WorkflowJob job) {
        ParseOutcome outcome = DescriptionParser.parse(job.description(BUNDLE), new Catalog());
        JobGraph graph = outcome.draft()
                .orElseThrow(() -> new IllegalArgumentException(job.workflow().name() + ": " + outcome.problems()))
                .toGraph(new JobId("workflow"), 1);
        units = JobUnit.of(graph);
    }

    /** The names of the vertices of each unit. */
    Set<Set<String>> units() {
        Set<Set<String>> all = new HashSet<>();
        units.forEach(unit -> all.add(vertices(unit)));
        return all;
    }

    private static Set<String> vertices(JobUnit unit) {
        Set<String> names = new HashSet<>();
        unit.graph().vertices().stream().map(JobVertex::name).forEach(names::add);
        return names;
    }

    /** Whether each unit comes after those whose results it reads. */
    boolean areInOrder() {
        Set<String> before = new HashSet<>();
        for (JobUnit unit : units) {
            if (!unit.inputs().stream()
                    .allMatch(edge -> before.contains(edge.from().name()))) {
                return false;
            }
            before.addAll(vertices(unit));
        }
        return true;
    }

    /** How many pipelined regions the executions of all units have together. */
    int regions() {
        return units.stream()
                .mapToInt(unit -> execution(new JobIdentity(unit, JOB_MASTER)).regions())
                .sum();
    }

    private static ExecutionGraph execution(JobIdentity unit) {
        List<Integer> parallelism =
                unit.graph().vertices().stream().map(JobVertex::maximum).toList();
        SortedMap<String, List<PoolSlot>> slots = new TreeMap<>();
        ExecutionGraph.slotsNeeded(unit, parallelism).forEach((group, count) -> {
            List<PoolSlot> own = new ArrayList<>();
            for (int slot = 0; slot < count; slot++) {
                own.add(new PoolSlot(
                        new AllocationId(1, slot),
                        new WorkerId("w"),
                        group,
                        group,
                        ResourceProfile.of(1_000, 1 << 20),
                        false,
                        1));
            }
            slots.put(group, Collections.unmodifiableList(own));
        });
        return new ExecutionGraph(unit, 1, parallelism, slots, 0, 1_000);
    }

    /** Has the bundle with the operators of workflows. */
    private static final class Catalog implements JobCatalog, InstalledPolicies {

        @Override
        public Optional<StoredBundle> bundle(String sha256) {
            return Optional.of(new StoredBundle(
                    new BundleRef(sha256, 1),
                    "workflow",
                    "1.0.0",
                    List.of(
                            new OfferedOperator("workflow-begin", false),
                            new OfferedOperator("workflow-step", false),
                            new OfferedOperator("workflow-end", false))));
        }

        @Override
        public InstalledPolicies policies() {
            return this;
        }

        @Override
        public List<String> names(PolicyKind kind) {
            return List.of();
        }

        @Override
        public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
            return List.of();
        }

        @Override
        public List<String> pools() {
            return List.of("default");
        }

        @Override
        public Optional<String> queueRefusal(String pool, String queue, String submitter) {
            return Optional.empty();
        }
    }
}
