package io.berth.core.policies.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.policies.Proxies;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.Version;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

class InstalledPoliciesTest {

    private static BundleRequirement requirement(String provided, Map<String, String> directives) {
        return Proxies.of(
                BundleRequirement.class,
                Map.of(
                        "getNamespace", none -> "osgi.wiring.package",
                        "getDirectives", none -> directives,
                        "matches",
                                capability -> ((BundleCapability) capability[0])
                                        .getAttributes()
                                        .containsValue(provided)));
    }

    private static Bundle bundle(
            int state, String namespace, Map<String, Object> capability, List<BundleRequirement> requirements) {
        BundleCapability offered = Proxies.of(BundleCapability.class, Map.of("getAttributes", none -> capability));
        BundleRevision revision = Proxies.of(
                BundleRevision.class,
                Map.of(
                        "getDeclaredCapabilities", asked -> asked[0].equals(namespace) ? List.of(offered) : List.of(),
                        "getDeclaredRequirements", all -> requirements));
        return Proxies.of(
                Bundle.class,
                Map.of(
                        "adapt", type -> revision,
                        "getState", none -> state,
                        "getBundleId", none -> 7L,
                        "getSymbolicName", none -> "org.best",
                        "getVersion", none -> new Version("1.2.3"),
                        "findEntries", none -> Collections.emptyEnumeration()));
    }

    private static Bundle policy(int state, BundleRequirement... requirements) {
        return bundle(state, "io.berth.policy", Map.of("kind", "matching", "name", "best"), List.of(requirements));
    }

    @Test
    void namesTheMissingRequirementOfAnUnresolvedBundle() {
        Bundle provider = bundle(Bundle.ACTIVE, "osgi.wiring.package", Map.of("p", "there"), List.of());
        Bundle best = policy(
                Bundle.INSTALLED,
                requirement("there", Map.of("filter", "(p=there)")),
                requirement("missing", Map.of("filter", "(p=missing)")),
                requirement("wish", Map.of("filter", "(p=wish)", "resolution", "optional")),
                requirement("service", Map.of("filter", "(p=service)", "effective", "active")));

        assertThat(InstalledPolicies.of(List.of(provider, best)))
                .singleElement()
                .satisfies(offer -> {
                    assertThat(offer.name()).isEqualTo("best");
                    assertThat(offer.version()).isEqualTo("1.2.3");
                    assertThat(offer.verdict().label()).isEqualTo("not resolved");
                    assertThat(offer.text()).contains("no bundle provides osgi.wiring.package (p=missing); install");
                });
    }

    @Test
    void reportsTheStateOfABundleThatRegistersNothing() {
        assertThat(InstalledPolicies.of(List.of(policy(Bundle.INSTALLED)))
                        .get(0)
                        .text())
                .contains("bundle:start 7");
        assertThat(InstalledPolicies.of(List.of(policy(Bundle.RESOLVED)))
                        .get(0)
                        .verdict()
                        .label())
                .isEqualTo("not started");
        assertThat(InstalledPolicies.of(List.of(policy(Bundle.STARTING))).get(0).text())
                .contains("activator");
        assertThat(InstalledPolicies.of(List.of(policy(Bundle.ACTIVE)))
                        .get(0)
                        .verdict()
                        .label())
                .isEqualTo("not registered");
    }

    @Test
    void ignoresBundlesWithoutPolicies() {
        assertThat(InstalledPolicies.of(List.of(
                        bundle(Bundle.ACTIVE, "other", Map.of(), List.of()),
                        bundle(Bundle.ACTIVE, "io.berth.policy", Map.of("kind", "cooking", "name", "x"), List.of()))))
                .isEmpty();
    }
}
