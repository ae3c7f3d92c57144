package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.dispatcher.store.MemoryStore;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.MetadataStores;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** While the role leads, all of its resources are open; otherwise none is. */
class DispatcherRoleTest {

    @TempDir
    Path directory;

    private final FakeCluster cluster = new FakeCluster();
    private final List<String> open = new ArrayList<>();
    private final Election election = new Election();
    private String fails = "";
    private DispatcherRole role;

    /** Opens the resource of that name, or fails. */
    private AutoCloseable opened(String name) {
        if (fails.equals(name)) {
            throw new IllegalStateException(name + " fails");
        }
        open.add(name);
        return () -> {
            open.remove(name);
            if (fails.equals("end of " + name)) {
                throw new IllegalStateException(fails);
            }
        };
    }

    @BeforeEach
    void activate() throws IOException {
        role = new DispatcherRole(
                cluster,
                fake(PolicyOperations.class, (method, given) -> List.of()),
                (part, epoch) -> {
                    AutoCloseable store = opened("store");
                    return fake(MetadataStores.Term.class, (method, given) -> {
                        if (method.getName().equals("close")) {
                            store.close();
                            return null;
                        }
                        return method.invoke(records, given);
                    });
                },
                (name, epoch) -> opened("records"),
                cluster,
                election);
        role.activate(
                fake(BundleContext.class, (method, given) -> {
                    if (!method.getName().equals("registerService")) {
                        return null;
                    }
                    AutoCloseable service = opened(((Class<?>) given[0]).getSimpleName());
                    return fake(ServiceRegistration.class, (called, none) -> {
                        service.close();
                        return null;
                    });
                }),
                new Configuration(directory));
    }

    private final MetadataStore records = new MemoryStore();

    @AfterEach
    void deactivate() {
        role.deactivate();
    }

    private interface Calls {
        Object call(Method method, Object[] given) throws Throwable;
    }

    private static <T> T fake(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> calls.call(method, given)));
    }

    @Test
    void aTermThatFailsToBeginLeavesNothingOpen() {
        for (String each : List.of("store", "records", "TokenOperations", "JobOperations", "ClusterOperations")) {
            fails = each;
            assertThatThrownBy(() -> election.contender.granted(1)).hasMessage(each + " fails");
            assertThat(open).as("open after %s failed", each).isEmpty();
            assertThat(cluster.dispatcher).as("served after %s failed", each).isEmpty();
            assertThat(role.leads()).isFalse();
        }
        fails = "";
        election.contender.granted(2);
        assertThat(open).containsExactly("store", "records", "TokenOperations", "JobOperations", "ClusterOperations");
        assertThat(cluster.dispatcher).isPresent();
    }

    @Test
    void aPartThatFailsToCloseDoesNotKeepTheOthersOpen() {
        for (String each : List.of("store", "records", "TokenOperations", "JobOperations", "ClusterOperations")) {
            fails = "end of " + each;
            election.contender.granted(1);
            election.contender.revoked("a test");
            assertThat(open).as("open after the %s", fails).isEmpty();
            assertThat(cluster.dispatcher).as("served after the %s", fails).isEmpty();
        }
    }

    private static final class Election implements LeaderElection {

        private Contender contender;

        @Override
        public AutoCloseable compete(String role, String address, Contender competes) {
            contender = competes;
            return () -> {};
        }

        @Override
        public AutoCloseable follow(String role, Consumer<java.util.Optional<Leader>> listener) {
            throw new UnsupportedOperationException();
        }
    }

    private record Configuration(Path directory) implements DispatcherRole.Configuration {

        @Override
        public String bundle_directory() {
            return directory.toString();
        }

        @Override
        public long bundle_max_bytes() {
            return 100_000;
        }

        @Override
        public long bundle_cache_ms() {
            return 60_000;
        }

        @Override
        public long bundle_upload_ms() {
            return 600_000;
        }

        @Override
        public boolean expected_runtime_learn() {
            return true;
        }

        @Override
        public String task_runtimes() {
            return "";
        }

        @Override
        public int tasks_max() {
            return 100;
        }

        @Override
        public int jobs_kept() {
            return 10;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return DispatcherRole.Configuration.class;
        }
    }
}
