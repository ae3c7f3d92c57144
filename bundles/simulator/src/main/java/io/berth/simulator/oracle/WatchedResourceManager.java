package io.berth.simulator.oracle;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.WorkerLabels;
import io.berth.simulator.gateway.CalledTaskExecutor;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Observes one ResourceManager of a simulated world. It compares what the ResourceManager knows about workers and
 * slots before and after a message (invariant P3): an older JobMaster is not registered, a stale instance of a worker
 * takes nothing away, and a slot that is being requested stays whatever a report says. It also checks that no slot is
 * requested beyond the last declaration of a job (invariant P2).
 */
public final class WatchedResourceManager {

    /** The pools of the world. */
    public interface Pools {

        /** The pool of a worker with these labels; empty while files of pools have just changed. */
        Optional<String> of(WorkerLabels labels);

        /** Whether a slot of one group may fulfill the requirement of another one that needs less. */
        boolean isLoose(String pool);
    }

    private final Incarnation process;
    private final Ledger ledger;
    private final Pools pools;
    private final SortedMap<JobId, JobMasterId> newest = new TreeMap<>();
    private final SortedMap<JobId, RequirementsDeclaration> declared = new TreeMap<>();
    private final SortedMap<Long, WorkerId> instances = new TreeMap<>();
    private final SortedMap<WorkerId, Long> latest = new TreeMap<>();
    /** Until when it has promised to give no slots on a worker, by the clock of its process. */
    private final SortedMap<String, Long> blockedUntil = new TreeMap<>();

    /** Workers that it has promised to give no slots on, because they leave. */
    private final SortedSet<String> leaving = new TreeSet<>();
    /** Requests that workers stay, without an answer. */
    private int undraining;

    private Optional<ResourceManagerGateway> serving = Optional.empty();
    /** How many times it has learned something, from a message or from a backend. */
    private long effects;
    /** Requests for slots without an outcome. */
    private int requesting;

    public WatchedResourceManager(Incarnation process, Ledger ledger, Pools pools) {
        this.process = process;
        this.ledger = ledger;
        this.pools = pools;
    }

    ResourceManagerGateway of(ResourceManagerGateway served) {
        serving = Optional.of(served);
        return PartialGateway.over(ResourceManagerGateway.class, served, this);
    }

    private ResourceManagerGateway watched() {
        return serving.orElseThrow();
    }

    /** What it knows at this moment; empty while it is busy, or not served yet. */
    Optional<ClusterDetails> details() {
        if (serving.isEmpty() || !process.isAlive() || process.isPaused()) {
            return Optional.empty();
        }
        return process.atOnce(() -> {
            CompletableFuture<ClusterDetails> details =
                    watched().clusterDetails(ClusterQuery.ALL).toCompletableFuture();
            return details.isDone() && !details.isCompletedExceptionally()
                    ? Optional.of(details.join())
                    : Optional.empty();
        });
    }

    /** Whether the worker has registered at it at any time. */
    public boolean hasRegistered(WorkerId worker) {
        return latest.containsKey(worker);
    }

    /** How many times it has learned something. */
    long effects() {
        return effects;
    }

    /** What its registered JobMaster declared last. */
    Optional<RequirementsDeclaration> declared(JobId job) {
        return Optional.ofNullable(declared.get(job));
    }

    /** Whether a slot of one group may fulfill the requirement of another one. */
    boolean isLoose(RequirementsDeclaration declaration) {
        return pools.isLoose(declaration.attributes().pool());
    }

    /** Lets a message act at once and checks which slots disappeared. */
    private <T> T acts(Object message, Predicate<SlotDetails> mayGo, Supplier<T> call) {
        Optional<ClusterDetails> before = process.lags() ? Optional.empty() : details();
        if (before.isEmpty()) {
            T answer = call.get();
            learnsBehind();
            return answer;
        }
        T answer = process.atOnce(call);
        effects++;
        details().ifPresent(after -> {
            SortedSet<String> there = new TreeSet<>();
            after.slots().forEach(slot -> there.add(slot.allocation() + " " + slot.worker() + " " + slot.job()));
            for (SlotDetails slot : before.get().slots()) {
                if (!there.contains(slot.allocation() + " " + slot.worker() + " " + slot.job()) && !mayGo.test(slot)) {
                    ledger.broken("E: the ResourceManager on " + process + " forgot " + slot + " by " + message);
                }
            }
        });
        return answer;
    }

    /** It has learned something when its main thread has run what it was given up to now. */
    private void learnsBehind() {
        process.atOnce(() -> watched().clusterDetails(ClusterQuery.ALL)).thenRun(() -> effects++);
    }

