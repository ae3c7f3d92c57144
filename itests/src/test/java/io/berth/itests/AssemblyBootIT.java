package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.MetadataStores;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.inject.Inject;
import org.apache.karaf.features.BootFinished;
import org.apache.karaf.features.ConfigFileInfo;
import org.apache.karaf.features.FeatureState;
import org.apache.karaf.features.FeaturesService;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.slf4j.LoggerFactory;

/** The assembly boots with every default feature started and every bundle running. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class AssemblyBootIT {

    private static final List<String> DEFAULT_FEATURES = List.of(
            "berth",
            "berth-spi",
            "berth-core",
            "berth-dispatcher",
            "berth-resource-manager",
            "berth-job-master",
            "berth-matching-first-fit",
            "berth-matching-spread",
            "berth-distribution-fifo",
            "berth-scaling-reactive",
            "berth-backend-local",
            "berth-ha-file",
            "berth-ops-shell",
            "berth-ops-rest",
            "berth-ops-metrics",
            "berth-ops-health");

    @Inject
    private BundleContext context;

    @Inject
    private FeaturesService features;

    @Inject
    private BootFinished booted;

    @Configuration
    public Option[] configuration() {
        return new Option[] {BerthContainer.distribution()};
    }

    @Test
    public void startsEveryDefaultFeature() throws Exception {
        for (String name : DEFAULT_FEATURES) {
            FeatureState state = features.getState(features.getFeature(name).getId());
            assertEquals(name, FeatureState.Started, state);
        }
    }

    /** Otherwise the bundle of a test could start while the boot features still restart the features service. */
    @Test
    public void theTestRunnerIsASeparateDeploymentAfterTheBootFeatures() throws Exception {
        Properties settings = new Properties();
        try (InputStream file =
                Files.newInputStream(Path.of(System.getProperty("karaf.etc"), "org.apache.karaf.features.cfg"))) {
            settings.load(file);
        }
        String boot = settings.getProperty("featuresBoot");
        assertTrue(boot, boot.matches("[^()]*\\bberth/[^()]*,\\(\\),exam\\b[^()]*"));
    }

    @Test
    public void everyBundleIsActive() throws Exception {
        Await.until("every bundle active, but " + idle(), LIMIT, () -> idle().isEmpty());
        long berth = Arrays.stream(context.getBundles())
                .filter(bundle -> bundle.getSymbolicName().startsWith("io.berth."))
                .count();
        assertTrue("Berth bundles: " + berth, berth >= 13);
    }

    private List<String> idle() {
        List<String> idle = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            boolean fragment = bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
            if (!fragment && bundle.getState() != Bundle.ACTIVE) {
                idle.add(bundle.getSymbolicName() + " in state " + bundle.getState());
            }
        }
        return idle;
    }

    /** Felix HTTP starts on all interfaces if it may start before its configuration exists. */
    @Test
    public void theHttpServerIsASupportedVersionAndStartsOnceWithItsConfiguration() throws Exception {
        List<String> servers = Arrays.stream(context.getBundles())
                .map(Bundle::getSymbolicName)
                .filter(name -> name.startsWith("org.apache.felix.http.jetty") || name.startsWith("org.eclipse.jetty"))
                .toList();
        assertEquals(List.of("org.apache.felix.http.jetty12"), servers);
        Await.until(
                "the HTTP server started", LIMIT, () -> !log("Started Jetty").isEmpty());
        List<String> starts = log("Started Jetty");
        assertEquals(starts.toString(), 1, starts.size());
    }

    @Test
    public void theBootRefreshesNoBundleAndLogsNoError() throws Exception {
        assertEquals(List.of(), log("Refreshing bundles"));
        assertEquals(List.of(), log("| ERROR |"));
        assertEquals(List.of(), log("NoClassDefFoundError"));
    }

    /** A warning about a policy that hangs has the policy's frames at its end, after those of the host. */
    @Test
    public void aLongWarningIsLoggedToItsEnd() throws Exception {
        String end = "at the.last.Frame";
        String text = "policy 'x' hangs: " + " at org.example.Host.call(Host.java:1)".repeat(300) + " " + end;
        LoggerFactory.getLogger(AssemblyBootIT.class).warn(text);
        Await.until("a line in the log that ends with '" + end + "'", LIMIT, () -> !log(end).isEmpty());
    }

    /** The lines of Karaf's log that contain a text. */
    private static List<String> log(String text) {
        try (Stream<String> lines = Files.lines(Path.of(System.getProperty("karaf.log"), "karaf.log"))) {
            return lines.filter(line -> line.contains(text)).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    public void runsTheScrThatSeesEveryEventOfADynamicReference() {
        List<String> versions = Arrays.stream(context.getBundles())
                .filter(bundle -> bundle.getSymbolicName().equals("org.apache.felix.scr"))
                .map(bundle -> bundle.getVersion().toString())
                .toList();
        assertEquals(List.of("2.2.18"), versions);
    }

    @Test
    public void keepsMetadataInFilesOfItsDataDirectory() throws Exception {
        Await.until("metadata stores", LIMIT, () -> context.getServiceReference(MetadataStores.class) != null);
        MetadataStores stores = context.getService(context.getServiceReference(MetadataStores.class));
        try (MetadataStores.Term store = stores.open("itests", 1)) {
            long version = store.read("boot").map(Versioned::version).orElse(MetadataStore.ABSENT);
            assertTrue(store.write("boot", version, new byte[] {1}) instanceof WriteResult.Written);
        }
        Path directory = Path.of(System.getProperty("karaf.data"), "berth", "metadata");
        try (Stream<Path> files = Files.list(directory.resolve("itests").resolve("term-0000000000000001"))) {
            assertTrue(files.anyMatch(file -> file.getFileName().toString().startsWith("boot@")));
        }
        Await.until(
                "the Dispatcher and the records of policies have theirs",
                LIMIT,
                () -> Files.isDirectory(directory.resolve("dispatcher"))
                        && Files.isDirectory(directory.resolve("policies")));
    }

    @Test
    public void leadsEveryRoleByAnElectionInItsDataDirectory() throws Exception {
        Path election = Path.of(System.getProperty("karaf.data"), "berth", "election");
        for (EndpointName role :
                List.of(EndpointName.DISPATCHER, EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS)) {
            Await.until("role " + role + " is served where the directory says", LIMIT, () -> {
                ServiceReference<RoleDirectory> directory = context.getServiceReference(RoleDirectory.class);
                ServiceReference<RpcService> rpc = context.getServiceReference(RpcService.class);
                return directory != null
                        && rpc != null
                        && context.getService(directory)
                                .find(role)
                                .equals(Optional.of(context.getService(rpc).address()));
            });
            try (Stream<Path> files = Files.list(election.resolve(role.value()))) {
                assertTrue(files.anyMatch(file -> file.getFileName().toString().startsWith(role.value() + "@")));
            }
        }
    }

    /** The assembly unpacks the worker archive, and a plain Karaf gets its files from a feature: both must be equal. */
    @Test
    public void carriesTheFilesOfWorkersThatItsFeatureNames() throws Exception {
        Path home = Path.of(System.getProperty("karaf.home"));
        Map<String, Long> named = new TreeMap<>();
        for (ConfigFileInfo file : features.getFeature("berth-worker").getConfigurationFiles()) {
            assertTrue(file.getFinalname(), file.getFinalname().startsWith("${karaf.base}/worker/"));
            try (InputStream content = new URL(file.getLocation()).openStream()) {
                named.put(file.getFinalname().substring("${karaf.base}/worker/".length()), checksum(content));
            }
        }
        Map<String, Long> unpacked = new TreeMap<>();
        try (Stream<Path> files = Files.walk(home.resolve("worker"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (InputStream content = Files.newInputStream(file)) {
                    unpacked.put(home.resolve("worker").relativize(file).toString(), checksum(content));
                }
            }
        }
        assertEquals(unpacked, named);
    }

    private static long checksum(InputStream content) throws IOException {
        CRC32 checksum = new CRC32();
        checksum.update(content.readAllBytes());
        return checksum.getValue();
    }
}
