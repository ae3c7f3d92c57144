package io.berth.core.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import io.berth.core.api.job.JobDetails;
import io.berth.spi.JobId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class PartialGatewayTest {

    @SuppressWarnings("unused")
    private static final class Reader {

        CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
            if (length == 0) {
                throw new IllegalStateException("nothing is read");
            }
            return CompletableFuture.completedFuture(new BundleChunk(new byte[length]));
        }
    }

    @SuppressWarnings("unused")
    private static final class OtherTypes {

        CompletionStage<BundleChunk> readBundle(String sha256, int offset, int length) {
            return new CompletableFuture<>();
        }
    }

    @SuppressWarnings("unused")
    private static final class Counter {

        private int changes;

        CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details) {
            changes++;
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }
    }

    @Test
    void methodsOfTheObjectAreCalledAndOtherMethodsFail() {
        DispatcherGateway gateway = PartialGateway.of(DispatcherGateway.class, new Reader());

        assertThat(gateway.readBundle("ab", 0, 3).toCompletableFuture().join().content())
                .hasSize(3);
        assertThatThrownBy(() -> gateway.readBundle("ab", 0, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nothing is read");
        assertThatThrownBy(() -> gateway.jobChanged(new JobId("words"), null, null))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("Reader does not expect jobChanged[words, null, null]");
    }

    @Test
    void otherMethodsArePassedOn() {
        Counter counter = new Counter();
        DispatcherGateway next = PartialGateway.of(DispatcherGateway.class, counter);
        DispatcherGateway gateway = PartialGateway.over(DispatcherGateway.class, next, new Reader());

        gateway.jobChanged(new JobId("words"), null, null);

        assertThat(counter.changes).isEqualTo(1);
        assertThat(gateway.readBundle("ab", 0, 3).toCompletableFuture().join().content())
                .hasSize(3);
    }

    @Test
    void aMethodWithOtherTypesThanTheGatewayIsRejected() {
        assertThatThrownBy(() -> PartialGateway.of(DispatcherGateway.class, new OtherTypes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("readBundle(java.lang.String,int,int) has other types than");
    }
}
