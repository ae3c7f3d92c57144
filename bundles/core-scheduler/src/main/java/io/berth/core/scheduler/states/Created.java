package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.Optional;

/** The job exists and nothing is declared yet. */
public final class Created implements State {

    public interface Context {
        void goToWaitingForResources(Optional<Reason> obstacle);

        void goToFinished(JobStatus outcome, String reason);
    }

    private final Context context;

    public Created(Context context) {
        this.context = context;
    }

    @Override
    public JobStatus status() {
        return JobStatus.CREATED;
    }

    @Override
    public String reason() {
        return "";
    }

    @Override
    public Optional<Reason> why() {
        return Optional.of(Reason.of(ReasonCode.NOT_ATTEMPTED, "not attempted yet: its JobMaster starts"));
    }

    public void start() {
        context.goToWaitingForResources(Optional.empty());
    }

    @Override
    public void cancel(String cause) {
        context.goToFinished(JobStatus.CANCELED, cause);
    }
}