    private Optional<String> workerOf(InstanceId instance) {
        WorkerId worker = instances.get(instance.number());
        return worker == null || Objects.requireNonNull(latest.get(worker)) != instance.number()
                ? Optional.empty()
                : Optional.of(worker.value());
    }

    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        WorkerId worker = registration.worker();
        return acts(
                        registration,
                        slot -> slot.worker().equals(worker.value()),
                        () -> watched().registerWorker(registration))
                .thenApply(response -> {
                    if (response instanceof RegistrationResponse.Accepted accepted) {
                        instances.put(accepted.instance().number(), worker);
                        Long before = latest.put(worker, accepted.instance().number());
                        if (before == null || before != accepted.instance().number()) {
                            // Another process, or one that was lost: it says itself whether it leaves.
                            leaving.remove(worker.value());
                            if (!registration.leaving().isEmpty()) {
                                leaving.add(worker.value());
                            }
                        }
                    }
                    return response;
                });
    }

    public CompletionStage<Acknowledge> slotFreed(SlotFreed notice) {
        Optional<String> worker = workerOf(notice.instance());
        return acts(
                notice,
                slot -> slot.allocation().equals(notice.allocation().toString())
                        && worker.filter(slot.worker()::equals).isPresent(),
                () -> watched().slotFreed(notice));
    }

    public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
        Optional<String> worker = workerOf(instance);
        return acts(
                "disconnection of " + instance,
                slot -> worker.filter(slot.worker()::equals).isPresent(),
                () -> watched().disconnectWorker(instance, cause));
    }

    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        JobId job = registration.job();
        JobMasterId jobMaster = registration.jobMaster();
        return acts(registration, slot -> false, () -> watched().registerJobMaster(registration))
                .thenApply(response -> {
                    if (response instanceof RegistrationResponse.Accepted) {
                        JobMasterId before = newest.get(job);
                        if (before != null
                                && before.token().epoch() > jobMaster.token().epoch()) {
                            ledger.broken("E: the ResourceManager on " + process + " takes JobMaster " + jobMaster
                                    + " of job " + job + " after " + before);
                        }
                        if (before == null || !before.equals(jobMaster)) {
                            declared.remove(job);
                        }
                        newest.put(job, jobMaster);
                    }
                    return response;
                });
    }

    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        return acts(declaration, slot -> false, () -> watched().declareRequirements(declaration))
                .thenApply(done -> {
                    JobMasterId known = newest.get(declaration.job());
                    if (known != null && !known.equals(declaration.jobMaster())) {
                        ledger.broken("E: the ResourceManager on " + process + " takes " + declaration + " while "
                                + known + " is the newest");
                    }
                    RequirementsDeclaration before = declared.get(declaration.job());
                    if (before == null || before.sequence() <= declaration.sequence()) {
                        declared.put(declaration.job(), declaration);
                    }
                    return done;
                });
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause) {
        return acts(
                        "disconnection of " + jobMaster,
                        slot -> false,
                        () -> watched().disconnectJobMaster(job, jobMaster, cause))
                .thenApply(done -> {
                    if (jobMaster.equals(newest.get(job))) {
                        declared.remove(job);
                    }
                    return done;
                });
    }

    public CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason) {
        return watched().blockWorkers(target, millis, reason).thenApply(blocks -> {
            blocks.forEach(block -> blockedUntil.put(
                    block.worker().value(), process.nanos() + (block.millis() - 1) * VirtualTime.MILLI));
            return blocks;
        });
    }

    public CompletionStage<List<WorkerBlock>> unblockWorkers(String target) {
        return watched().unblockWorkers(target).thenApply(lifted -> {
            lifted.forEach(block -> blockedUntil.remove(block.worker().value()));
            return lifted;
        });
    }

    public CompletionStage<List<RelabeledWorker>> relabelWorkers(String target, LabelChange change) {
        return watched().relabelWorkers(target, change);
    }

    public CompletionStage<List<DrainedWorker>> drainWorkers(String target, WorkerLeave leave) {
        CompletionStage<List<DrainedWorker>> answer = watched().drainWorkers(target, leave);
        // It takes effect at once, or after what its main thread has to do before.
        effects++;
        learnsBehind();
        return answer.thenApply(this::drained);
    }

    public CompletionStage<List<DrainedWorker>> undrainWorkers(String target) {
        undraining++;
        return watched().undrainWorkers(target).thenApply(this::drained).whenComplete((done, failure) -> undraining--);
    }

    private List<DrainedWorker> drained(List<DrainedWorker> workers) {
        workers.forEach(worker -> {
            if (worker.leaving().isPresent()) {
                leaving.add(worker.worker().value());
            } else {
                leaving.remove(worker.worker().value());
            }
        });
        return workers;
    }

    /** Checks the last declaration of each job when slots have just been requested. */
    private void requested(SortedSet<String> allocations, SortedSet<String> blocked) {
        details().ifPresent(details -> {
            SortedMap<String, Integer> counts = new TreeMap<>();
            SortedSet<String> left = new TreeSet<>();
            details.workers().stream()
                    .filter(worker -> !worker.leavingReason().isEmpty())
                    .forEach(worker -> left.add(worker.id()));
            // Slots on workers that leave may be replaced.
            details.slots().stream()
                    .filter(slot -> !left.contains(slot.worker()))
                    .forEach(slot ->
                            counts.merge(key(slot.job(), slot.unit(), slot.group(), slot.profile()), 1, Integer::sum));
            details.slots().stream()
                    .filter(slot -> allocations.contains(slot.allocation()))
                    .forEach(slot -> {
                        if (blocked.contains(slot.worker())) {
                            ledger.broken("P2: the ResourceManager on " + process + " requests " + slot
                                    + " although it has said that the worker is blocked, or leaves");
                        }
                        if (left.contains(slot.worker())) {
                            ledger.broken("P2: the ResourceManager on " + process + " requests " + slot
                                    + " although the worker leaves");
                        }
                        excluded(slot, details)
                                .ifPresent(why -> ledger.broken("P2: the ResourceManager on " + process + " requests "
                                        + slot + " although " + why));
                        elsewhere(slot, details)
                                .ifPresent(why -> ledger.broken("P2: the ResourceManager on " + process + " requests "
                                        + slot + " although " + why));
                        int most = most(slot);
                        int count = counts.getOrDefault(key(slot.job(), slot.unit(), slot.group(), slot.profile()), 0);
                        if (count > most) {
                            ledger.broken("P2: the ResourceManager on " + process + " requests " + slot + ": job "
                                    + slot.job()
                                    + " has " + count + " such slots and declared " + most + ": "
                                    + declared.get(new JobId(slot.job())));
                        }
                    });
        });
    }

    private SortedSet<String> blocked() {
        blockedUntil.values().removeIf(until -> process.nanos() >= until);
        return new TreeSet<>(blockedUntil.keySet());
    }

    private static String key(String job, String unit, String group, String profile) {
        return job + " " + unit + " " + group + " " + profile;
    }

    /** Why the constraints of its group keep a slot away from its worker. */
    private Optional<String> excluded(SlotDetails slot, ClusterDetails details) {
        return requirements(slot)
                .flatMap(group -> details.workers().stream()
                        .filter(worker -> worker.id().equals(slot.worker()))
                        .flatMap(worker ->
                                group
                                        .constraints()
                                        .obstacle(new WorkerLabels(worker.labels(), worker.taints()))
                                        .stream()))
                .findFirst();
    }

    /** Why its worker is not one of the pool of its job. */
    private Optional<String> elsewhere(SlotDetails slot, ClusterDetails details) {
        return Optional.ofNullable(declared.get(new JobId(slot.job())))
                .map(declaration -> declaration.attributes().pool())
                .flatMap(pool -> details.workers().stream()
                        .filter(worker -> worker.id().equals(slot.worker()))
                        .flatMap(worker -> pools.of(new WorkerLabels(worker.labels(), worker.taints())).stream())
                        .filter(there -> !process.lags() && !there.equals(pool))
                        .findFirst()
                        .map(there -> "its worker is in pool " + there + " and the job in pool " + pool));
    }

    /** How many such slots a job may have, whatever other slots serve their group. */
    private int most(SlotDetails slot) {
        return requirements(slot).mapToInt(GroupRequirement::desired).sum();
    }

    private Stream<GroupRequirement> requirements(SlotDetails slot) {
        return Optional.ofNullable(declared.get(new JobId(slot.job()))).stream()
                .flatMap(declaration -> declaration.units().stream())
                .filter(unit -> unit.unit().equals(slot.unit()))
                .flatMap(unit -> unit.groups().stream())
                .filter(group -> group.group().equals(slot.group())
                        && group.profile().toString().equals(slot.profile()));
    }

    /** A worker as this ResourceManager calls it. */
    TaskExecutorGateway calling(TaskExecutorGateway worker) {
        return CalledTaskExecutor.of(worker, new CalledTaskExecutor.Caller() {
            @Override
            public void requesting(SlotRequests requests) {
                requesting++;
                SortedSet<String> allocations = new TreeSet<>();
                requests.requests()
                        .forEach(request -> allocations.add(request.allocation().toString()));
                long before = effects;
                SortedSet<String> blocked = blocked();
                if (undraining == 0) {
                    // The answer for several workers comes when the last of them has answered.
                    blocked.addAll(leaving);
                }
                ledger.afterThis(() -> {
                    // What arrived later in the same turn does not make the request wrong.
                    if (effects == before) {
                        requested(allocations, blocked);
                    }
                });
            }

            @Override
            public void answered() {
                requesting--;
                // Slots that were refused are gone.
                effects++;
            }

            @Override
            public void telling() {
                effects++;
            }

            @Override
            public void told() {
                learnsBehind();
            }

            @Override
            public void reported(CompletableFuture<SlotReport> report, SlotReport slots) {
                if (requesting > 0 || process.lags()) {
                    acts(slots, slot -> !slot.state().equals("pending"), () -> report.complete(slots));
                } else {
                    // No slot is pending that it could remove.
                    process.atOnce(() -> report.complete(slots));
                    effects++;
                }
            }
        });
    }
}
