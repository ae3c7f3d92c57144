package io.berth.core.policies.shadow;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.detached.DetachedPolicies;
import io.berth.core.policies.detached.PolicyCalls;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.core.policies.registry.PolicyRegistry.Held;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * The policies that a shadow uses: its own, and that of the other kind that decides. Keeps them from being released
 * while the shadow has an instance of them or a call is running, and no longer. Confined to the lane of the shadow.
 */
final class ShadowedPolicies implements DetachedPolicies, PolicyCalls {

    private final PolicyKind kind;
    private final String name;
    private final PolicyRegistry registry;
    private final ShadowCalls calls;
    private final MainThread lane;
    private final SortedMap<Long, Held> held = new TreeMap<>();
    private final SortedMap<Long, Integer> running = new TreeMap<>();
    private Optional<PolicyCandidate> own = Optional.empty();
    /** Service id of the policy of the other kind that was opened last. */
    private OptionalLong other = OptionalLong.empty();

    private boolean deciding;

    ShadowedPolicies(PolicyKind kind, String name, PolicyRegistry registry, Guard guard, MainThread lane) {
        this.kind = kind;
        this.name = name;
        this.registry = registry;
        this.calls = new ShadowCalls(registry, guard);
        this.lane = lane;
    }

    /** Looks for the policy again, which may have been removed, replaced or configured. Empty: it is not there. */
    Optional<PolicyCandidate> find() {
        Optional<Held> found = registry.hold(kind, name);
        own = found.map(Held::candidate);
        found.ifPresent(this::keep);
        return own;
    }

    private void keep(Held found) {
        Held before = held.putIfAbsent(found.candidate().id(), found);
        if (before != null) {
            found.release().run();
        }
    }

    /** A decision begins: what it uses may change until it ends. */
    void begin() {
        deciding = true;
    }

    /** The decision has ended. Lets go what it no longer uses. */
    void end() {
        deciding = false;
        letGo();
    }

    private void letGo() {
        for (Long id : List.copyOf(held.keySet())) {
            if (!isUsed(id) && running.getOrDefault(id, 0) == 0) {
                Held gone = held.remove(id);
                running.remove(id);
                gone.release().run();
                calls.end(gone.candidate().registration());
            }
        }
    }

    private boolean isUsed(long id) {
        return own.filter(candidate -> candidate.id() == id).isPresent()
                || other.isPresent() && other.getAsLong() == id;
    }

    /** All instances were closed. Lets everything go, as soon as no call is running. */
    void letAllGo() {
        own = Optional.empty();
        other = OptionalLong.empty();
        end();
    }

    /** Whether a policy that it uses was removed. */
    boolean anyRemoved() {
        return held.keySet().stream().anyMatch(id -> !registry.present(id));
    }

    @Override
    public Optional<PolicyCandidate> inPlaceOf(PolicyKind asked) {
        return asked == kind ? own : Optional.empty();
    }

    @Override
    public Optional<PolicyCandidate> framed(FramedPolicy policy) {
        registry.hold(policy.service()).ifPresent(this::keep);
        Held found = held.get(policy.service());
        if (found == null) {
            return Optional.empty();
        }
        other = OptionalLong.of(policy.service());
        PolicyCandidate now = found.candidate();
        return Optional.of(new PolicyCandidate(
                now.id(),
                now.kind(),
                now.name(),
                policy.identity().configurationRevision(),
                new GivenConfiguration(policy.configuration(), found.keys()),
                now.registration(),
                now.factory()));
    }

    @Override
    public String missing(FramedPolicy policy) {
        return policy.identity().kind().label() + " " + policy.identity().name() + " is no longer installed";
    }

    @Override
    public <T> CompletionStage<CallOutcome<T>> call(
            PolicyCandidate policy, PolicyCall first, String what, Guard.Body<T> body, Guard.Discard<T> discard) {
        running.merge(policy.id(), 1, Integer::sum);
        CompletionStage<CallOutcome<T>> made = calls.call(policy, first, what, body, discard);
        lane.whenComplete(made, (outcome, never) -> {
            running.merge(policy.id(), -1, Integer::sum);
            if (!deciding) {
                letGo();
            }
        });
        return made;
    }
}
