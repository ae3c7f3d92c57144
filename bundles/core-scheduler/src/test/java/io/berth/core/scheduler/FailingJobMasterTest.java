package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What happens to a job when its JobMaster throws on its main thread. */
class FailingJobMasterTest {

    private final Harness harness = new Harness();
    private final JobGraph job = wordCount("count", 1, 1);

    private boolean isServed() {
        return harness.rpc.served.containsKey(EndpointName.jobMaster(job.id()));
    }

    @Test
    void aJobMasterThatThrowsEndsAndTheNextOneRunsTheJob() {
        harness.policies.broken = Optional.of(new ArithmeticException("overflow"));
        EndpointRef first = harness.start(job);
        assertThat(isServed()).isFalse();
        assertThat(harness.policies.open).as("its scaling policy is closed").hasValue(0);

        harness.policies.broken = Optional.empty();
        EndpointRef second = harness.start(job);
        assertThat(second.token().epoch()).isGreaterThan(first.token().epoch());
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(harness.failures).isEmpty();
    }

    @Test
    void aJobWhoseJobMastersKeepThrowingFailsWithTheCause() {
        harness.policies.broken = Optional.of(new ArithmeticException("overflow"));
        for (int times = 0; times < 3; times++) {
            harness.start(job);
            assertThat(isServed()).isFalse();
        }
        harness.start(job);
        harness.time.advance(10_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason())
                .contains("3 JobMasters of the job failed one after the other", "ArithmeticException: overflow");
    }

    @Test
    void c125_aFatalErrorIsNotCountedAsAFailureOfTheJob() {
        harness.policies.fatal = true;
        harness.start(job);
        assertThat(harness.failures).singleElement().isInstanceOf(StackOverflowError.class);
    }
}
