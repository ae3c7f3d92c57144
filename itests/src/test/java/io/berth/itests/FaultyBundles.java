package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleWiring;

/**
 * FaultyCode bundles in the cluster of a test: installs them, lets jobs run, returns what the host reports about them,
 * and removes them again without a trace.
 */
final class FaultyBundles implements AutoCloseable {

    private static final String LATE = "did not return within";
    private static final int RECORDS = 2_000;
    static final int WIDTH = 5;

    private final BundleContext context;
    private final Cluster cluster;
    private final PolicyOperations policies;
    private final String jobBundle;
    private final BundleChanges changes;
    private final ServiceRegistration<?> registration;
    private final Map<String, Bundle> installed = new TreeMap<>();
    private final Map<String, WeakReference<ClassLoader>> loaders = new TreeMap<>();
    final ConcurrentMap<String, Object> shared = new ConcurrentHashMap<>();
    private int ranking = 1_000;

    FaultyBundles(BundleContext context, Cluster cluster, PolicyOperations policies, String jobBundle) {
        this.context = context;
        this.cluster = cluster;
        this.policies = policies;
        this.jobBundle = jobBundle;
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("faulty", "shared");
        registration = context.registerService(ConcurrentMap.class, shared, properties);
        changes = new BundleChanges(context);
        shared.put("mercy", new CountDownLatch(1));
    }

    /** Installs and starts a faulty. Its name contains the fault and the call. Each one outranks the previous ones. */
    String strike(String kind, String deed, String at) throws Exception {
        String name = (deed + "-at-" + at).toLowerCase(Locale.ROOT);
        start(name, FaultyBundle.of(kind, name, deed, at, ++ranking));
        return name;
    }

    Bundle start(String name, FaultyBundle faulty) throws Exception {
        Bundle bundle = install(faulty);
        bundle.start();
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        if (wiring != null) {
            loaders.put(bundle.getSymbolicName(), new WeakReference<>(wiring.getClassLoader()));
        }
        return bundle;
    }

    Bundle install(FaultyBundle faulty) throws Exception {
        String symbolicName = faulty.header("Bundle-SymbolicName").split(";")[0];
        Bundle bundle = context.installBundle("faulty:" + symbolicName, faulty.jar());
        installed.put(symbolicName, bundle);
        return bundle;
    }

    Bundle bundle(String kind, String name) {
        return installed.get("faulty." + kind + "." + name);
    }

    /** How often the host called that faulty. */
    int calls(String kind, String name, String call) {
        return ((AtomicInteger) shared.getOrDefault(kind + "." + name + "." + call, new AtomicInteger())).get();
    }

    /** One short job of five slots; its result is correct, and nothing restarted it. */
    JobDetails job() throws Exception {
        return job("beside");
    }

    JobDetails job(String name) throws Exception {
        JobId id = cluster.submit(Jobs.sequence(name, jobBundle, RECORDS, 0, WIDTH, WIDTH));
        JobDetails ended = cluster.finished(id, LIMIT);
        assertEquals(Cluster.text(ended), RECORDS, (long) ended.counters().get("tally.tally.records"));
        assertEquals(Cluster.text(ended), (long) RECORDS * (RECORDS - 1) / 2, (long)
                ended.counters().get("tally.tally.sum"));
        assertEquals(Cluster.text(ended), 0, ended.restarts() + ended.rescales());
        return ended;
    }

