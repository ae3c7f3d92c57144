package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** One registered factory. Belongs to the registry and is only touched under its lock. */
final class Entry {

    static final String QUARANTINED = "quarantined: ";
    static final String UNUSABLE = "cannot be used: ";
    static final String REFUSED = "configuration refused: ";

    final Registration registration;
    Object factory;
    String name;
    String summary = "";
    SortedSet<String> keys = new TreeSet<>();

    /** Why it cannot decide, empty when it can. */
    String trouble = "is being inspected";

    boolean inspected;
    boolean removed;
    SortedMap<String, String> tried;
    Optional<GivenConfiguration> accepted = Optional.empty();
    Optional<GivenConfiguration> acceptedBefore = Optional.empty();
    long revision;

    /** Why the newest configuration is not the accepted one, empty when it is. */
    String refusal = "";

    /** As it was when it was last told of. */
    int ranking;

    int failuresInARow;
    long failures;
    long decisions;
    long generation;
    int uses;

    Entry(Registration registration) {
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

    boolean ready() {
        return inspected && !removed && trouble.isEmpty() && accepted.isPresent();
    }

    Candidate candidate() {
        return new Candidate(
                registration.id(),
                registration.kind(),
                name,
                revision,
                accepted.orElseThrow(),
                registration,
                factory);
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
