package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.JobId;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One registered factory. Belongs to the registry and is only touched under its lock. */
final class RegisteredPolicy {

    /** Jobs for which it failed; what is known of others is forgotten. */
    static final int MAX_JOBS = 1_000;

    private static final int MAX_JOBS_TOLD = 3;

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

    /** For all. */
    final Quarantine quarantine = new Quarantine();
    /** For single jobs, those that failed last are last. */
    private final Map<JobId, Quarantine> ofJobs = new LinkedHashMap<>(16, 0.75f, true);

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
        return standing instanceof Standing.Sound && !quarantine.isActive();
    }

    /** Whether an operator's release may help. */
    boolean isReleasable() {
        return quarantine.isActive()
                || standing instanceof Standing.Unusable
                || ofJobs.values().stream().anyMatch(Quarantine::isActive);
    }

    boolean ready() {
        return !quarantine.isActive() && couldDecide();
    }

    /** Whether an owner that may try it again can be given it. */
    boolean isOnTrialFor(DecisionOwner owner) {
        return quarantine.isOnTrialFor(owner) && couldDecide();
    }

    private boolean couldDecide() {
        return inspected && !removed && standing instanceof Standing.Sound && accepted.isPresent();
    }

    /** Whether it is put aside for one job. */
    Optional<Quarantine> ofJob(JobId job) {
        return Optional.ofNullable(ofJobs.get(job));
    }

    /** The same, for a job for which it failed. */
    Quarantine failedFor(JobId job) {
        Quarantine found = ofJobs.computeIfAbsent(job, key -> new Quarantine());
        if (ofJobs.size() > MAX_JOBS) {
            ofJobs.remove(ofJobs.keySet().iterator().next());
        }
        return found;
    }

    void forget(JobId job) {
        ofJobs.remove(job);
    }

    /** What its calls came to says nothing of it any longer. */
    void forgetFailures() {
        quarantine.forget();
        ofJobs.clear();
    }

    /** For which jobs it is put aside, for people; empty when it is not. */
    String jobsText() {
        List<String> jobs = ofJobs.entrySet().stream()
                .filter(one -> one.getValue().isActive())
                .map(one -> "job " + one.getKey() + " " + one.getValue().text())
                .toList();
        return jobs.isEmpty()
                ? ""
                : "quarantined for " + String.join("; for ", jobs.subList(0, Math.min(jobs.size(), MAX_JOBS_TOLD)))
                        + (jobs.size() > MAX_JOBS_TOLD
                                ? "; and for " + (jobs.size() - MAX_JOBS_TOLD) + " more jobs"
                                : "");
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

    PolicyAlternative considered() {
        return new PolicyAlternative(
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
        if (!(standing instanceof Standing.Sound)) {
            return standing.verdict();
        }
        if (quarantine.isActive()) {
            return PolicyVerdict.QUARANTINED;
        }
        if (accepted.isPresent()) {
            return PolicyVerdict.READY;
        }
        return refusal.isPresent() ? PolicyVerdict.CONFIGURATION_REFUSED : PolicyVerdict.BEING_CHECKED;
    }

    /** Why it cannot decide, for people; empty when it can. */
    String obstacle() {
        if (quarantine.isActive() && standing instanceof Standing.Sound) {
            return "quarantined: " + quarantine.why();
        }
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
