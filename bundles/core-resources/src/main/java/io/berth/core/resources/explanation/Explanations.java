package io.berth.core.resources.explanation;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.PoolJobs;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.UnitGroup;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies JobMasters why the cluster does not fulfill their requirements (FLIP-138, notEnoughResourcesAvailable). It
 * does not delay plans: passes over the waiting jobs have a minimum interval, the main thread only counts changed
 * workers, and the analysis runs on another thread. A JobMaster is notified at once of another situation, and later of
 * other numbers or if a notice did not arrive. Shortages are sent only after the start-up period. Confined to the main
 * thread.
 */
public final class Explanations {

    /** Between two passes. */
    static final long PAUSE_MILLIS = 500;

    /** Before a job is notified of other numbers of the same situation. */
    static final long REFRESH_MILLIS = 2_000;

    private static final int MAX_JOBS = 1_000;
    private static final int MAX_SIZES = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Explanations.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Executor analyses;
    private final Clock clock;
    private final WorkerKinds kinds;
    private final RequirementLedger ledger;
    private final WorkerDemand backends;
    /** Why no plan is made at all. */
    private Optional<Reason> recovering = Optional.empty();
    /** Why no plan is made for a pool, by its name. */
    private final SortedMap<String, Reason> undecided = new TreeMap<>();

    private Set<String> pools = Set.of(PoolDefinition.DEFAULT_NAME);
    private boolean open;
    private boolean scheduled;
    private boolean running;
    private boolean again;
    private final Reminder refresh = new Reminder();
    private final Reminder answers = new Reminder();
    private long lastMillis;
    private long notices;
    private Optional<JobId> lastJob = Optional.empty();

    public Explanations(
            ResourceManagerId id,
            MainThread mainThread,
            Executor analyses,
            Clock clock,
            WorkerRegistry workers,
            RequirementLedger ledger,
            WorkerDemand backends) {
        this.id = id;
        this.mainThread = mainThread;
        this.analyses = analyses;
        this.clock = clock;
        kinds = new WorkerKinds(workers);
        this.ledger = ledger;
        this.backends = backends;
        this.lastMillis = clock.millis() - PAUSE_MILLIS;
    }

    /** Of the same workers, for scaling policies. */
    public JobRooms rooms(JobRooms.QueueRooms queues) {
        return new JobRooms(mainThread, analyses, kinds, ledger, backends, queues);
    }

    /** The start-up period is over: shortages are sent. */
    public void open() {
        open = true;
        request();
    }

    /** Why no plan is made at all; empty if plans are made. */
    public void recovering(Optional<Reason> why) {
        recovering = why;
    }

    /** Why no plan is made for the jobs of a pool; empty if plans are made. */
    public void undecided(PoolJobs pool, Optional<Reason> why) {
        why.ifPresentOrElse(reason -> undecided.put(pool.name(), reason), () -> undecided.remove(pool.name()));
    }

    /** The pools that there are. */
    public void pools(Set<String> names) {
        pools = names;
        undecided.keySet().retainAll(names);
    }

    private Optional<Reason> undecided(JobEntry job) {
        String pool = job.pool().name();
        if (!pools.contains(pool)) {
            return Optional.of(Reason.of(
                    ReasonCode.NO_POOL,
                    "there is no pool " + pool + ": configure it in etc/io.berth.pool-" + pool
                            + ".cfg, or cancel the job; it keeps the slots that it has"));
        }
        return recovering.or(() -> Optional.ofNullable(undecided.get(job.pool().name())));
    }

    /** A job may wait for another reason than before. */
    public void request() {
        mainThread.assertCurrent();
        if (running || lastJob.isPresent()) {
            again = true;
        } else {
            schedule();
        }
    }

    /** Slots were requested: checks later whether all were acknowledged. */
    public void requestLater() {
        answers.in(PAUSE_MILLIS);
    }

    /** Requests another pass later; of several ones, the first counts. */
    private final class Reminder {

        private boolean set;

