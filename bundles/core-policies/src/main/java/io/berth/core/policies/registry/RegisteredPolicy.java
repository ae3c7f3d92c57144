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
import io.berth.spi.JobId;
import io.berth.spi.PolicyDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One registered factory. Guarded by the lock of the table. */
final class RegisteredPolicy {

    /** Jobs with failures; older ones are forgotten. */
    static final int MAX_JOBS = 1_000;

    private static final int MAX_JOBS_SHOWN = 3;

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

    /** For all owners. */
    final Quarantine quarantine = new Quarantine();
    /** For single jobs, the most recently used last. */
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

    boolean isSound() {
        return standing instanceof Standing.Sound && !quarantine.isActive();
    }

    /** Whether a release by an operator may help. */
    boolean isReleasable() {
        return quarantine.isActive()
                || standing instanceof Standing.Unusable
                || ofJobs.values().stream().anyMatch(Quarantine::isActive);
    }

    boolean ready() {
        return !quarantine.isActive() && couldDecide();
    }

    /** Whether the owner may try it again. */
    boolean isOnTrialFor(DecisionOwner owner) {
        return quarantine.isOnTrialFor(owner) && couldDecide();
    }

    private boolean couldDecide() {
        return inspected && !removed && standing instanceof Standing.Sound && accepted.isPresent();
    }

    /** The quarantine for one job. */
    Optional<Quarantine> ofJob(JobId job) {
        return Optional.ofNullable(ofJobs.get(job));
    }

    /** The quarantine for a job with a failure. */
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

    void forgetFailures() {
        quarantine.forget();
        ofJobs.clear();
    }

    /** The jobs that it is quarantined for, for people; empty when there are none. */
    String jobsText() {
        List<String> jobs = ofJobs.entrySet().stream()
                .filter(one -> one.getValue().isActive())
                .map(one -> "job " + one.getKey() + " " + one.getValue().text())
                .toList();
        return jobs.isEmpty()
                ? ""
                : "quarantined for " + String.join("; for ", jobs.subList(0, Math.min(jobs.size(), MAX_JOBS_SHOWN)))
                        + (jobs.size() > MAX_JOBS_SHOWN
                                ? "; and for " + (jobs.size() - MAX_JOBS_SHOWN) + " more jobs"
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

    /** Text about a rejected configuration while the previous one decides; else empty. */
    String keptConfiguration(String before) {
        return refusal.isPresent() ? before + refused() : "";
    }

    PolicyDetails details(boolean deciding) {
        boolean ready = verdict() == PolicyVerdict.READY;
        PolicyVerdict verdict = ready && deciding ? PolicyVerdict.DECIDING : verdict();
        String state = (ready ? verdict.label() + keptConfiguration(" with its last good configuration; ") : obstacle())
                + (inDevelopment ? "; in development" : "");
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
