package io.berth.worker.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.BundleRef;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemTimers;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.spi.JobId;
import io.berth.worker.WorkerFixture;
import io.berth.worker.code.UserCode.JobCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.wiring.BundleWiring;

class UserBundlesTest {

    private static final EndpointRef DISPATCHER = WorkerFixture.ref(EndpointName.DISPATCHER, 1);
    private static final JobId ONE = new JobId("one");
    private static final JobId TWO = new JobId("two");
    private static final long NEVER = 600_000;

    @TempDir
    private Path folder;

    private final FakeDispatcher dispatcher = new FakeDispatcher();
    private final ExecutorService pool = Pools.fixed("test-bundles", 3);
    private final SystemTimers timers = new SystemTimers("test-timers");
    private final MainThread mainThread = new MainThread("test", pool, timers, failure -> {
        throw new AssertionError(failure);
    });
    private final JobIsolation isolation = new JobIsolation();
    private final FakeRpc rpc = new FakeRpc(new RpcAddress("127.0.0.1", 7001));
    private Framework framework;
    private BundleContext context;
    private UserBundles bundles;

    @BeforeEach
    void startFramework() throws Exception {
        framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of(
                        "org.osgi.framework.storage",
                        folder.resolve("framework").toString(),
                        "org.osgi.framework.bsnversion",
                        "multiple"));
        framework.start();
        context = framework.getBundleContext();
        rpc.connect(DISPATCHER, dispatcher);
        context.registerService(ResolverHookFactory.class, isolation, null);
        bundles = bundlesThatStay(100);
    }

    private UserBundles bundlesThatStay(long idleMillis) {
        return new UserBundles(
                context,
                new BlobCache(folder.resolve(JobIsolation.FOLDER), 5_000),
                rpc,
                mainThread,
                timers,
                pool,
                20_000,
                idleMillis,
                isolation);
    }

    @AfterEach
    void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
        pool.shutdownNow();
        timers.close();
    }

    @Test
    void jobsWithTheSameContentShareABundleUntilTheLastIsGone() throws Exception {
        BundleRef ref = dispatcher.add(jar("user.words", "1.0.0", Map.of()));

        acquire(ONE, ref);
        acquire(TWO, ref);
        assertThat(installed()).hasSize(1);
        assertThat(installed().get(0).getState()).isEqualTo(Bundle.ACTIVE);
        release(ONE);
        release(ONE);
        assertThat(installed()).hasSize(1);
        release(TWO);

        await().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(installed()).isEmpty();
            try (var files = Files.list(folder.resolve(JobIsolation.FOLDER))) {
                assertThat(files).isEmpty();
            }
        });
    }

    @Test
    void aJobWithTheSameBundlesTakesOverThoseOfAnEndedOne() throws Exception {
        bundles = bundlesThatStay(NEVER);
        BundleRef ref = dispatcher.add(jar("user.words", "1.0.0", Map.of()));
        acquire(ONE, ref);
        long first = installed().get(0).getBundleId();

        release(ONE);
        acquire(TWO, ref);

        assertThat(installed())
                .singleElement()
                .satisfies(bundle -> assertThat(bundle.getBundleId()).isEqualTo(first))
                .satisfies(bundle -> assertThat(bundle.getState()).isEqualTo(Bundle.ACTIVE));
    }

    @Test
    void bundlesThatWereTakenOverStayBeyondTheTimeOfTheEndedJob() throws Exception {
        BundleRef ref = dispatcher.add(jar("user.words", "1.0.0", Map.of()));
        BundleRef other = dispatcher.add(jar("user.other", "1.0.0", Map.of()));
        acquire(ONE, ref);
        release(ONE);
        acquire(TWO, ref);

        // Released after the first one, so its time ends later.
        acquire(ONE, other);
        release(ONE);

        await().atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(installed()).singleElement().satisfies(bundle -> {
                    assertThat(bundle.getSymbolicName()).isEqualTo("user.words");
                    assertThat(bundle.getState()).isEqualTo(Bundle.ACTIVE);
                }));
    }

    @Test
    void aJobWithOneOtherBundleGetsAllOfThemNew() throws Exception {
        bundles = bundlesThatStay(NEVER);
        Map<String, String> exports = Map.of("Export-Package", "user.library");
        BundleRef before = dispatcher.add(jar("user.library", "1.0.0", exports));
        BundleRef after = dispatcher.add(jar("user.library", "1.0.1", exports));
        BundleRef user = dispatcher.add(jar("user.words", "1.0.0", Map.of("Import-Package", "user.library")));
        acquire(ONE, before, user);
        release(ONE);

        acquire(TWO, after, user);

        await().atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(installed())
                        .extracting(Bundle::getVersion)
                        .extracting(Object::toString)
                        .containsExactlyInAnyOrder("1.0.1", "1.0.0"));
        assertThat(installed())
                .filteredOn(bundle -> bundle.getSymbolicName().equals("user.words"))
                .singleElement()
                .satisfies(bundle -> assertThat(bundle.adapt(BundleWiring.class)
                                .getRequiredWires("osgi.wiring.package")
                                .get(0)
                                .getProvider()
                                .getVersion())
                        .hasToString("1.0.1"));
    }

    @Test
    void bundlesThatDidNotStartAreNotKept() throws Exception {
        bundles = bundlesThatStay(NEVER);
        BundleRef ref = dispatcher.add(jar("user.words", "1.2.0", Map.of("Import-Package", "no.such.api")));
        assertThat(failure(ONE, ref)).contains("missing requirement");

        release(ONE);

        await().atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(installed()).isEmpty());
    }

    @Test
    void bundlesWithTheSameNameAndVersionAreInstalledTogether() throws Exception {
        acquire(ONE, dispatcher.add(jar("user.words", "1.0.0", Map.of("X-Content", "one"))));
        acquire(TWO, dispatcher.add(jar("user.words", "1.0.0", Map.of("X-Content", "two"))));

        assertThat(installed()).hasSize(2).allMatch(bundle -> bundle.getState() == Bundle.ACTIVE);
    }

    @Test
    void errorOfABundleThatDoesNotResolveNamesTheMissingRequirement() throws Exception {
        BundleRef ref = dispatcher.add(jar("user.words", "1.2.0", Map.of("Import-Package", "no.such.api")));

        assertThat(failure(ONE, ref))
                .startsWith("bundle user.words 1.2.0 does not resolve: missing requirement ")
                .contains("no.such.api")
                .endsWith("; add a bundle that provides it to the job's bundles");
    }

    @Test
    void bundlesOfOneJobAreNotWiredToThoseOfAnother() throws Exception {
        BundleRef provider = dispatcher.add(jar("user.library", "1.0.0", Map.of("Export-Package", "user.library")));
        BundleRef user = dispatcher.add(jar("user.words", "1.0.0", Map.of("Import-Package", "user.library")));
        acquire(ONE, provider);

        assertThat(failure(TWO, user)).contains("missing requirement").contains("user.library");
        assertThat(acquire(TWO, provider, user)).isNotNull();
    }

    @Test
    void failedFetchIsRepeatedByTheNextDeployment() throws Exception {
        BundleRef ref = dispatcher.add(jar("user.words", "1.0.0", Map.of()));
        dispatcher.failures.add(new IllegalStateException("disk full"));

        assertThat(failure(ONE, ref))
                .contains("cannot be read from the Dispatcher")
                .contains("disk full");

        assertThat(acquire(ONE, ref)).isNotNull();
    }

    @Test
    void unknownOperatorIsEmptyAndHasTheClassLoaderOfTheWorker() throws Exception {
        JobCode code = acquire(ONE, dispatcher.add(jar("user.words", "1.0.0", Map.of())));

        assertThat(code.operator("none")).isEmpty();
        assertThat(code.classLoader("none"))
                .isSameAs(context.getBundle().adapt(BundleWiring.class).getClassLoader());
    }

    @Test
    void codeIsReadyWhenTheOperatorsThatItsBundleAnnouncesAreRegistered() throws Exception {
        BundleRef ref = dispatcher.add(
                jar("user.words", "1.0.0", Map.of("Provide-Capability", "io.berth.operator;name=count")));
        CompletableFuture<JobCode> code = mainThread
                .call(() -> bundles.acquire(ONE, DISPATCHER, List.of(ref)))
                .thenCompose(stage -> stage)
                .toCompletableFuture();
        await().atMost(10, TimeUnit.SECONDS)
                .until(() -> installed().stream().anyMatch(bundle -> bundle.getState() == Bundle.ACTIVE));
        assertThat(code).failsWithin(Duration.ofSeconds(1)).withThrowableOfType(TimeoutException.class);

        installed()
                .get(0)
                .getBundleContext()
                .registerService(
                        OperatorFactory.class.getName(),
                        new NoOperator(),
                        new Hashtable<>(Map.of(Operator.PROPERTY, "count")));

        assertThat(code.get(20, TimeUnit.SECONDS).classLoader("count"))
                .isSameAs(installed().get(0).adapt(BundleWiring.class).getClassLoader());
        assertThatThrownBy(() -> code.get(20, TimeUnit.SECONDS).operator("count"))
                .as("it is in the job's bundles, but has no object")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("operator 'count'");
    }

    /** A service without an object. The tests need only its registration. */
    private static final class NoOperator implements ServiceFactory<Object> {

        @Override
        public Object getService(Bundle bundle, ServiceRegistration<Object> registration) {
            return null;
        }

        @Override
        public void ungetService(Bundle bundle, ServiceRegistration<Object> registration, Object service) {}
    }

    private JobCode acquire(JobId job, BundleRef... refs) throws Exception {
        return mainThread
                .call(() -> bundles.acquire(job, DISPATCHER, List.of(refs)))
                .thenCompose(stage -> stage)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private String failure(JobId job, BundleRef... refs) throws Exception {
        return mainThread
                .call(() -> bundles.acquire(job, DISPATCHER, List.of(refs)))
                .thenCompose(stage -> stage)
                .handle((code, failure) -> Failures.text(new CompletionException(failure)))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private void release(JobId job) throws Exception {
        mainThread
                .call(() -> {
                    bundles.release(job);
                    return true;
                })
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private List<Bundle> installed() {
        return Arrays.stream(context.getBundles()).filter(JobIsolation::isOfJob).toList();
    }

    private static byte[] jar(String name, String version, Map<String, String> headers) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", name);
        main.putValue("Bundle-Version", version);
        new TreeMap<>(headers).forEach(main::putValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes, manifest)) {
            out.putNextEntry(new JarEntry("user/library/readme.txt"));
            out.write(name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
