package io.berth.simulator.replay.cluster;

import io.berth.core.api.policy.BackendHost;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A cluster manager that starts workers on the nodes of a cluster as declared, and ends unwanted ones. Nodes with the
 * same resources belong to one worker spec.
 */
public final class ReplayBackend implements BackendHost {

    public static final String NAME = "replayed";

    /** Starts and ends processes of workers. */
    public interface Fleet {

        /** Starts the worker, which then registers. */
        void start(ReplayedWorker worker, WorkerId as, String spec);

        /** Ends the worker, which has no slots. */
        void stop(ReplayedWorker worker);
    }

    private static final class Kind {
        private final WorkerSpec spec;
        private final List<ReplayedWorker> nodes;
        private int needed;
        private int starting;

        Kind(WorkerSpec spec, List<ReplayedWorker> nodes) {
            this.spec = spec;
            this.nodes = nodes;
        }

        long there() {
            return nodes.stream().filter(ReplayedWorker::isUp).count();
        }
    }

    private final ReplayTime time;
    private final long startSeconds;
    private final Fleet fleet;
    private final List<Kind> kinds = new ArrayList<>();
    private final SortedMap<WorkerId, ReplayedWorker> running = new TreeMap<>();
    private Optional<BackendContext> context = Optional.empty();
    private long started;

    /** @param startSeconds how long the start of a worker takes */
    public ReplayBackend(ReplayTime time, long startSeconds, List<ReplayedWorker> nodes, Fleet fleet) {
        this.time = time;
        this.startSeconds = startSeconds;
        this.fleet = fleet;
        Map<ResourceProfile, List<ReplayedWorker>> byTotal = new LinkedHashMap<>();
        nodes.forEach(node -> byTotal.computeIfAbsent(node.profile(), total -> new ArrayList<>())
                .add(node));
        byTotal.entrySet().stream()
                .sorted(Comparator.comparing(
                        Map.Entry::getKey,
                        Comparator.comparingLong(ResourceProfile::cpuMillis)
                                .thenComparingLong(ResourceProfile::heapBytes)))
                .forEach(of -> kinds.add(new Kind(
                        WorkerSpec.of("kind-" + kinds.size(), of.getKey())
                                .maximum(of.getValue().size())
                                .build(),
                        of.getValue())));
    }

    @Override
    public AutoCloseable follow(BackendFollower follower) {
        context = Optional.of(follower.context(NAME));
        List<WorkerSpec> specs = kinds.stream().map(kind -> kind.spec).toList();
        follower.added(new BackendHandle() {
            @Override
            public String name() {
                return NAME;
            }

            @Override
            public List<WorkerSpec> specs() {
                return specs;
            }

            @Override
            public void declare(WorkerDeclaration declaration) {
                time.execute(() -> declared(declaration));
            }
        });
        return () -> {};
    }

    private void declared(WorkerDeclaration declaration) {
        declaration.unwanted().forEach(this::end);
        for (Kind kind : kinds) {
            kind.needed = declaration.needed().getOrDefault(kind.spec.name(), 0);
            for (long there = kind.there() + kind.starting; there < kind.needed; there++) {
                kind.starting++;
                time.schedule(startSeconds * 1_000 / ReplayTime.LAPSE, () -> start(kind));
            }
        }
    }

    private void start(Kind kind) {
        kind.starting--;
        Optional<ReplayedWorker> node =
                kind.nodes.stream().filter(of -> !of.isUp()).findFirst();
        if (kind.there() >= kind.needed || node.isEmpty()) {
            return;
        }
        WorkerId id = new WorkerId(context.orElseThrow().workerIdPrefix() + ++started);
        running.put(id, node.get());
        context.orElseThrow().started(id, kind.spec.name());
        fleet.start(node.get(), id, kind.spec.name());
    }

    /** The worker has reported that it will end. */
    public void ending(WorkerId worker) {
        time.execute(() -> end(worker));
    }

    private void end(WorkerId worker) {
        Optional.ofNullable(running.remove(worker)).ifPresent(node -> {
            fleet.stop(node);
            context.orElseThrow().ended(worker, "it is no longer needed");
        });
    }
}
