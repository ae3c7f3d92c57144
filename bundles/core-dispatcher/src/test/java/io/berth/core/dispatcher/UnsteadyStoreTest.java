package io.berth.core.dispatcher;

import static io.berth.core.dispatcher.TestControlPlane.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.dispatcher.store.JobKey;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that answers only sometimes. */
class UnsteadyStoreTest {

    @TempDir
    Path directory;

    private TestControlPlane plane;

    @BeforeEach
    void start() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
    }

    @Test
    void aDiskThatAnswersOnlySometimesLosesNoJob() throws IOException {
        JobId one = plane.submit(JOB);
        JobId other = plane.submit(JOB);
        List<String> records = plane.store.records.keySet().stream()
                .filter(key -> key.startsWith(JobKey.LIVE))
                .toList();
        plane.store.silentRecords.add(records.get(0));
        plane.restart();

        for (int i = 1; i <= 30; i++) {
            plane.store.silentRecords.clear();
            plane.store.silentRecords.add(records.get(i % 2));
            plane.timers.jump(5_000);
        }
        plane.store.silentRecords.clear();
        plane.timers.jump(5_000);

        assertThat(plane.jobs()).extracting(JobDetails::id).containsExactly(one, other);
        assertThat(plane.jobs()).extracting(JobDetails::status).doesNotContain(JobStatus.FAILED);
    }
}