        private void in(long millis) {
            if (!set) {
                set = true;
                mainThread.schedule(millis, () -> {
                    set = false;
                    request();
                });
            }
        }
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            mainThread.schedule(Math.max(0, lastMillis + PAUSE_MILLIS - clock.millis()), this::pass);
        }
    }

    private void pass() {
        scheduled = false;
        lastMillis = clock.millis();
        if (lastJob.isEmpty()) {
            again = false;
        }
        List<JobShortage> waiting = collect();
        if (waiting.isEmpty()) {
            if (again) {
                schedule();
            }
            return;
        }
        running = true;
        SortedMap<String, ClusterCapacity> capacity = new TreeMap<>();
        waiting.forEach(job -> capacity.computeIfAbsent(job.pool(), pool -> kinds.capacity(pool, backends)));
        mainThread.whenComplete(
                CompletableFuture.supplyAsync(() -> explain(waiting, capacity), analyses), (reasons, failure) -> {
                    running = false;
                    if (failure == null) {
                        waiting.forEach(job -> send(job, Objects.requireNonNull(reasons.get(job.job()))));
                    } else {
                        LOG.error("ResourceManager {}: the analysis of why jobs wait failed", id, failure);
                    }
                    if (again || lastJob.isPresent()) {
                        schedule();
                    }
                });
    }

    /** Runs on a thread for analyses. */
    private static Map<JobId, Reason> explain(List<JobShortage> jobs, SortedMap<String, ClusterCapacity> capacities) {
        Map<String, Map<SlotNeed, RoomAnalysis>> rooms = new HashMap<>();
        Map<JobId, Reason> reasons = new LinkedHashMap<>();
        for (JobShortage job : jobs) {
            ClusterCapacity capacity = Objects.requireNonNull(capacities.get(job.pool()));
            Map<SlotNeed, RoomAnalysis> ofPool = rooms.computeIfAbsent(job.pool(), pool -> new HashMap<>());
            reasons.put(
                    job.job(),
                    job.why(capacity, need -> ofPool.computeIfAbsent(need, size -> RoomAnalysis.of(capacity, size))));
        }
        return reasons;
    }

    /** Copies what jobs lack, up to a limit for one pass; the next pass continues after them. */
    private List<JobShortage> collect() {
        List<JobShortage> found = new ArrayList<>();
        Set<SlotNeed> sizes = new HashSet<>();
        Optional<JobId> from = lastJob;
        lastJob = Optional.empty();
        Optional<JobEntry> next = ledger.watchedAfter(from);
        while (next.isPresent()) {
            JobEntry job = next.get();
            next = ledger.watchedAfter(Optional.of(job.id));
            if (job.master().isEmpty()) {
                continue;
            }
            List<JobShortage.Unit> units = new ArrayList<>();
            for (UnitEntry unit : job.units.values()) {
                if (unit.lacks()) {
                    units.add(unit(unit, sizes));
                }
            }
            long unansweredMillis = job.unacknowledged() > 0 ? clock.millis() - job.unacknowledgedSince() : 0;
            boolean unanswered = unansweredMillis >= PAUSE_MILLIS;
            boolean notifiedBefore = job.notified().isPresent() || job.isResendDue();
            if (!units.isEmpty() || unanswered || notifiedBefore && job.slots() > 0) {
                found.add(new JobShortage(
                        job.id,
                        job.pool().name(),
                        job.sequence(),
                        job.slots(),
                        job.unacknowledged(),
                        undecided(job),
                        units));
            } else {
                job.notified(Optional.empty(), 0);
                if (job.unacknowledged() == 0) {
                    ledger.settled(job);
                } else {
                    answers.in(PAUSE_MILLIS - unansweredMillis);
                }
            }
            if (found.size() >= MAX_JOBS || sizes.size() >= MAX_SIZES) {
                lastJob = Optional.of(job.id);
                break;
            }
        }
        return found;
    }

    private JobShortage.Unit unit(UnitEntry unit, Set<SlotNeed> sizes) {
        List<JobShortage.Group> groups = new ArrayList<>();
        for (UnitGroup group : unit.groups()) {
            int have = unit.allocated(group);
            if (have < group.requirement().desired()) {
                groups.add(new JobShortage.Group(group.requirement(), have));
                sizes.add(SlotNeed.of(group.requirement()));
            }
        }
        List<String> failures = new ArrayList<>();
        for (String spec : unit.waitingFor) {
            backends.reports().startFailure(spec).ifPresent(failures::add);
        }
        return new JobShortage.Unit(
                groups, unit.attempted(), unit.round().why().or(unit::reason), failures, List.copyOf(unit.waitingFor));
    }

    private void send(JobShortage shortage, Reason why) {
        Optional<JobEntry> found = ledger.find(shortage.job())
                .filter(job -> job.master().isPresent() && job.sequence() == shortage.sequence());
        if (found.isEmpty() || !open && isShortage(why)) {
            return;
        }
        JobEntry job = found.get();
        Optional<JobEntry.Notice> last = job.notified().filter(notice -> notice.sequence() == shortage.sequence());
        boolean other = last.filter(notice -> notice.why().sameSituation(why)).isEmpty();
        if (!other && !job.isResendDue() && last.get().why().equals(why)) {
            return;
        }
        if (!other && clock.millis() - last.get().millis() < REFRESH_MILLIS) {
            refresh.in(REFRESH_MILLIS);
            return;
        }
        boolean over = shortage.units().isEmpty() && shortage.unacknowledged() == 0;
        job.notified(over ? Optional.empty() : Optional.of(why), clock.millis());
        if (other) {
            LOG.info("job {}: {}: {}", job.id, why.code(), why.line());
        }
        JobEntry.Master master = job.master().orElseThrow();
        long number = ++notices;
        mainThread.whenComplete(
                master.gateway()
                        .notEnoughResources(new NotEnoughResources(id, job.sequence(), number, job.slots(), why)),
                (done, failure) -> {
                    if (failure != null) {
                        LOG.debug("job {}: why it waits did not arrive", job.id, failure);
                        notAcknowledged(job, master);
                    }
                });
    }

    /** Notifies again later, with the reason of that time, also when it has registered once more since then. */
    private void notAcknowledged(JobEntry job, JobEntry.Master master) {
        if (job.master().filter(present -> present.id().equals(master.id())).isPresent()) {
            job.notAcknowledged();
            ledger.watch(job);
            refresh.in(REFRESH_MILLIS);
        }
    }

    /** Whether workers that have not registered yet after a restart may change the reason. */
    private static boolean isShortage(Reason why) {
        return switch (why.code()) {
            case NO_WORKERS,
                    NO_CPU,
                    NO_MEMORY,
                    NO_RESOURCE,
                    FULL,
                    POOL_LIMIT,
                    NO_BACKEND,
                    BLOCKED,
                    NOT_PLACED,
                    EXCLUDED,
                    LEAVING,
                    RELEASING,
                    TOO_LARGE,
                    CONSTRAINTS -> true;
            default -> false;
        };
    }
}
