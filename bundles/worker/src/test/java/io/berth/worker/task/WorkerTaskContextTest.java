package io.berth.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.worker.FakeJobMaster;
import io.berth.worker.code.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerTaskContextTest {

    private static final int MESSAGE_BYTES = 4 << 20;

    private static final UserCode.JobCode NO_CODE = new UserCode.JobCode() {
        @Override
        public Optional<Object> operator(String name) {
            return Optional.empty();
        }

        @Override
        public ClassLoader classLoader(String operator) {
            return WorkerTaskContextTest.class.getClassLoader();
        }

        @Override
        public void close() {}
    };

    private final FakeJobMaster jobMaster = new FakeJobMaster();
    private final WorkerTaskContext context = new WorkerTaskContext(
            new AttemptId(new JobId("job-1"), "source", 0, 1, 1),
            ResourceProfile.of(1_000, 32 << 20),
            NO_CODE,
            secret -> Optional.empty(),
            PartialGateway.of(JobMasterGateway.class, jobMaster),
            committables -> {},
            stuck -> {});

    private List<SplitPart> report(int count, int bytes) {
        context.reportSplits(
                        "source",
                        IntStream.range(0, count)
                                .mapToObj(split -> new byte[bytes])
                                .toList())
                .toCompletableFuture()
                .join();
        return jobMaster.parts;
    }

    @Test
    void manySplitsAreReportedInOrderInMessagesBelowTheSizeLimit() {
        List<SplitPart> parts = report(200_000, 100);
        int from = 0;
        for (SplitPart part : parts) {
            assertThat(part.from()).isEqualTo(from);
            from += part.splits().size();
            assertThat(part.splits().stream().mapToInt(split -> split.length).sum())
                    .isLessThan(MESSAGE_BYTES / 2);
            assertThat(part.last()).isEqualTo(from == 200_000);
        }
        assertThat(from).isEqualTo(200_000);
    }

    @Test
    void anEmptyReportIsSentAsTheLastPart() {
        assertThat(report(0, 0))
                .singleElement()
                .satisfies(part -> assertThat(part.last()).isTrue());
    }

    @Test
    void splitLargerThanAPartIsSentAlone() {
        assertThat(report(2, WorkerTaskContext.MAX_PART_BYTES + 1)).hasSize(2);
    }
}
