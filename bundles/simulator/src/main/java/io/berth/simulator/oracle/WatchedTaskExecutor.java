package io.berth.simulator.oracle;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.SlotReport.Slot;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.simulator.gateway.LateMessages;
import io.berth.simulator.gateway.LateMessagesToWorker;
import io.berth.simulator.gateway.ObservedResourceManager;
import io.berth.simulator.gateway.WatchedJobMaster;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Observes the TaskExecutor of a simulated worker and compares its slots before and after each message (invariant P3).
 * A message changes only slots of the job and the JobMaster that sent it. A message from a ResourceManager older than
 * one that the worker has answered changes nothing. Nobody deploys into a slot of another owner or into one that was
 * returned. The worker does not return to an older ResourceManager.
 */
public final class WatchedTaskExecutor {

    private final TaskExecutorGateway watched;
    private final TaskExecutorGateway gateway;
    private final Incarnation process;
    private final Supplier<Optional<SlotReport>> slots;
    private final Supplier<SortedSet<PartitionId>> results;
    private final Ledger ledger;
    private final Runnable changed;
    private final LateMessagesToWorker late;
    private final ComparedSlots compared;
    /** The last offer of each allocation. */
    private final SortedMap<AllocationId, Long> offered = new TreeMap<>();
    /** All slots that the worker ever had. */
    private final SortedSet<AllocationId> seen = new TreeSet<>();

    private final SortedSet<AllocationId> givenBack = new TreeSet<>();
    private Optional<SlotReport> known = Optional.empty();
    private Optional<FencingToken> resourceManager = Optional.empty();
    private Optional<FencingToken> registeredAt = Optional.empty();

    /**
     * @param slots the slots of the worker at this moment; empty while it is busy
     * @param results what the worker stores
     * @param changed runs when a message has changed the slots
     */
    public WatchedTaskExecutor(
            TaskExecutorGateway watched,
            Incarnation process,
            Supplier<Optional<SlotReport>> slots,
            Supplier<SortedSet<PartitionId>> results,
            Ledger ledger,
            Runnable changed) {
        this.watched = watched;
        this.process = process;
        this.slots = slots;
        this.results = results;
        this.ledger = ledger;
        this.changed = changed;
        this.gateway = PartialGateway.over(TaskExecutorGateway.class, watched, this);
        this.late = new LateMessagesToWorker(gateway, slots);
        this.compared = new ComparedSlots(process, ledger);
    }

    /** The worker with this observer. */
    TaskExecutorGateway gateway() {
        return gateway;
    }

    /** Messages that arrive late. */
    public LateMessages.Receiver late() {
        return late;
    }

    /** Checks the effect of a message. */
    private interface Look<T> {

        void at(CompletionStage<T> answer, SlotReport before, SlotReport after);
    }

    private <T> CompletionStage<T> acts(
            Object message,
            Predicate<Slot> mayChange,
            Predicate<AllocationId> mayCome,
            Supplier<CompletionStage<T>> call) {
        return acts(message, mayChange, mayCome, call, (answer, before, after) -> {});
    }

    /**
     * Lets a message act at once and checks its effect.
     *
     * @param mayChange slots that may change or disappear
     * @param mayCome allocations that may become slots
     * @param look a further check, when nothing lags
     */
    private <T> CompletionStage<T> acts(
            Object message,
            Predicate<Slot> mayChange,
            Predicate<AllocationId> mayCome,
            Supplier<CompletionStage<T>> call,
            Look<T> look) {
        Optional<SlotReport> before = process.lags() ? Optional.empty() : slots.get();
        if (before.isEmpty()) {
            return call.get();
        }
        CompletionStage<T> answer = process.atOnce(call);
        slots.get().ifPresent(after -> {
            compare(message, before.get(), after, mayChange, mayCome);
            look.at(answer, before.get(), after);
        });
        return answer;
    }

