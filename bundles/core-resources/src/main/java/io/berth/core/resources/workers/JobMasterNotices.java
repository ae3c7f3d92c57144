package io.berth.core.resources.workers;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies workers of changes of the JobMasters that they hold slots for (FLIP-6). Workers would find out by
 * themselves, but later, so a lost notice only costs time. Confined to the main thread.
 */
public final class JobMasterNotices {

    private static final Logger LOG = LoggerFactory.getLogger(JobMasterNotices.class);

    private final ResourceManagerId id;
    private final RequirementLedger ledger;

    public JobMasterNotices(ResourceManagerId id, RequirementLedger ledger) {
        this.id = id;
        this.ledger = ledger;
    }

    /** Another JobMaster leads the job, as far as the ResourceManager knows. */
    public void leads(JobEntry job, JobEntry.Master master) {
        eachHolder(job, (gateway, held) -> gateway.jobMasterChanged(leads(job.id, master)));
    }

    private JobMasterChange leads(JobId job, JobEntry.Master master) {
        return new JobMasterChange(id, job, master.endpoint(), false, "it registered at the ResourceManager");
    }

    /** The ResourceManager no longer reaches the JobMaster; its workers may still reach it. */
    public void lost(JobEntry job, JobEntry.Master master, String cause) {
        eachHolder(
                job,
                (gateway, held) ->
                        gateway.jobMasterChanged(new JobMasterChange(id, job.id, master.endpoint(), true, cause)));
    }

    /** A worker registered with slots that it may hold for previous JobMasters. */
    public void arrived(WorkerEntry worker, SlotReport report) {
        SortedSet<JobId> outdated = new TreeSet<>();
        Optional<SlotReport.Slot> before = Optional.empty();
        for (SlotReport.Slot slot : report.slots()) {
            boolean same = before.filter(last ->
                            last.job().equals(slot.job()) && last.jobMaster().equals(slot.jobMaster()))
                    .isPresent();
            before = Optional.of(slot);
            if (same) {
                continue;
            }
            ledger.find(slot.job())
                    .flatMap(JobEntry::master)
                    .filter(master -> !master.id().equals(slot.jobMaster()))
                    .ifPresent(master -> outdated.add(slot.job()));
        }
        for (JobId job : outdated) {
            ledger.find(job)
                    .flatMap(JobEntry::master)
                    .ifPresent(master ->
                            worker.connection().orElseThrow().gateway().jobMasterChanged(leads(job, master)));
        }
    }

    /** Frees slots of a JobMaster that has ended. Slots that were not offered yet would wait for it forever. */
    public void freeLeftovers(JobEntry job, JobMasterId jobMaster, String cause) {
        eachHolder(job, (gateway, held) -> {
            LOG.info("job {}: {} remaining slots are freed on a worker", job.id, held.size());
            gateway.freeSlots(new SlotsToFree(job.id, jobMaster, held, cause));
        });
    }

    private void eachHolder(JobEntry job, BiConsumer<TaskExecutorGateway, List<AllocationId>> notice) {
        Map<WorkerEntry, List<AllocationId>> byWorker = new LinkedHashMap<>();
        for (SlotEntry slot : job.allSlots()) {
            byWorker.computeIfAbsent(slot.worker, key -> new ArrayList<>()).add(slot.allocation);
        }
        byWorker.forEach((worker, held) ->
                notice.accept(worker.connection().orElseThrow().gateway(), held));
    }
}