    PolicyDetails details(String kind, String name) {
        return find(kind, name)
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " in " + policies.policies()));
    }

    Optional<PolicyDetails> find(String kind, String name) {
        return policies.policies().stream()
                .filter(policy -> policy.kind() == kind(kind) && policy.name().equals(name))
                .findFirst();
    }

    PolicyDiagnosis diagnosis(String kind, String name) {
        List<PolicyDiagnosis> found = policies.diagnose(Optional.of(kind(kind)), Optional.of(name));
        assertEquals(found.toString(), 1, found.size());
        return found.get(0);
    }

    static PolicyKind kind(String kind) {
        return PolicyKind.valueOf(kind.toUpperCase(Locale.ROOT));
    }

    /** Waits until the host has inspected it. */
    void inspected(String kind, String name) throws Exception {
        Await.until(
                () -> kind + " " + name + " is inspected: " + policies.diagnose(Optional.empty(), Optional.of(name)),
                LIMIT,
                () -> find(kind, name).isPresent()
                        && policies.diagnose(Optional.of(kind(kind)), Optional.of(name)).stream()
                                .noneMatch(one -> one.verdict().label().equals("being checked")));
    }

    /**
     * Waits until the host says so of a policy, and why. A policy whose call was late for another reason, as on a busy machine,
     * is released.
     */
    void awaitVerdict(String kind, String name, String verdict, String text) throws Exception {
        Await.until(
                () -> kind + " " + name + " is " + verdict + " (" + text + "): "
                        + policies.diagnose(Optional.of(kind(kind)), Optional.of(name)),
                LIMIT,
                () -> {
                    List<PolicyDiagnosis> all = policies.diagnose(Optional.of(kind(kind)), Optional.of(name));
                    if (!text.contains(LATE)
                            && all.stream().anyMatch(one -> one.text().contains(LATE))) {
                        policies.release(kind(kind), name, "the test");
                    }
                    return all.stream()
                            .anyMatch(one -> one.verdict().label().equals(verdict)
                                    && one.text().contains(text));
                });
    }

    /** A decision says that the policy failed, why, and that another one decided. */
    void assertInDecisions(String kind, String name, String text) {
        List<String> reasons =
                policies
                        .decisions(new DecisionFilter(Optional.empty(), Optional.empty(), Optional.empty(), 10_000))
                        .stream()
                        .flatMap(decision -> decision.reasons().stream())
                        .filter(reason -> reason.contains(kind + " " + name))
                        .distinct()
                        .toList();
        assertTrue(
                "a decision says that " + kind + " " + name + " " + text + ": " + reasons,
                reasons.stream().anyMatch(reason -> reason.contains(text)));
    }

    /** Only faulty bundles changed since the last call. */
    void assertOthersUntouched() {
        assertEquals(
                changes.events().toString(),
                List.of(),
                changes.take().stream()
                        .filter(bundle -> !bundle.startsWith("faulty."))
                        .toList());
    }

    /** Uninstalls all faulty bundles; nothing else is refreshed. */
    void uninstall() throws Exception {
        for (Bundle bundle : installed.values()) {
            if (bundle.getState() != Bundle.UNINSTALLED) {
                bundle.uninstall();
            }
        }
        assertOthersUntouched();
        for (Map.Entry<String, Bundle> entry : installed.entrySet()) {
            Await.until(
                    entry.getKey() + " is no longer offered",
                    LIMIT,
                    () -> policies.policies().stream()
                            .noneMatch(policy -> policy.bundle().equals(entry.getKey())));
        }
        installed.clear();
    }

    /** Names of the faulty bundles whose class loaders are still referenced. */
    List<String> held() {
        List<String> held = new ArrayList<>();
        loaders.forEach((name, loader) -> {
            if (loader.get() != null) {
                held.add(name);
            }
        });
        return held;
    }

    /** The class loaders of all faulty bundles except these are collected. */
    void assertCollected(List<String> but) throws Exception {
        Await.until(() -> "class loaders are collected, but of " + held(), LIMIT, () -> {
            System.gc();
            return but.containsAll(held());
        });
    }

    /** Lets all hanging calls return. */
    void mercy() {
        ((CountDownLatch) shared.get("mercy")).countDown();
    }

    BundleChanges changes() {
        return changes;
    }

    @Override
    public void close() throws Exception {
        mercy();
        uninstall();
        registration.unregister();
        changes.close();
    }
}
