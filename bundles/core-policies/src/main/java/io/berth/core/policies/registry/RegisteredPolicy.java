package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.policies.registration.Considered;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One registered factory. Belongs to the registry and is only touched under its lock. */
final class RegisteredPolicy {

    final Registration registration;

    @Nullable
    Object factory;

    String name;
    String summary = "";
    /** Empty until it was inspected. */
    List<ConfigurationKey> keys = List.of();

    Standing standing = new Standing.BeingInspected();

    boolean inspected;
    boolean removed;
    /** What is or was tried last, taken or not; null: try what is there. */
    @Nullable
    SortedMap<String, String> tried;
    /** A trial is under way; another one has to follow. Both on the thread of events only. */
    boolean trying;

    boolean due;
    Optional<Accepted> accepted = Optional.empty();
    Optional<Accepted> acceptedBefore = Optional.empty();
    /** How many configurations were accepted; never goes back, so that no two share a number. */
    long revisions;

    /** Why the newest configuration is not the accepted one; empty when it is. */
    Optional<String> refusal = Optional.empty();

    /** As it was when it was last told of. */
    int ranking;

    int failuresInARow;
    final RecentCalls recent = new RecentCalls();
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

    /** What stays when its bundle is updated. */
    String identity() {
        return registration.kind().label() + " " + name + " of " + registration.bundle();
    }

    boolean isSound() {
        return standing instanceof Standing.Sound;
    }

    boolean isQuarantined() {
        return standing instanceof Standing.Quarantined;
    }

    /** Whether an operator's release may help. */
    boolean isReleasable() {
        return isQuarantined() || standing instanceof Standing.Unusable;
    }

    boolean ready() {
        return inspected && !removed && isSound() && accepted.isPresent();
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

    Considered considered() {
        return new Considered(
                registration.id(),
                registration.kind(),
                name,
                registration.bundle(),
                registration.version(),
                accepted.map(Accepted::revision).orElse(0L),
                obstacle());
    }

    /** Ready, or why it cannot decide. */
    PolicyVerdict verdict() {
        if (!isSound() || accepted.isPresent()) {
            return standing.verdict();
        }
        return refusal.isPresent() ? PolicyVerdict.CONFIGURATION_REFUSED : PolicyVerdict.BEING_CHECKED;
    }

    /** Why it cannot decide, for people; empty when it can. */
    String obstacle() {
        if (!isSound() || accepted.isPresent()) {
            return standing.obstacle();
        }
        return refusal.isPresent() ? refused() : "configuration is being checked";
    }

    private String refused() {
        return "configuration refused: " + refusal.orElseThrow();
    }

    /** What is to be said of a configuration that was refused while the one before decides; else empty. */
    String keptConfiguration(String before) {
        return refusal.isPresent() ? before + refused() : "";
    }

    PolicyDetails details(boolean deciding) {
        boolean ready = verdict() == PolicyVerdict.READY;
        PolicyVerdict verdict = ready && deciding ? PolicyVerdict.DECIDING : verdict();
        String state = ready ? verdict.label() + keptConfiguration(" with its last good configuration; ") : obstacle();
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