    private void compare(
            Object message,
            SlotReport before,
            SlotReport after,
            Predicate<Slot> mayChange,
            Predicate<AllocationId> mayCome) {
        // Most messages change nothing, and then the slots are still the same.
        if (known.filter(before::equals).isEmpty()) {
            has(before);
        }
        if (before.equals(after)) {
            return;
        }
        SortedMap<AllocationId, Slot> there = new TreeMap<>();
        after.slots().forEach(slot -> there.put(slot.allocation(), slot));
        for (Slot slot : before.slots()) {
            Slot now = there.remove(slot.allocation());
            if (!slot.equals(now) && !mayChange.test(slot)) {
                ledger.broken("E: on " + process + " the message " + message + " changed " + slot + " to " + now);
            }
        }
        for (Slot slot : there.values()) {
            if (!mayCome.test(slot.allocation())) {
                ledger.broken("E: on " + process + " the message " + message + " made " + slot);
            } else if (seen.contains(slot.allocation())) {
                ledger.broken("E: on " + process + " the message " + message + " made " + slot
                        + ", which existed before and had ended");
            }
        }
        has(after);
        changed.run();
    }

    private void has(SlotReport report) {
        known = Optional.of(report);
        report.slots().forEach(slot -> seen.add(slot.allocation()));
        late.has(report);
    }

    /** A ResourceManager as this worker calls it. */
    ResourceManagerGateway calling(EndpointRef endpoint, ResourceManagerGateway called) {
        return ObservedResourceManager.of(called, new ObservedResourceManager.Listener() {
            @Override
            public void registers(WorkerRegistration registration) {
                registeredAt
                        .filter(newest -> newest.epoch() > endpoint.token().epoch())
                        .ifPresent(newest -> ledger.broken("E: " + process + " goes back to the older ResourceManager "
                                + endpoint + " than " + newest));
                registeredAt = Optional.of(endpoint.token());
            }
        });
    }

