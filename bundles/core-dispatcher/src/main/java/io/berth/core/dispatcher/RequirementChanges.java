package io.berth.core.dispatcher;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.core.api.rpc.Failures;
import io.berth.core.dispatcher.description.BoundsChecks;
import io.berth.core.dispatcher.placement.JobPlacement;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.LiveJob;
import io.berth.core.dispatcher.store.SubmissionOrder.SupersededException;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes what jobs require while they run (FLIP-291). A change is stored before the JobMaster learns of it. Confined to the
 * main thread of the Dispatcher.
 */
final class RequirementChanges {

    private static final Logger LOG = LoggerFactory.getLogger(RequirementChanges.class);

    private final DispatcherParts parts;
    private final JobPlacement placement;
    /** Jobs of which a change is being stored. */
    private final SortedSet<JobId> storing = new TreeSet<>();

    RequirementChanges(DispatcherParts parts, JobPlacement placement) {
        this.parts = parts;
        this.placement = placement;
    }

    Optional<ParallelismBounds> of(JobId id) {
        return parts.table().live(id).map(job -> job.graph().bounds());
    }

    CompletionStage<RequirementsResult> change(JobId id, OptionalLong basis, List<VertexBounds> vertices) {
        parts.mainThread().assertCurrent();
        Optional<JobRecord> live = parts.table().live(id);
        if (live.isEmpty()) {
            return DispatcherParts.done(
                    parts.table().ended(id).isPresent()
                            ? new RequirementsResult.AlreadyEnded()
                            : new RequirementsResult.Unknown());
        }
        JobRecord job = live.get();
        if (job.ending().isPresent()) {
            return DispatcherParts.done(new RequirementsResult.AlreadyEnded());
        }
        JobGraph graph = job.graph();
        BoundsChecks.Checked checked =
                BoundsChecks.check(graph, parts.settings().get().tasksMax(), vertices);
        if (!checked.problems().isEmpty()) {
            return DispatcherParts.done(new RequirementsResult.Refused(checked.problems()));
        }
        if (storing.contains(id)) {
            return DispatcherParts.done(new RequirementsResult.Conflict(graph.bounds()));
        }
        // Before the basis: the answer to the same change may have been lost.
        if (checked.vertices().equals(graph.bounds().vertices()) && !job.areBoundsInDoubt()) {
            return DispatcherParts.done(new RequirementsResult.Changed(graph.bounds()));
        }
        if (basis.isPresent() && basis.getAsLong() != graph.revision()) {
            return DispatcherParts.done(new RequirementsResult.Conflict(graph.bounds()));
        }
        return store(job, new ParallelismBounds(graph.revision() + 1, checked.vertices()));
    }

    private CompletionStage<RequirementsResult> store(JobRecord job, ParallelismBounds bounds) {
        JobId id = job.id();
        storing.add(id);
        CompletionStage<Optional<LiveJob>> kept =
                parts.stored(() -> parts.store().change(id, bounds));
        return parts.then(kept, (stored, failure) -> {
            storing.remove(id);
            if (failure instanceof SupersededException) {
                return DispatcherParts.failed(failure);
            }
            if (failure != null) {
                job.doubtBounds();
                LOG.warn("Job {} keeps its requirements: {}", id, Failures.text(failure));
                return DispatcherParts.failed(new IllegalStateException(
                        "job " + id + " keeps its requirements, because the new ones could not be stored ("
                                + Failures.text(failure) + "); they may apply when its JobMaster starts again, "
                                + "unless others are set",
                        failure));
            }
            if (stored.isEmpty()
                    || parts.table().live(id).isEmpty()
                    || job.ending().isPresent()) {
                return DispatcherParts.done(new RequirementsResult.AlreadyEnded());
            }
            job.change(bounds);
            LOG.info("Job {} has requirements of revision {}", id, bounds.revision());
            placement.boundsChanged(job);
            return DispatcherParts.done(new RequirementsResult.Changed(bounds));
        });
    }
}
