package io.berth.core.policies.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.policies.Bench;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import io.berth.testkit.RecordedBackendContext;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;

/** Several backends of one factory, by factory configurations. */
class BackendInstancesTest {

    private static final String BUNDLE = "test.backend";

    private final Bench bench = new Bench(5_000);
    private final SortedMap<String, BackendHandle> running = new ConcurrentSkipListMap<>();
    private final AutoCloseable following = bench.platform.backends().follow(new BackendFollower() {
        @Override
        public BackendContext context(String backend) {
            return new RecordedBackendContext(backend, backend + "-1-", Path.of("target"), List.of("run"));
        }

        @Override
        public void added(BackendHandle backend) {
            running.put(backend.name(), backend);
        }

        @Override
        public void specsChanged(BackendHandle backend) {}

        @Override
        public void removed(BackendHandle backend) {
            running.remove(backend.name(), backend);
        }
    });
    private final SortedSet<String> pids = new ConcurrentSkipListSet<>();
    private final BackendInstances instances = new BackendInstances(
            bench.platform.registry(), bundle -> bundle.equals(BUNDLE) ? new TreeSet<>(pids) : new TreeSet<>());

    @AfterEach
    void end() throws Exception {
        following.close();
        bench.close();
    }

    /** Does not set the handler of uncaught exceptions, which the host guards during each call. */
    private static ConditionFactory await() {
        return Awaitility.await().dontCatchUncaughtExceptions();
    }

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> answers.get(method.getName())));
    }

    private FrameworkRegistration factory(long id, String bundle, String name) {
        Bundle owner = answering(
                Bundle.class,
                Map.of(
                        "getBundleId",
                        id,
                        "getSymbolicName",
                        bundle,
                        "getVersion",
                        new Version(1, 0, 0),
                        "getState",
                        32));
        ServiceReference<?> reference = (ServiceReference<?>) Proxy.newProxyInstance(
                ServiceReference.class.getClassLoader(),
                new Class<?>[] {ServiceReference.class},
                (self, method, given) -> switch (method.getName()) {
                    case "getBundle" -> owner;
                    case "getPropertyKeys" -> new String[0];
                    case "getProperty" ->
                        given[0].equals("service.id") ? id : given[0].equals("io.berth.policy.name") ? name : null;
                    default -> null;
                });
        BundleContext context = answering(
                BundleContext.class, Map.of("getBundle", owner, "getService", backends(name), "ungetService", true));
        return new FrameworkRegistration(context, PolicyKind.BACKEND, reference);
    }

    private void install(FrameworkRegistration factory) {
        bench.platform.registry().add(factory);
        instances.added(factory);
    }

    private static BackendFactory backends(String name) {
        return new BackendFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription(
                        name, "for a test", List.of(ConfigurationKey.number("workers", 1, 0, 9, "how many")));
            }

            @Override
            public Backend create(PolicyConfiguration configuration, BackendContext context) {
                WorkerSpec spec = WorkerSpec.of("of-" + context.name(), Bench.SIZE)
                        .maximum((int) configuration.number("workers"))
                        .build();
                return new Backend() {
                    @Override
                    public List<WorkerSpec> specs() {
                        return List.of(spec);
                    }

                    @Override
                    public void declare(WorkerDeclaration declaration) {}

                    @Override
                    public void close() {}
                };
            }
        };
    }

    private void configure(String pid, int workers) {
        bench.configured.put(pid, new TreeMap<>(Map.of("workers", String.valueOf(workers))));
        if (pids.add(pid)) {
            instances.configurationChanged(BUNDLE);
        }
        bench.platform.registry().configurationChanged(pid);
    }

    private int maximum(String backend) {
        BackendHandle handle = running.get(backend);
        return handle == null ? -1 : handle.specs().get(0).maximum();
    }

    @Test
    void eachFactoryConfigurationIsABackendOfItsOwn() {
        install(factory(1, BUNDLE, "acme"));
        await().until(() -> maximum("acme") == 1);

        configure(BUNDLE + "~east", 3);
        configure(BUNDLE + "~west", 4);
        await().until(() -> maximum("east") == 3 && maximum("west") == 4);
        assertThat(running.get("east").specs().get(0).name()).isEqualTo("of-east");
        BackendHandle west = running.get("west");

        configure(BUNDLE + "~east", 5);
        await().until(() -> maximum("east") == 5);
        configure(BUNDLE, 2);
        await().until(() -> maximum("acme") == 2);
        assertThat(running.get("west")).as("nothing else starts again").isSameAs(west);

        configure(BUNDLE + "~east", 99);
        await().until(() ->
                bench.details("east").filter(one -> one.state().contains("99")).isPresent());
        assertThat(maximum("east")).as("the previous configuration stays").isEqualTo(5);

        pids.remove(BUNDLE + "~east");
        instances.configurationChanged(BUNDLE);
        await().until(() -> !running.containsKey("east"));
        assertThat(running).containsOnlyKeys("acme", "west");
    }

    @Test
    void configurationsThatAreThereFirstWaitForTheFactoryAndEndWithIt() {
        configure(BUNDLE + "~east", 3);
        FrameworkRegistration factory = factory(1, BUNDLE, "acme");
        install(factory);
        await().until(() -> running.size() == 2);
        bench.platform.registry().remove(factory.id());
        instances.removed(factory.id());
        await().until(running::isEmpty);
    }

    @Test
    void namesThatCollideAreRefusedWithBothNames() {
        install(factory(1, BUNDLE, "acme"));
        install(factory(2, "other.bundle", "other"));
        configure(BUNDLE + "~other", 3);
        configure(BUNDLE + "~acme-2", 3);
        configure(BUNDLE + "~a b", 3);
        configure(BUNDLE + "~east", 3);
        await().until(() -> running.containsKey("east"));
        await().until(() -> bench.details("a b").isPresent());
        assertThat(running).containsOnlyKeys("acme", "other", "east");
        assertThat(bench.platform.registry().details())
                .filteredOn(one -> one.bundle().equals(BUNDLE) && one.name().equals("other"))
                .singleElement()
                .satisfies(one -> assertThat(one.state())
                        .contains(
                                "backend other of configuration test.backend~other collides with backend other of bundle"
                                        + " other.bundle: each backend has a name of its own"));
        assertThat(bench.details("acme-2").orElseThrow().state())
                .contains("collides with backend acme of bundle test.backend: ids of workers begin with");
        assertThat(bench.details("a b").orElseThrow().state()).contains("1 to 64 letters");

        instances.removed(2);
        bench.platform.registry().remove(2);
        await().until(() -> running.containsKey("other"));
        assertThat(maximum("other")).as("the name is free").isEqualTo(3);
    }
}
