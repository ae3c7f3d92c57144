package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyMetrics.Times;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.policies.registration.OfferedPolicy;
import io.berth.core.policies.registry.OwnChoices.Owned;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Explains why policies decide or do not. Guarded by the lock of the table. */
public final class Diagnosis {

    private Diagnosis() {}

    /**
     * All registered policies of a kind.
     *
     * @param ordered all entries of the kind, by ranking
     * @param choice in force; empty when nothing is chosen
     * @param times how long the calls of a policy took
     */
    static List<PolicyDiagnosis> of(
            PolicyKind kind,
            List<RegisteredPolicy> ordered,
            Deciders deciders,
            Optional<ChoiceDetails> choice,
            Function<RegisteredPolicy, Times> times) {
        Optional<RegisteredPolicy> decider = ordered.stream()
                .filter(entry -> entry.registration.id() == deciders.first())
                .findFirst();
        List<PolicyDiagnosis> all = new ArrayList<>();
        for (RegisteredPolicy entry : ordered) {
            PolicyVerdict verdict = entry.verdict(deciders.include(entry));
            PolicyDiagnosis common = verdict == PolicyVerdict.READY
                    ? ready(kind, entry, ordered, decider, choice)
                    : diagnosis(kind, entry, verdict, obstacle(kind, entry, verdict));
            all.add(withDevelopment(
                    withRecent(withOwners(common, entry, deciders.owned()), entry, times.apply(entry)), entry));
        }
        return all;
    }

    private static PolicyDiagnosis withDevelopment(PolicyDiagnosis one, RegisteredPolicy entry) {
        return entry.inDevelopment
                ? withText(
                        one,
                        one.text() + "; it is in development: development."
                                + one.kind().label()
                                + " of configuration io.berth.core.policies names it, so its calls have no deadline and"
                                + " it is not quarantined")
                : one;
    }

    private static PolicyDiagnosis withText(PolicyDiagnosis one, String text) {
        return new PolicyDiagnosis(one.kind(), one.name(), one.bundle(), one.version(), one.verdict(), text);
    }

