package io.berth.core.api.operations;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.Problem;
import io.berth.spi.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What users do with jobs. */
public interface JobOperations {

    /** What a key of a submission may be, for people. */
    String KEY_ALLOWED = "1 to 100 letters, digits, '.', '_' and '-'";

    /**
     * Submits a job; does not wait for workers. Nothing is submitted when anything is wrong.
     *
     * @param description YAML or JSON; JSON is read as YAML
     * @param key made up by who submits, {@link #KEY_ALLOWED}: a submission that is repeated with the same key, because
     *     its answer did not come, gives the job of the first one, as long as that job is known. Descriptions are not
     *     compared
     */
    CompletionStage<SubmitResult> submit(String description, Optional<String> key);

    /** As {@link #submit(String, Optional)} without a key: each call that succeeds is a job. */
    default CompletionStage<SubmitResult> submit(String description) {
        return submit(description, Optional.empty());
    }

    /** All jobs that are known, ended ones included, in the order of submission; as their JobMasters told last. */
    CompletionStage<List<JobDetails>> jobs();

    /** One job; empty when there is none of that id. */
    CompletionStage<Optional<JobDetails>> job(JobId job);

    CompletionStage<CancelResult> cancel(JobId job, String cause);

    /**
     * Stores a bundle of user code. Blocks while it reads.
     *
     * @param sha256 what the content must hash to
     * @throws IllegalArgumentException when it does not, is too large or is no bundle; the message says so
     */
    BundleRef storeBundle(String sha256, InputStream content) throws IOException;

    /** Whether a bundle of that content is stored. */
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

    /** Outcome of asking for a job's end. */
    enum CancelResult {
        CANCELING,
        ALREADY_ENDED,
        UNKNOWN
    }
}
