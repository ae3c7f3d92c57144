package io.berth.core.dispatcher.placement;

import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.Backoff;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.state.JobRecord.Place;
import io.berth.spi.JobId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells JobMasters the bounds of their jobs until they answer. Confined to the main thread of the Dispatcher. */
final class BoundsCalls {

    private static final Logger LOG = LoggerFactory.getLogger(BoundsCalls.class);

    /** To one JobMaster. It ends when another one follows for the same job. */
    private static final class Attempts {

        private final Place place;
        private final Backoff backoff = new Backoff(1_000, 30_000);

        Attempts(Place place) {
            this.place = place;
        }
    }

    private final DispatcherParts parts;
    private final BiConsumer<JobRecord, String> gone;
    private final SortedMap<JobId, Attempts> current = new TreeMap<>();

    /** @param gone receives a job whose JobMaster may be gone, and why */
    BoundsCalls(DispatcherParts parts, BiConsumer<JobRecord, String> gone) {
        this.parts = parts;
        this.gone = gone;
    }

    /** At once, also while an earlier call has no answer. */
    void tell(JobRecord job) {
        job.place().ifPresent(place -> {
            Attempts attempts = new Attempts(place);
            current.put(job.id(), attempts);
            call(job, attempts);
        });
    }

    private void call(JobRecord job, Attempts attempts) {
        if (current.get(job.id()) != attempts) {
            return;
        }
        if (job.ending().isPresent() || !job.place().equals(Optional.of(attempts.place))) {
            current.remove(job.id());
            return;
        }
        ParallelismBounds bounds = job.graph().bounds();
        parts.mainThread().whenComplete(attempts.place.jobMaster().changeBounds(bounds), (ok, failure) -> {
            if (current.get(job.id()) != attempts) {
                return;
            }
            if (failure == null || job.ending().isPresent()) {
                current.remove(job.id());
                return;
            }
            String message = Failures.text(failure);
            LOG.warn("Job {}: its JobMaster was not told its requirements: {}", job.id(), message);
            if (Failures.isGone(failure)) {
                current.remove(job.id());
                gone.accept(job, "its JobMaster is gone: " + message);
            } else {
                parts.mainThread().schedule(attempts.backoff.next(), () -> call(job, attempts));
            }
        });
    }
}
