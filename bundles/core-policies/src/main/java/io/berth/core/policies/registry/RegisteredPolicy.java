package io.berth.core.policies.registry;

import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.policy.rules.PlainText;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One registered factory. Guarded by the lock of the table. */
final class RegisteredPolicy {

    final Registration registration;

    @Nullable
    Object factory;

    String name;
    String summary = "";
    /** Empty until it is inspected. */
    List<ConfigurationKey> keys = List.of();

    Standing standing = new Standing.BeingInspected();

    /** Whether its calls have no deadline and it is not quarantined. */
    boolean inDevelopment;

    boolean inspected;
    boolean removed;
    /** The configuration that was tried last, accepted or not; null: none. */
    @Nullable
    SortedMap<String, String> tried;
    /** Whether a trial is in progress; whether another one must follow. Confined to the thread of events. */
    boolean trying;

    boolean due;
    Optional<Accepted> accepted = Optional.empty();
    Optional<Accepted> acceptedBefore = Optional.empty();
    /** Number of accepted configurations; never decreases, so that no two share a number. */
    long revisions;

    /** Why the newest configuration is not the accepted one; empty when it is. */
    Optional<String> refusal = Optional.empty();

    /** As it was last reported. */
    int ranking;

    final Quarantines quarantines = new Quarantines();

    long failures;
    long decisions;
    long generation;
    int uses;

    /** A configuration that it decides with, or decided with before. */
    record Accepted(GivenConfiguration configuration, long revision) {}

    RegisteredPolicy(Registration registration) {
        this.registration = registration;
        this.name = registration.name();
        this.ranking = registration.ranking();
    }

    /** What an update of its bundle does not change. */
    String identity() {
        return registration.kind().label() + " " + name + " of " + registration.bundle();
    }

    /**
     * What is wrong with parameters that a job or a pool gives; empty until it is known which there are. Guarded by the
     * lock of the table.
     */
    List<Problem> problems(SortedMap<String, String> parameters) {
        List<Problem> problems = new ArrayList<>();
        if (!inspected) {
            return problems;
        }
        parameters.forEach((key, value) -> PolicyDescription.key(keys, key)
                .ifPresentOrElse(
                        known -> known.problem(value)
                                .ifPresent(wrong -> problems.add(
                                        new Problem(key, "'" + PlainText.cut(value) + "'", known.allowed()))),
                        () -> problems.add(new Problem(key, "an unknown parameter", known()))));
        return problems;
    }

    private String known() {
        return keys.isEmpty()
                ? "policy " + name + " has none"
                : "known are "
                        + String.join(
                                ", ", keys.stream().map(ConfigurationKey::key).toList());
    }

    /** Whether an instance could be created, even if it may not decide now. */
    boolean isUsable() {
        return factory != null && accepted.isPresent();
    }

    /** Whether nothing keeps it from deciding for any pool, once it has a configuration. */
    boolean isSound() {
        return standing instanceof Standing.Sound && quarantines.count() == 0;
    }

    /** Whether a release by an operator may help. */
    boolean isReleasable() {
        return quarantines.isActive() || standing instanceof Standing.Unusable;
    }

    /** Whether it may decide, for some owners at least. */
    boolean ready() {
        return !quarantines.all.isActive() && couldDecide();
    }

    /**
     * Whether it may decide for an owner.
     *
     * @param owner empty: for some owners at least
     * @param tries whether the owner may try it again after a quarantine
     */
    boolean mayDecide(Optional<DecisionOwner> owner, boolean tries) {
        return owner.isEmpty() ? ready() : couldDecide() && !quarantines.exclude(owner.get(), tries);
    }

    private boolean couldDecide() {
        return inspected && !removed && standing instanceof Standing.Sound && accepted.isPresent();
    }

    PolicyCandidate candidate() {
        return new PolicyCandidate(
                registration.id(),
                registration.kind(),
                name,
                accepted.orElseThrow().revision(),
                accepted.orElseThrow().configuration(),
                registration,
                Objects.requireNonNull(factory));
    }

    PolicyAlternative considered(DecisionOwner owner) {
        return new PolicyAlternative(
                registration.id(),
                registration.kind(),
                name,
                registration.bundle(),
                registration.version(),
                accepted.map(Accepted::revision).orElse(0L),
                obstacle(Optional.of(owner)));
    }

    /**
     * Ready, or why it cannot decide.
     *
     * @param deciding whether it decides for an owner; if for none, the quarantine for a pool counts
     */
    PolicyVerdict verdict(boolean deciding) {
        if (!(standing instanceof Standing.Sound)) {
            return standing.verdict();
        }
        if (quarantines.all.isActive()) {
            return PolicyVerdict.QUARANTINED;
        }
        if (accepted.isPresent()) {
            return !deciding && quarantines.isActiveForPools() ? PolicyVerdict.QUARANTINED : PolicyVerdict.READY;
        }
        return refusal.isPresent() ? PolicyVerdict.CONFIGURATION_REFUSED : PolicyVerdict.BEING_CHECKED;
    }

    /**
     * Why it cannot decide, for people; empty when it can.
     *
     * @param owner for whom it cannot; empty: for all
     */
    String obstacle(Optional<DecisionOwner> owner) {
        if (!(standing instanceof Standing.Sound)) {
            return standing.obstacle();
        }
        String quarantined = quarantines.obstacle(owner);
        if (!quarantined.isEmpty() || accepted.isPresent()) {
            return quarantined;
        }
        return refusal.isPresent() ? refused() : "configuration is being checked";
    }

    private String refused() {
        return "configuration refused: " + refusal.orElseThrow();
    }

    /** Text about a rejected configuration while the previous one decides; else empty. */
    String keptConfiguration(String before) {
        return refusal.isPresent() ? before + refused() : "";
    }

    PolicyDetails details(boolean deciding) {
        PolicyVerdict found = verdict(deciding);
        boolean ready = found == PolicyVerdict.READY;
        PolicyVerdict verdict = ready && deciding ? PolicyVerdict.DECIDING : found;
        String obstacle = obstacle(Optional.empty());
        String pools = quarantines.poolsText();
        String state;
        if (ready) {
            state = verdict.label()
                    + keptConfiguration(" with its last good configuration; ")
                    + (pools.isEmpty() ? "" : "; " + pools);
        } else {
            state = obstacle.isEmpty() ? pools : obstacle;
        }
        state += inDevelopment ? "; in development" : "";
        return new PolicyDetails(
                registration.kind(),
                name,
                summary,
                registration.bundle(),
                registration.version(),
                registration.ranking(),
                verdict,
                state,
                generation,
                decisions,
                failures);
    }
}
