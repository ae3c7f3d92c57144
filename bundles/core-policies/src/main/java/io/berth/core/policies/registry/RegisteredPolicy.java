package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.policies.registration.Considered;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** One registered factory. Belongs to the registry and is only touched under its lock. */
final class RegisteredPolicy {

    static final String QUARANTINED = "quarantined: ";
    static final String INSPECTED = "is being inspected";
    static final String UNUSABLE = "cannot be used: ";
    static final String REFUSED = "configuration refused: ";

    final Registration registration;
    Object factory;
    String name;
    String summary = "";
    /** Empty until it was inspected. */
    List<ConfigurationKey> keys = List.of();

    /** Why it cannot decide, empty when it can. */
    String trouble = INSPECTED;

    boolean inspected;
    boolean removed;
    /** What is or was tried last, taken or not; null: try what is there. */
    SortedMap<String, String> tried;
    /** A trial is under way; another one has to follow. Both on the thread of events only. */
    boolean trying;

    boolean due;
    Optional<Accepted> accepted = Optional.empty();
    Optional<Accepted> acceptedBefore = Optional.empty();
    /** How many configurations were accepted; never goes back, so that no two share a number. */
    long revisions;

    /** Why the newest configuration is not the accepted one, empty when it is. */
    String refusal = "";

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

    /** Wall time of the last quarantine, for display. */
    long quarantinedMillis;

    boolean isQuarantined() {
        return trouble.startsWith(QUARANTINED);
    }

    /** Whether an operator's release may help. */
    boolean isReleasable() {
        return isQuarantined() || trouble.startsWith(UNUSABLE);
    }

    boolean ready() {
        return inspected && !removed && trouble.isEmpty() && accepted.isPresent();
    }

    PolicyCandidate candidate() {
        return new PolicyCandidate(
                registration.id(),
                registration.kind(),
                name,
                accepted.orElseThrow().revision(),
                accepted.orElseThrow().configuration(),
                registration,
                factory);
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

    /** Why it does not decide, for people. */
    String obstacle() {
        if (!trouble.isEmpty()) {
            return trouble;
        }
        return accepted.isEmpty() ? refusal.isEmpty() ? "configuration is being checked" : refusal : "";
    }

    PolicyDetails details(boolean deciding) {
        String obstacle = obstacle();
        String state = !obstacle.isEmpty() ? obstacle : deciding ? "deciding" : "ready";
        if (obstacle.isEmpty() && !refusal.isEmpty()) {
            state = state + " with its last good configuration; " + refusal;
        }
        return new PolicyDetails(
                registration.kind(),
                name,
                summary,
                registration.bundle(),
                registration.version(),
                registration.ranking(),
                state,
                generation,
                decisions,
                failures);
    }
}
