package io.berth.itests.stub;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * A worker that speaks the protocol but runs nothing. It keeps its own table of granted slots, within its total,
 * offers them to JobMasters and frees what they return. Confined to the one thread of {@link StubCluster}.
 */
final class StubWorker {

    private static final class Entry {
        final SlotRequest request;
        boolean active;

        Entry(SlotRequest request) {
            this.request = request;
        }
    }

    private final StubCluster cluster;
    private final WorkerId id;
    private final WorkerSessionId session;
    private final ResourceProfile total;
    private final SortedMap<AllocationId, Entry> table = new TreeMap<>();
    private final Set<EndpointRef> offering = new LinkedHashSet<>();
    private ResourceProfile free;
    private EndpointRef endpoint;
    private InstanceId instance = new InstanceId(0);
    private int registrations;
    private long offersMade;

    StubWorker(StubCluster cluster, int number, int slots) {
        this.cluster = cluster;
        this.id = new WorkerId("stub-" + number);
        this.session = new WorkerSessionId(new FencingToken(1, new UUID(7, number)));
        SortedMap<String, Long> extended = new TreeMap<>();
        extended.put(StubCluster.RESOURCE, (long) slots);
        // The minimum of cpu and heap of a worker: no real job fits.
        this.total = new ResourceProfile(1, 1, 0, 0, extended);
        this.free = total;
    }

    void start() {
        endpoint = cluster.rpc()
                .serve(EndpointName.worker(id), session.token(), PartialGateway.of(TaskExecutorGateway.class, this))
                .endpoint();
        register();
    }

    private void register() {
        registrations++;
        WorkerRegistration registration = new WorkerRegistration(
                id, session, endpoint, "127.0.0.1:1", total, 1, "standalone", "", WorkerLabels.NONE, report());
        cluster.whenComplete(cluster.resourceManager().registerWorker(registration), (answer, failure) -> {
            if (answer instanceof RegistrationResponse.Accepted accepted) {
                instance = accepted.instance();
            } else {
                cluster.violation("worker " + id + " could not register: " + answer + " " + failure);
            }
        });
    }

    WorkerId id() {
        return id;
    }

    boolean registered() {
        return instance.number() > 0;
    }

    /** More than one when the ResourceManager gave the worker up. */
    int registrations() {
        return registrations;
    }

    List<String> table() {
        return table.values().stream()
                .map(entry -> id + " " + entry.request.allocation() + " " + entry.request.job() + " "
                        + entry.request.group() + (entry.active ? " active" : " waiting"))
                .toList();
    }

    private SlotReport report() {
        List<SlotReport.Slot> slots = new ArrayList<>();
        for (Entry entry : table.values()) {
            SlotRequest request = entry.request;
            slots.add(new SlotReport.Slot(
                    request.allocation(),
                    request.job(),
                    new JobMasterId(request.jobMaster().token()),
                    request.unit(),
                    request.group(),
                    request.profile(),
                    entry.active,
                    0,
                    request.decision()));
        }
        return new SlotReport(slots);
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        long arrived = System.nanoTime();
        return cluster.call(() -> {
            List<SlotRequestAnswer> answers = new ArrayList<>();
            Set<EndpointRef> masters = new LinkedHashSet<>();
            for (SlotRequest request : requests.requests()) {
                String refusal = grant(request);
                answers.add(new SlotRequestAnswer(request.allocation(), refusal));
                if (refusal.isEmpty()) {
                    cluster.arrivals().requested(request.job(), arrived);
                    masters.add(request.jobMaster());
                }
            }
            masters.forEach(this::offer);
            return new SlotRequestAnswers(answers);
        });
    }

    private String grant(SlotRequest request) {
        Entry present = table.get(request.allocation());
        if (present != null) {
            return present.request.job().equals(request.job()) ? "" : "it is of job " + present.request.job();
        }
        if (!free.covers(request.profile())) {
            cluster.violation("worker " + id + " was asked for " + request.profile() + " with " + free + " free");
            return "no room";
        }
        free = free.minus(request.profile());
        table.put(request.allocation(), new Entry(request));
        return "";
    }

    /** Registers at the JobMaster and offers everything that waits for it; one offer at a time for each JobMaster. */
    private void offer(EndpointRef target) {
        List<SlotOffer> offers = waiting(target);
        if (offers.isEmpty() || !offering.add(target)) {
            return;
        }
        JobMasterGateway master = cluster.rpc().jobMaster(target);
        long number = ++offersMade;
        WorkerAtJob self = new WorkerAtJob(id, session, endpoint, "127.0.0.1:1", total, 0);
        cluster.whenComplete(
                master.registerWorker(self)
                        .thenCompose(registered -> master.offerSlots(new SlotOffers(id, session, number, offers))),
                (accepted, failure) -> {
                    offering.remove(target);
                    for (SlotOffer offer : offers) {
                        settle(
                                master,
                                offer.allocation(),
                                failure == null && accepted.accepted().contains(offer.allocation()));
                    }
                    offer(target);
                });
    }

    private void settle(JobMasterGateway master, AllocationId allocation, boolean accepted) {
        Entry entry = table.get(allocation);
        if (entry == null && accepted) {
            master.failSlot(id, session, allocation, "it was freed while it was on offer");
        } else if (accepted) {
            entry.active = true;
        } else {
            free(allocation, "not accepted");
        }
    }

    private List<SlotOffer> waiting(EndpointRef target) {
        return table.values().stream()
                .filter(entry -> !entry.active && entry.request.jobMaster().equals(target))
                .map(entry -> new SlotOffer(
                        entry.request.allocation(),
                        entry.request.unit(),
                        entry.request.group(),
                        entry.request.profile(),
                        entry.request.decision()))
                .toList();
    }

    private void free(AllocationId allocation, String cause) {
        Entry gone = table.remove(allocation);
        if (gone != null) {
            free = free.plus(gone.request.profile());
            cluster.resourceManager().slotFreed(new SlotFreed(instance, allocation, gone.request.job(), cause));
        }
    }

    public CompletionStage<Acknowledge> freeSlots(SlotsToFree slots) {
        return cluster.acknowledge(() -> {
            for (AllocationId allocation : slots.allocations()) {
                Entry entry = table.get(allocation);
                if (entry != null
                        && entry.request.job().equals(slots.job())
                        && entry.request
                                .jobMaster()
                                .token()
                                .equals(slots.jobMaster().token())) {
                    free(allocation, slots.cause());
                }
            }
        });
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        return cluster.acknowledge(() -> table.values().stream()
                .filter(entry -> entry.request.job().equals(job))
                .map(entry -> entry.request.allocation())
                .toList()
                .forEach(allocation -> free(allocation, cause)));
    }

    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId resourceManager) {
        return cluster.call(this::report);
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        return cluster.acknowledge(() -> {
            cluster.violation("worker " + id + " was given up: " + cause);
            register();
        });
    }

    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        return cluster.acknowledge(() -> {});
    }

    public CompletionStage<Boolean> exit(ResourceManagerId resourceManager, boolean force, String cause) {
        return cluster.call(() -> force);
    }

    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        return cluster.call(() -> new TaskReport(List.of(), 0));
    }
}