    /**
     * A JobMaster as this worker calls it: an answer to an offer counts only while that offer is the last one. It
     * changes the offered slots; or, if the worker is no longer registered, all slots of the job.
     */
    JobMasterGateway calling(EndpointRef endpoint, JobMasterGateway jobMaster) {
        JobMasterId id = new JobMasterId(endpoint.token());
        return WatchedJobMaster.of(jobMaster, new WatchedJobMaster.Watcher() {
            @Override
            public void fails(AllocationId allocation) {
                compared.reports(allocation);
            }

            @Override
            public CompletionStage<AcceptedSlots> offers(JobMasterGateway called, SlotOffers offers) {
                compared.offers(offers);
                offers.offers().forEach(offer -> offered.put(offer.allocation(), offers.number()));
                CompletableFuture<AcceptedSlots> answer = new CompletableFuture<>();
                called.offerSlots(offers).whenComplete((accepted, failure) -> {
                    if (failure == null) {
                        acts(
                                "answer to " + offers,
                                slot -> offers.number() == offered.getOrDefault(slot.allocation(), 0L)
                                        || accepted.notRegistered()
                                                && isLast(offers)
                                                && slot.jobMaster().equals(id),
                                none(),
                                () -> CompletableFuture.completedFuture(answer.complete(accepted)));
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
                return answer;
            }
        });
    }

    private boolean isLast(SlotOffers offers) {
        return offers.offers().stream()
                .allMatch(offer -> offers.number() == offered.getOrDefault(offer.allocation(), 0L));
    }

    private static Predicate<Slot> of(JobId job, JobMasterId jobMaster) {
        return slot -> slot.job().equals(job) && slot.jobMaster().token().compareTo(jobMaster.token()) <= 0;
    }

    private static <T> Predicate<T> none() {
        return any -> false;
    }

    /** Whether the worker has answered a newer one. */
    private boolean isOld(ResourceManagerId from) {
        return resourceManager
                .filter(newest -> newest.epoch() > from.token().epoch())
                .isPresent();
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        late.observed(requests);
        TreeSet<AllocationId> asked = new TreeSet<>();
        requests.requests().forEach(request -> asked.add(request.allocation()));
        boolean old = isOld(requests.resourceManager());
        return acts(
                requests,
                slot -> !old
                        && requests.requests().stream()
                                .anyMatch(request -> request.job().equals(slot.job())
                                        && slot.jobMaster()
                                                        .token()
                                                        .compareTo(request.jobMaster()
                                                                .token())
                                                < 0),
                allocation -> !old && asked.contains(allocation),
                () -> watched.requestSlots(requests));
    }

    public CompletionStage<Acknowledge> freeSlots(SlotsToFree toFree) {
        Predicate<Slot> named = slot -> slot.job().equals(toFree.job())
                && slot.jobMaster().equals(toFree.jobMaster())
                && toFree.allocations().contains(slot.allocation());
        return acts(
                toFree,
                named,
                none(),
                () -> watched.freeSlots(toFree),
                (answer, before, after) -> before.slots().stream().filter(named).forEach(slot -> {
                    givenBack.add(slot.allocation());
                    late.returned(slot.allocation());
                }));
    }

    public CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments) {
        late.observed(deployments);
        Optional<SlotReport> before = slots.get();
        CompletionStage<DeploymentAnswers> answer = acts(
                deployments,
                slot -> slot.jobMaster().equals(deployments.jobMaster()),
                none(),
                () -> watched.deployTasks(deployments));
        before.ifPresent(report -> answer.thenAccept(answers -> answers.answers().stream()
                .filter(given -> given.verdict() == DeploymentVerdict.ACCEPTED)
                .forEach(accepted -> deployed(report, deployments, accepted.attempt()))));
        return answer;
    }

    private void deployed(SlotReport report, Deployments deployments, AttemptId attempt) {
        for (TaskDeployment task : deployments.tasks()) {
            if (task.attempt().equals(attempt)
                    && (givenBack.contains(task.allocation())
                            || report.slots().stream()
                                    .noneMatch(slot -> slot.allocation().equals(task.allocation())
                                            && slot.job().equals(attempt.job())
                                            && slot.jobMaster().equals(deployments.jobMaster())))) {
                ledger.broken("E: " + process + " took task " + attempt + " of JobMaster " + deployments.jobMaster()
                        + " into slot " + task.allocation() + " of its " + report.slots()
                        + (givenBack.contains(task.allocation()) ? ", which was returned" : ""));
            }
        }
    }

    public CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts) {
        return acts(
                "cancel of " + jobMaster,
                slot -> slot.jobMaster().equals(jobMaster),
                none(),
                () -> watched.cancelTasks(jobMaster, attempts));
    }

    /** Only the results that it names are released, and only those of its own tasks. */
    public CompletionStage<Acknowledge> releaseResults(JobId job, JobMasterId jobMaster, List<PartitionId> partitions) {
        SortedSet<PartitionId> released = results.get();
        CompletionStage<Acknowledge> answer = acts(
                "release of results by " + jobMaster,
                none(),
                none(),
                () -> watched.releaseResults(job, jobMaster, partitions));
        released.removeAll(results.get());
        released.removeIf(result -> partitions.contains(result)
                && result.producer().epoch() == jobMaster.token().epoch());
        if (!released.isEmpty()) {
            ledger.broken("E: on " + process + " JobMaster " + jobMaster + " of job " + job + " released " + released
                    + " with " + partitions);
        }
        return answer;
    }

    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId from) {
        return watched.heartbeatFromResourceManager(from).thenApply(report -> {
            if (resourceManager
                    .filter(newest -> newest.compareTo(from.token()) >= 0)
                    .isEmpty()) {
                resourceManager = Optional.of(from.token());
            }
            late.answered(from);
            return report;
        });
    }

    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        late.observed(allocated);
        boolean counts = compared.begins(allocated);
        return acts(
                allocated,
                slot -> slot.job().equals(allocated.job()) && slot.jobMaster().equals(allocated.jobMaster()),
                none(),
                () -> watched.heartbeatFromJobMaster(allocated),
                (answer, before, after) -> {
                    CompletableFuture<TaskReport> report = answer.toCompletableFuture();
                    if (counts && report.isDone() && !report.isCompletedExceptionally()) {
                        compared.with(allocated, after);
                    }
                });
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId from, String cause) {
        return acts("disconnection of " + from, none(), none(), () -> watched.disconnectResourceManager(from, cause));
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        return acts(
                "disconnection of " + jobMaster + " of " + job,
                of(job, jobMaster),
                none(),
                () -> watched.disconnectJobMaster(job, jobMaster, registration, terminal, cause));
    }

    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        boolean old = isOld(change.resourceManager());
        return acts(
                change,
                slot -> !old
                        && of(change.job(), new JobMasterId(change.jobMaster().token()))
                                .test(slot),
                none(),
                () -> watched.jobMasterChanged(change));
    }

    public CompletionStage<Boolean> exit(ResourceManagerId from, boolean force, String cause) {
        boolean old = isOld(from);
        return watched.exit(from, force, cause).thenApply(exits -> {
            if (old && exits) {
                ledger.broken("E: " + process + " exits because the former " + from + " requests it");
            }
            return exits;
        });
    }
}
