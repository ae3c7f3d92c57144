package io.berth.core.api.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderFileTest {

    @TempDir
    private Path folder;

    private static EndpointRef leader(long epoch) {
        return new EndpointRef(
                new RpcAddress("10.0.0.1", 7077),
                EndpointName.RESOURCE_MANAGER,
                new FencingToken(epoch, new UUID(epoch, 7)));
    }

    private LeaderFile file() {
        return new LeaderFile(folder.resolve("made").resolve("resource-manager"), EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void returnsTheLeaderThatWasWrittenLast() throws IOException {
        assertThat(file().read()).isEmpty();
        file().write(leader(3));
        file().write(leader(4));

        assertThat(file().read()).contains(leader(4));
        try (var left = Files.list(folder.resolve("made"))) {
            assertThat(left).containsExactly(file().path());
        }
    }

    @Test
    void aLateWriteDoesNotReplaceANewerLeader() throws IOException {
        file().write(leader(4));
        file().write(leader(3));

        assertThat(file().read()).contains(leader(4));
    }

    @Test
    void anInvalidFileIsEmptyAndCanBeOverwritten() throws IOException {
        Files.createDirectories(file().path().getParent());
        for (String damaged : new String[] {"", "4", "4 x 10.0.0.1:7077", "x " + new UUID(4, 7) + " 10.0.0.1:7077"}) {
            Files.writeString(file().path(), damaged);
            assertThat(file().read()).as(damaged).isEmpty();
        }
        file().write(leader(1));

        assertThat(file().read()).contains(leader(1));
    }
}
