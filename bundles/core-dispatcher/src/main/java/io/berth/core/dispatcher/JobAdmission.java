package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import io.berth.core.api.access.User;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.operations.TooLargeException;
import io.berth.core.api.rpc.Failures;
import io.berth.core.dispatcher.bundle.BlobServer;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import io.berth.core.dispatcher.description.JobDraft;
import io.berth.core.dispatcher.placement.JobPlacement;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.LiveJob;
import io.berth.core.dispatcher.store.PreviousRuns;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts jobs. A job is stored with its place in the order before its id is returned. Confined to the main thread of
 * the Dispatcher.
 */
final class JobAdmission {

    private static final Logger LOG = LoggerFactory.getLogger(JobAdmission.class);
    private static final String ID_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";

    private static final int MAX_KEY = 100;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_KEY + "}");

    private final SortedMap<String, CompletableFuture<SubmitResult>> pending = new TreeMap<>();
    private final DispatcherParts parts;
    private final JobPlacement placement;
    private final long epoch;

    JobAdmission(DispatcherParts parts, JobPlacement placement, long epoch) {
        this.parts = parts;
        this.placement = placement;
        this.epoch = epoch;
    }

    /**
     * Runs a submission once. A submission with the key of a known job, or of one that is being submitted, has the
     * outcome of that one. Each user has keys of their own.
     *
     * @param submission ends in {@link #admit}, with the key that it receives
     */
    CompletionStage<SubmitResult> deduplicate(
            Optional<String> key,
            Optional<User> user,
            Function<Optional<String>, CompletionStage<SubmitResult>> submission) {
        parts.mainThread().assertCurrent();
        if (key.isEmpty()) {
            return submission.apply(key);
        }
        String given = key.get();
        if (!KEY.matcher(given).matches()) {
            String shown = given.substring(0, Math.min(given.length(), MAX_KEY)).replaceAll("\\p{Cntrl}", " ");
            return DispatcherParts.done(
                    refused("key of the submission", "'" + shown + "'", "allowed are " + JobOperations.KEY_ALLOWED));
        }
        String name = user.map(who -> who.name() + ":" + given).orElse(given);
        Optional<JobId> known = parts.table().submittedWith(name);
        if (known.isPresent()) {
            return DispatcherParts.done(new SubmitResult.Repeated(known.get()));
        }
        CompletableFuture<SubmitResult> running = pending.get(name);
        if (running != null) {
            return running.thenApply(result -> result instanceof SubmitResult.Submitted submitted
                    ? new SubmitResult.Repeated(submitted.job())
                    : result);
        }
        CompletableFuture<SubmitResult> outcome = new CompletableFuture<>();
        pending.put(name, outcome);
        return parts.then(submission.apply(Optional.of(name)), (result, failure) -> {
            pending.remove(name);
            if (failure == null) {
                outcome.complete(result);
            } else {
                outcome.completeExceptionally(failure);
            }
            return outcome;
        });
    }

    CompletionStage<SubmitResult> admit(ParseOutcome outcome, Optional<String> key) {
        parts.mainThread().assertCurrent();
        if (outcome.draft().isEmpty()) {
            return DispatcherParts.done(new SubmitResult.Refused(outcome.problems()));
        }
        JobDraft draft = estimated(outcome.draft().get());
        BlobServer bundles = parts.environment().bundles();
        Optional<BundleRef> gone = bundles.acquire(draft.bundles());
        if (gone.isPresent()) {
            return DispatcherParts.done(refused(
                    "bundles",
                    gone.get().sha256() + ", whose cache time has just ended",
                    "a stored bundle; upload it again"));
        }
        JobId id = newId(draft.slug());
        long now = parts.wallMillis();
        CompletionStage<LiveJob> accepted = parts.stored(() -> parts.store()
                .accept(
                        id,
                        place -> new LiveJob(
                                draft.toGraph(id, place), epoch, now, Optional.empty(), PreviousRuns.NONE, key)));
        return parts.then(accepted, (job, failure) -> {
            if (failure == null) {
                return DispatcherParts.done(accepted(job));
            }
            parts.table().free(id);
            bundles.release(draft.bundles());
            if (failure instanceof TooLargeException tooLarge) {
                return DispatcherParts.done(refused("", "too large: " + tooLarge.getMessage(), "a smaller job"));
            }
            LOG.warn("Job {} is not accepted: {}", id, Failures.text(failure));
            return DispatcherParts.failed(new IllegalStateException(Failures.text(failure), failure));
        });
    }

    /** The draft with a run time that is learned now, if it states none. It stays when the job runs or starts again. */
    private JobDraft estimated(JobDraft draft) {
        return parts.settings().get().learnRuntimes()
                ? draft.with(parts.table().estimated(draft.name(), draft.attributes()))
                : draft;
    }

    private static SubmitResult refused(String field, String given, String allowed) {
        return new SubmitResult.Refused(List.of(new Problem(field, given, allowed)));
    }

    private SubmitResult accepted(LiveJob accepted) {
        JobRecord job = new JobRecord(accepted, false);
        parts.table().add(job);
        accepted.submissionKey().ifPresent(key -> parts.table().remember(key, job.id()));
        LOG.info(
                "Job {} submitted: place {}, {} vertices, {} bundles",
                job.id(),
                job.graph().submissionIndex(),
                job.graph().vertices().size(),
                job.graph().bundles().size());
        placement.place(job);
        return new SubmitResult.Submitted(job.id());
    }

    private JobId newId(String slug) {
        while (true) {
            StringBuilder id = new StringBuilder(slug.isEmpty() ? "job" : slug).append('-');
            for (int i = 0; i < 5; i++) {
                id.append(ID_CHARACTERS.charAt(parts.environment().random().nextInt(ID_CHARACTERS.length())));
            }
            JobId candidate = new JobId(id.toString());
            if (parts.table().reserve(candidate)) {
                return candidate;
            }
        }
    }
}
