package io.berth.core.policies.framework;

import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.policies.registration.OfferedPolicy;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * The policies that the manifests of installed bundles name, running or not. Runs no foreign code. Not for a main
 * thread, because there may be many bundles.
 */
public final class InstalledPolicies {

    private static final String NAMESPACE = "io.berth.policy";
    private static final int MAX_LACKING = 10;
    private static final Pattern PACKAGE = Pattern.compile("\\(osgi\\.wiring\\.package=([^)]+)\\)");

    private InstalledPolicies() {}

    public static List<OfferedPolicy> of(List<Bundle> bundles) {
        List<OfferedPolicy> offered = new ArrayList<>();
        for (Bundle bundle : bundles) {
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            if (revision == null) {
                continue;
            }
            for (BundleCapability capability : revision.getDeclaredCapabilities(NAMESPACE)) {
                Object name = capability.getAttributes().get("name");
                kind(Objects.requireNonNull(capability.getAttributes().get("kind")))
                        .ifPresent(kind -> offered.add(
                                offer(kind, String.valueOf(name), keys(capability), bundle, revision, bundles)));
            }
        }
        return offered;
    }

    private static Optional<PolicyKind> kind(Object label) {
        return Arrays.stream(PolicyKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst();
    }

    /** The configuration keys that the manifest declares, for people. */
    private static String keys(BundleCapability capability) {
        return capability.getAttributes().get("configuration") instanceof Collection<?> keys && !keys.isEmpty()
                ? "; its configuration keys are "
                        + String.join(", ", keys.stream().map(String::valueOf).toList())
                : "";
    }

    private static OfferedPolicy offer(
            PolicyKind kind, String name, String keys, Bundle bundle, BundleRevision revision, List<Bundle> bundles) {
        String id = "bundle " + bundle.getBundleId() + " (" + bundle.getSymbolicName() + ") ";
        PolicyVerdict verdict;
        String text;
        switch (bundle.getState()) {
            case Bundle.INSTALLED -> {
                verdict = PolicyVerdict.NOT_RESOLVED;
                List<String> lacking = lacking(revision, bundles);
                text = id + "is installed and not resolved: "
                        + (lacking.isEmpty()
                                ? "all its requirements are provided; 'bundle:start " + bundle.getBundleId()
                                        + "' tries again, and says why not"
                                : "no bundle provides " + String.join(", ", lacking) + "; install what does");
            }
            case Bundle.RESOLVED -> {
                verdict = PolicyVerdict.NOT_STARTED;
                text = id + "is resolved and not started: 'bundle:start " + bundle.getBundleId() + "' starts it"
                        + ClassFiles.tooNew(bundle);
            }
            case Bundle.STARTING -> {
                verdict = PolicyVerdict.NOT_REGISTERED;
                text = id + "is starting: with lazy activation it waits for a first class, otherwise its activator has"
                        + " not returned";
            }
            case Bundle.STOPPING -> {
                verdict = PolicyVerdict.NOT_REGISTERED;
                text = id + "is stopping";
            }
            default -> {
                verdict = PolicyVerdict.NOT_REGISTERED;
                text = id + "runs and has no factory service registered" + ClassFiles.unshared(bundle)
                        + ": 'scr:components' shows which reference or configuration its component waits for";
            }
        }
        return new OfferedPolicy(
                kind,
                name,
                String.valueOf(bundle.getSymbolicName()),
                bundle.getVersion().toString(),
                verdict,
                text + keys);
    }

    /** Requirements that no bundle provides. The resolver knows more. */
    private static List<String> lacking(BundleRevision revision, List<Bundle> bundles) {
        List<String> lacking = new ArrayList<>();
        for (BundleRequirement requirement : revision.getDeclaredRequirements(null)) {
            boolean matters = !"optional".equals(requirement.getDirectives().get(Constants.RESOLUTION_DIRECTIVE))
                    && Constants.EFFECTIVE_RESOLVE.equals(requirement
                            .getDirectives()
                            .getOrDefault(Constants.EFFECTIVE_DIRECTIVE, Constants.EFFECTIVE_RESOLVE))
                    && !"dynamic".equals(requirement.getDirectives().get(Constants.RESOLUTION_DIRECTIVE));
            if (matters && bundles.stream().noneMatch(bundle -> provides(bundle, requirement))) {
                String filter = requirement.getDirectives().getOrDefault(Constants.FILTER_DIRECTIVE, "");
                lacking.add(requirement.getNamespace() + " " + filter + otherVersions(filter, bundles));
            }
        }
        return lacking.size() <= MAX_LACKING ? lacking : lacking.subList(0, MAX_LACKING);
    }

    /** Which versions of a missing package there are; empty for other requirements. */
    private static String otherVersions(String filter, List<Bundle> bundles) {
        Matcher matcher = PACKAGE.matcher(filter);
        if (!matcher.find()) {
            return "";
        }
        String name = matcher.group(1);
        SortedSet<String> versions = new TreeSet<>();
        for (Bundle bundle : bundles) {
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            if (revision != null) {
                revision.getDeclaredCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream()
                        .map(BundleCapability::getAttributes)
                        .filter(attributes -> name.equals(attributes.get(PackageNamespace.PACKAGE_NAMESPACE)))
                        .forEach(attributes -> versions.add(String.valueOf(attributes.get("version"))));
            }
        }
        if (versions.isEmpty()) {
            return "";
        }
        return " (there is " + String.join(", ", versions)
                + (name.startsWith("io.berth.spi")
                        ? ": it was built against other extension points; docs/migrate-a-policy.md says how to move it)"
                        : ")");
    }

    private static boolean provides(Bundle bundle, BundleRequirement requirement) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        return revision != null
                && revision.getDeclaredCapabilities(requirement.getNamespace()).stream()
                        .anyMatch(requirement::matches);
    }
}
