package io.berth.worker.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.BundleRef;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobCacheTest {

    @TempDir
    private Path folder;

    private final FakeDispatcher dispatcher = new FakeDispatcher();
    private final DispatcherGateway gateway = PartialGateway.of(DispatcherGateway.class, dispatcher);

    @Test
    void fetchesABundleInChunksOfAtMostHalfAMebibyte() throws IOException {
        byte[] content = new byte[1_300_000];
        new Random(7).nextBytes(content);
        BundleRef bundle = dispatcher.add(content);

        Path file = store().fetch(bundle, 1, gateway);

        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        assertThat(dispatcher.lengths).containsExactly(524_288, 524_288, 524_288);
    }

    @Test
    void refusesContentOfAnotherHashAndLeavesNoFile() throws IOException {
        BundleRef bundle = dispatcher.add(new byte[] {1, 2, 3});
        dispatcher.replace(bundle, new byte[] {1, 2, 4});

        assertThatThrownBy(() -> store().fetch(bundle, 1, gateway))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bundle " + bundle.sha256())
                .hasMessageContaining("has the hash " + FakeDispatcher.sha256(new byte[] {1, 2, 4}));
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void refusesContentOfAnotherSize() {
        BundleRef bundle = dispatcher.add(new byte[] {1, 2, 3});
        dispatcher.replace(bundle, new byte[] {1, 2});

        assertThatThrownBy(() -> store().fetch(bundle, 1, gateway)).hasMessageContaining("3 were announced");
    }

    @Test
    void readsAChunkAgainWhenTheDispatcherCouldNotBeReached() throws IOException {
        BundleRef bundle = dispatcher.add(new byte[] {1, 2, 3});
        dispatcher.failures.add(new RpcException(RpcException.Kind.UNREACHABLE, "gone"));
        dispatcher.failures.add(new RpcException(RpcException.Kind.DEADLINE, "slow"));

        assertThat(store().fetch(bundle, 1, gateway)).hasBinaryContent(new byte[] {1, 2, 3});
    }

    @Test
    void failureNamesTheReasonWhyABundleCannotBeRead() {
        BundleRef bundle = dispatcher.add(new byte[] {1, 2, 3});
        dispatcher.failures.add(new RpcException(RpcException.Kind.FAILED, "no such bundle"));

        assertThatThrownBy(() -> store().fetch(bundle, 1, gateway))
                .hasMessage(
                        "bundle " + bundle.sha256() + ": cannot be read from the Dispatcher at byte 0: no such bundle");
    }

    private BlobCache store() {
        return new BlobCache(folder, 1_000);
    }
}
