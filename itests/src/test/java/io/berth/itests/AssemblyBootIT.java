package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.inject.Inject;
import org.apache.karaf.features.BootFinished;
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

/** The assembly boots with every default feature started and every bundle running. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class AssemblyBootIT {

  private static final List<String> DEFAULT_FEATURES = List.of("berth", "berth-spi", "berth-core",
      "berth-dispatcher", "berth-resource-manager", "berth-job-master", "berth-matching-first-fit",
      "berth-matching-spread", "berth-distribution-fifo", "berth-scaling-reactive",
      "berth-backend-local", "berth-ops-shell", "berth-ops-rest");

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

  @Test
  public void everyBundleIsActive() throws Exception {
    Await.until("every bundle active, but " + idle(), Duration.ofSeconds(30), () -> idle().isEmpty());
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

  @Test
  public void runsTheScrThatSeesEveryEventOfADynamicReference() {
    List<String> versions = Arrays.stream(context.getBundles())
        .filter(bundle -> bundle.getSymbolicName().equals("org.apache.felix.scr"))
        .map(bundle -> bundle.getVersion().toString())
        .toList();
    assertEquals(List.of("2.2.18"), versions);
  }
}
