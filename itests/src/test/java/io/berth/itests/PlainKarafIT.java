package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import java.io.File;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import javax.inject.Inject;
import org.apache.karaf.features.BootFinished;
import org.apache.karaf.features.FeatureState;
import org.apache.karaf.features.FeaturesService;
import org.apache.karaf.kar.KarService;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/** Berth installs into an unprepared Karaf of the pinned version. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PlainKarafIT {

    @Inject
    private BundleContext context;

    @Inject
    private FeaturesService features;

    @Inject
    private KarService kars;

    @Inject
    private BootFinished booted;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.plainKaraf(),
            systemProperty("berth.kar")
                    .value(BerthContainer.file("berth.kar").toURI().toString()),
            BerthContainer.artifact("berth.sequence.jar")
        };
    }

    @Before
    public void installTheKar() throws Exception {
        if (features.getFeature("berth") == null) {
            kars.install(URI.create(System.getProperty("berth.kar")));
        }
    }

    @Test
    public void startsBerthFromTheKar() throws Exception {
        Await.until(
                "feature berth started",
                LIMIT,
                () -> features.getState(features.getFeature("berth").getId()) == FeatureState.Started);
        Await.until(
                "every Berth bundle active",
                LIMIT,
                () -> Arrays.stream(context.getBundles())
                        .filter(bundle -> bundle.getSymbolicName().startsWith("io.berth."))
                        .allMatch(bundle -> bundle.getState() == Bundle.ACTIVE));
        assertEquals(
                "what is not part of the default stays out",
                FeatureState.Uninstalled,
                features.getState(
                        features.getFeature("berth-backend-standalone").getId()));
    }

    @Test
    public void bringsItsConfigurationFiles() throws Exception {
        File etc = new File(System.getProperty("karaf.etc"));
        List<String> missing = List.of(
                        "core.rpc",
                        "core.resources",
                        "runtime.dataflow",
                        "core.scheduler",
                        "core.dispatcher",
                        "core.policies",
                        "backend.local",
                        "ops.rest",
                        "ops.metrics")
                .stream()
                .map(name -> "io.berth." + name + ".cfg")
                .filter(name -> !new File(etc, name).isFile())
                .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    public void runsAJobOnItsOwnWorker() throws Exception {
        Await.until(
                "the operations are there",
                LIMIT,
                () -> context.getServiceReference(JobOperations.class) != null
                        && context.getServiceReference(ClusterOperations.class) != null);
        Cluster cluster = new Cluster(
                context.getService(context.getServiceReference(JobOperations.class)),
                context.getService(context.getServiceReference(ClusterOperations.class)));
        String bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        JobDetails job = cluster.finished(cluster.submit(Jobs.sequence("plain", bundle, 10_000, 0, 1, 2)), LIMIT);
        assertEquals(10_000L, (long) job.counters().get("tally.tally.records"));
    }
}
