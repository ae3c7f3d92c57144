package io.berth.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.role.LeaderFile;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.worker.connection.LeaderWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderWatchTest {

    private final ManualTime time = new ManualTime();
    private final List<EndpointRef> reported = new ArrayList<>();
    private final LeaderFile file;
    private final LeaderWatch watch;

    LeaderWatchTest(@TempDir Path folder) {
        file = new LeaderFile(folder.resolve("resource-manager"), EndpointName.RESOURCE_MANAGER);
        watch = new LeaderWatch(file, time, Runnable::run, reported::add);
    }

    private static EndpointRef leader(long epoch) {
        return WorkerFixture.ref(EndpointName.RESOURCE_MANAGER, epoch);
    }

    @Test
    void reportsEachLeaderOnceWithinASecond() throws IOException {
        watch.start();
        time.advance(1_000);
        assertThat(reported).as("nobody leads").isEmpty();
        file.write(leader(1));
        time.advance(1_000);
        file.write(leader(2));
        time.advance(1_000);

        assertThat(reported).containsExactly(leader(1), leader(2));
    }

    @Test
    void reportsNothingAfterItIsClosed() throws IOException {
        watch.start();
        watch.close();
        file.write(leader(1));
        time.advance(5_000);

        assertThat(reported).isEmpty();
    }
}