    /** Adds recent failures, and quarantines for single pools and jobs, of a policy that may decide. */
    private static PolicyDiagnosis withRecent(PolicyDiagnosis one, RegisteredPolicy entry, Times times) {
        String recent = entry.quarantines.all.calls.text();
        String owners = entry.quarantines.ownersText();
        if (recent.isEmpty() && owners.isEmpty() || one.verdict() == PolicyVerdict.QUARANTINED) {
            return one;
        }
        if (!recent.isEmpty()) {
            recent = "; " + recent;
        }
        if (!owners.isEmpty()) {
            owners = "; " + owners + "; 'policy release " + one.kind().label() + " " + one.name() + "' ends that";
        }
        return withText(
                one,
                one.text() + owners + recent + "; half of its calls take at most " + millis(times.p50Nanos())
                        + " ms, 99 of 100 at most " + millis(times.p99Nanos()) + " ms, the longest "
                        + millis(times.maxNanos()) + " ms");
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    /** Adds what the policy decides for single owners, which the common choice does not show. */
    private static PolicyDiagnosis withOwners(PolicyDiagnosis common, RegisteredPolicy entry, List<Owned> owned) {
        List<String> decides = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        for (Owned one : owned) {
            if (one.first() == entry.registration.id()) {
                decides.add(one.text());
            } else if (!one.followsCommon()
                    && Selector.withoutFilter(one.selector()).matches(entry)) {
                wanted.add(one.text());
            }
        }
        PolicyVerdict verdict = common.verdict();
        String text = common.text();
        if (!decides.isEmpty()) {
            text = verdict == PolicyVerdict.DECIDING
                    ? text + "; it decides for " + String.join("; ", decides) + ", too"
                    : "it decides for " + String.join("; ", decides) + "; for all others it is " + verdict.label()
                            + ": " + text;
            verdict = PolicyVerdict.DECIDING;
        }
        if (!wanted.isEmpty()) {
            text = text + "; it does not decide for " + String.join("; ", wanted);
        }
        return new PolicyDiagnosis(common.kind(), common.name(), common.bundle(), common.version(), verdict, text);
    }

    /** What prevents it from deciding, and the next step. */
    private static String obstacle(PolicyKind kind, RegisteredPolicy entry, PolicyVerdict verdict) {
        String release = "'policy release " + kind.label() + " " + entry.name + "'";
        if (verdict == PolicyVerdict.QUARANTINED) {
            return (entry.quarantines.all.isActive() ? entry.quarantines.all.text() : entry.quarantines.ownersText())
                    + "; " + release + " lets it decide again at once";
        }
        if (entry.standing instanceof Standing.Unusable unusable) {
            return unusable.why() + "; fix the bundle and install it again, or retry with " + release;
        }
        return verdict == PolicyVerdict.CONFIGURATION_REFUSED
                ? entry.refusal.orElseThrow() + "; change configuration " + entry.registration.pid()
                : entry.obstacle(Optional.empty());
    }

    private static PolicyDiagnosis ready(
            PolicyKind kind,
            RegisteredPolicy entry,
            List<RegisteredPolicy> ordered,
            Optional<RegisteredPolicy> decider,
            Optional<ChoiceDetails> choice) {
        String selector = choice.map(ChoiceDetails::name).orElse("");
        String refusal = entry.keptConfiguration("; it keeps its last good configuration: ");
        if (kind == PolicyKind.BACKEND && entry.generation > 0
                || decider.filter(one -> one == entry).isPresent()) {
            String versions = ordered.stream()
                    .filter(one -> isOtherVersion(one, entry))
                    .map(one -> "; version " + one.registration.version() + " of the same bundle is installed too, and "
                            + "does not decide while this one is there")
                    .collect(Collectors.joining());
            boolean chosen =
                    !selector.isEmpty() && Selector.withoutFilter(selector).matches(entry);
            return diagnosis(
                    kind,
                    entry,
                    PolicyVerdict.DECIDING,
                    (kind == PolicyKind.BACKEND
                                    ? "all backends that are ready decide"
                                    : chosen
                                            ? "it is chosen: " + choice.get()
                                            : selector.isEmpty()
                                                    ? "it has the highest ranking, " + entry.registration.ranking()
                                                    : "in the place of the choice, which nothing that is ready fits: "
                                                            + choice.get())
                            + versions
                            + refusal);
        }
        String by = decider.map(one -> one.name + " of bundle " + one.registration.bundle() + " (ranking "
                        + one.registration.ranking() + ", service " + one.registration.id() + ")")
                .orElse("nobody");
        boolean deciderFits =
                decider.filter(Selector.withoutFilter(selector)::matches).isPresent();
        if (!selector.isEmpty()
                && deciderFits
                && !Selector.withoutFilter(selector).matches(entry)) {
            return diagnosis(
                    kind,
                    entry,
                    PolicyVerdict.FILTERED_OUT,
                    "it is ready, but " + choice.get() + ", which " + by + " fits; 'policy use " + kind.label() + " "
                            + entry.name + "' chooses it" + refusal);
        }
        return diagnosis(
                kind,
                entry,
                PolicyVerdict.OUTRANKED,
                "it is ready with ranking " + entry.registration.ranking() + ", but " + by + " comes first"
                        + decider.filter(one -> isOtherVersion(one, entry))
                                .map(Diagnosis::otherVersion)
                                .orElse("")
                        + refusal);
    }

    private static boolean isOtherVersion(RegisteredPolicy one, RegisteredPolicy other) {
        return one != other
                && one.name.equals(other.name)
                && one.registration.bundle().equals(other.registration.bundle());
    }

    /** Two versions of a bundle are two policies of one name. With equal rankings the first one decides. */
    private static String otherVersion(RegisteredPolicy decider) {
        return ". That is version " + decider.registration.version()
                + " of the same bundle, which is still installed: of"
                + " equal rankings the first one decides. Uninstall it, and this one decides ('bundle:uninstall "
                + decider.registration.bundleId() + "', or 'kar:uninstall' if a KAR installed it)";
    }

    private static PolicyDiagnosis diagnosis(
            PolicyKind kind, RegisteredPolicy entry, PolicyVerdict verdict, String text) {
        return new PolicyDiagnosis(
                kind, entry.name, entry.registration.bundle(), entry.registration.version(), verdict, text);
    }

    /** Adds policies that bundles offer but have not registered, and applies the filters. */
    public static List<PolicyDiagnosis> complete(
            List<PolicyDiagnosis> registered,
            List<OfferedPolicy> offered,
            Optional<PolicyKind> kind,
            Optional<String> name) {
        List<PolicyDiagnosis> all = new ArrayList<>(registered);
        for (OfferedPolicy offer : offered) {
            boolean there = registered.stream()
                    .anyMatch(one -> one.kind() == offer.kind()
                            && one.name().equals(offer.name())
                            && one.bundle().equals(offer.bundle())
                            && one.version().equals(offer.version()));
            if (!there) {
                all.add(new PolicyDiagnosis(
                        offer.kind(), offer.name(), offer.bundle(), offer.version(), offer.verdict(), offer.text()));
            }
        }
        all.removeIf(one -> kind.filter(wanted -> wanted != one.kind()).isPresent()
                || name.filter(wanted -> !wanted.equals(one.name())).isPresent());
        return all;
    }
}
