package io.berth.core.resources.blocklist;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that an operator blocked for a time (FLIP-224): they receive no slots, and JobMasters return their free slots
 * on them. Confined to the main thread.
 */
public final class OperatorBlocks {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorBlocks.class);

    private static final long PAUSE_MILLIS = 200;

    private final MainThread mainThread;
    private final WorkerRegistry workers;
    private final BlockList blocked;
    private final BlockListSender notices;
    private final Clock clock;
    private final Changes changes;
    private final BooleanSupplier recovering;
    private final SortedMap<WorkerId, String> reasons = new TreeMap<>();
    /** Sends the lists after a pause. */
    private Optional<Timers.Cancellable> waiting = Optional.empty();

    /**
     * @param recovering whether workers of the previous ResourceManager may still register: until then nobody knows
     *     which of them leave, and JobMasters keep the last list
     * @param changed receives each worker that was blocked or unblocked
     */
    public OperatorBlocks(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            WorkerRegistry workers,
            RequirementLedger ledger,
            Changes changes,
            BooleanSupplier recovering,
            Consumer<WorkerId> changed) {
        this.mainThread = mainThread;
        this.workers = workers;
        this.clock = clock;
        this.changes = changes;
        this.recovering = recovering;
        blocked = new BlockList(mainThread, clock, worker -> changed(worker, changed));
        notices = new BlockListSender(id, mainThread, ledger, this::lists);
    }

    private BlockListSender.Lists lists() {
        return new BlockListSender.Lists(
                blocked.workers(),
                workers.leaving().stream()
                        .map(worker -> new LeavingWorker(
                                worker.id(), worker.leaving().orElseThrow().left(clock)))
                        .toList());
    }

    /** Sends all blocked and leaving workers to all JobMasters. Called once for all changes of a turn. */
    public void send() {
        waiting.ifPresent(Timers.Cancellable::cancel);
        waiting = Optional.empty();
        if (!recovering.getAsBoolean()) {
            workers.listed();
            notices.changed();
        }
    }

    /** Workers that left are gone. Nobody waits for that: those of a short time are taken from the lists together. */
    public void sendSoon() {
        if (waiting.isEmpty()) {
            waiting = Optional.of(mainThread.schedule(PAUSE_MILLIS, this::send));
        }
    }

    private void changed(WorkerId worker, Consumer<WorkerId> listener) {
        if (!blocked.blocks(worker)) {
            reasons.remove(worker);
            LOG.info("worker {}: is no longer blocked", worker);
        }
        listener.accept(worker);
        changes.mark(Change.BLOCKS);
    }

    /**
     * A JobMaster has registered.
     *
     * @param known whether the same JobMaster was registered before
     */
    public void registered(JobEntry job, JobEntry.Master master, boolean known) {
        if (!recovering.getAsBoolean()) {
            notices.registered(job, master, known);
        }
    }

    public boolean blocks(WorkerId worker) {
        return blocked.blocks(worker);
    }

    /** The block of a worker, if it is blocked. */
    public Optional<WorkerBlock> of(WorkerId worker) {
        return blocked.blocks(worker)
                ? Optional.of(new WorkerBlock(worker, blocked.leftMillis(worker), reasons.getOrDefault(worker, "")))
                : Optional.empty();
    }

    /**
     * Blocks the workers that {@code target} names: by id, host, or address.
     *
     * @throws MainThread.RefusedException if time or reason are out of bounds
     */
    public List<WorkerBlock> block(String target, long millis, String reason) {
        if (millis < 1 || millis > ResourceManagerGateway.MAX_BLOCK_MILLIS) {
            throw new MainThread.RefusedException("time of a block is " + millis + " ms: allowed are 1 to "
                    + ResourceManagerGateway.MAX_BLOCK_MILLIS);
        }
        if (reason.length() > ResourceManagerGateway.MAX_BLOCK_REASON) {
            throw new MainThread.RefusedException("reason of a block has " + reason.length()
                    + " characters: allowed are " + ResourceManagerGateway.MAX_BLOCK_REASON);
        }
        SortedSet<WorkerId> named = named(target);
        named.forEach(worker -> block(worker, millis, reason));
        return blocks(named);
    }

    /** Blocks one worker, even if it is not registered. */
    public void block(WorkerId worker, long millis, String reason) {
        if (!blocked.blocks(worker) || blocked.leftMillis(worker) < millis) {
            reasons.put(worker, reason);
            LOG.warn("worker {}: is blocked for {} ms: {}", worker, millis, reason);
            blocked.block(worker, millis);
        }
    }

    /** Lifts the blocks of the workers that {@code target} names. */
    public List<WorkerBlock> unblock(String target) {
        SortedSet<WorkerId> named = named(target);
        blocked.workers().stream()
                .filter(worker -> worker.value().equals(target))
                .forEach(named::add);
        List<WorkerBlock> lifted = blocks(named);
        lifted.forEach(block -> blocked.unblock(block.worker()));
        return lifted;
    }

    private List<WorkerBlock> blocks(SortedSet<WorkerId> of) {
        return of.stream().flatMap(worker -> of(worker).stream()).toList();
    }

    private SortedSet<WorkerId> named(String target) {
        SortedSet<WorkerId> named = new TreeSet<>();
        workers.named(target).forEach(worker -> named.add(worker.id()));
        return named;
    }
}
