package io.berth.core.api.operations;

import io.berth.core.api.BundleRef;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.Problem;
import io.berth.spi.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Job operations for users. */
public interface JobOperations {

    /** Allowed keys of a submission, as text for people. */
    String KEY_ALLOWED = "1 to 100 letters, digits, '.', '_' and '-'";

    /**
     * Whether the jobs of earlier Dispatchers are read, so that calls are answered. Never blocks.
     */
    boolean isReady();

    /**
     * Submits a job without waiting for workers. If the description has a problem, nothing is submitted.
     *
     * @param description YAML or JSON; JSON is read as YAML
     * @param key chosen by the caller, {@link #KEY_ALLOWED}. A caller that got no answer can repeat the submission
     *     with the same key and gets the job of the first one, if that job is still known. Descriptions are not
     *     compared. Each user has keys of their own
     * @param user who submits it, if users are known. The job is theirs: only {@link UserRole#OPERATOR} may name another
     *     submitter
     */
    CompletionStage<SubmitResult> submit(String description, Optional<String> key, Optional<User> user);

    /** As {@link #submit(String, Optional, Optional)}, by someone who is not known. */
    default CompletionStage<SubmitResult> submit(String description, Optional<String> key) {
        return submit(description, key, Optional.empty());
    }

    /** As {@link #submit(String, Optional)}, without a key: each successful call submits another job. */
    default CompletionStage<SubmitResult> submit(String description) {
        return submit(description, Optional.empty());
    }

    /** All known jobs, including ended ones, in the order of submission, as their JobMasters last reported them. */
    CompletionStage<List<JobDetails>> jobs();

    /** One job; empty when no job has that id. */
    CompletionStage<Optional<JobDetails>> job(JobId job);

    CompletionStage<CancelResult> cancel(JobId job, String cause);

    /** The bounds of the parallelism of a job that has not ended, as they are stored; empty when no such job has that id. */
    CompletionStage<Optional<ParallelismBounds>> requirements(JobId job);

    /**
     * Changes the bounds of the parallelism of a job while it runs (FLIP-291). They are stored before they apply, so they
     * outlive the JobMaster and the Dispatcher. The job follows them as it follows a change of its slots: it is not stopped
     * because it runs below a new minimum. The same bounds as before change nothing.
     *
     * <p>The stage fails when they cannot be stored; the job then keeps its bounds. If it is not known whether they were
     * stored, they may apply when its JobMaster starts again.
     *
     * @param basis revision of the bounds that the caller knows; empty when it does not matter what they are
     * @param vertices the bounds of all vertices, in any order
     */
    CompletionStage<RequirementsResult> changeRequirements(JobId job, OptionalLong basis, List<VertexBounds> vertices);

    /**
     * Stores a bundle of user code. Blocks while it reads the content.
     *
     * @param sha256 expected hash of the content
     * @throws IllegalArgumentException when the content has another hash, is too large or is not a bundle; the message
     *     names the cause
     */
    BundleRef storeBundle(String sha256, InputStream content) throws IOException;

    /** The stored bundle with that content, if there is one. */
    Optional<BundleRef> bundle(String sha256);

    /** Outcome of a submission. */
    sealed interface SubmitResult {

        record Submitted(JobId job) implements SubmitResult {}

        /** An earlier submission with the same key made this job. */
        record Repeated(JobId job) implements SubmitResult {}

        record Refused(List<Problem> problems) implements SubmitResult {

            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Outcome of a change of requirements. */
    sealed interface RequirementsResult {

        /** These are the bounds now. */
        record Changed(ParallelismBounds bounds) implements RequirementsResult {}

        /** Another change came first, or is being stored. Nothing was changed. */
        record Conflict(ParallelismBounds bounds) implements RequirementsResult {}

        /** Nothing was changed. */
        record Refused(List<Problem> problems) implements RequirementsResult {

            public Refused {
                problems = List.copyOf(problems);
            }
        }

        record AlreadyEnded() implements RequirementsResult {}

        record Unknown() implements RequirementsResult {}
    }

    /** Outcome of canceling a job. */
    enum CancelResult {
        CANCELING,
        ALREADY_ENDED,
        UNKNOWN
    }
}
