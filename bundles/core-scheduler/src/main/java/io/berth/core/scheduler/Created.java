package io.berth.core.scheduler;

import io.berth.core.api.job.JobStatus;

/** The job is known and nothing is declared for it yet. */
final class Created implements State {

    interface Context {
        void goToWaitingForResources(String obstacle);

        void goToFinished(JobStatus outcome, String reason);
    }

    private final Context context;

    Created(Context context) {
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

    void start() {
        context.goToWaitingForResources("");
    }

    @Override
    public void cancel(String cause) {
        context.goToFinished(JobStatus.CANCELED, cause);
    }
}
