package io.berth.core.policies.decision;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.guard.Phases;
import io.berth.core.policies.meters.PolicyMeter;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.OwnerContext;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.registration.Selection;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.core.policies.swap.SwapWatch;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds one owner to its deciding policy of one kind: keeps the current generation, makes a new one when another
 * candidate, another configuration or a failure requires it, and never uses two in one round. Confined to the main
 * thread of the owner.
 *
 * @param <S> what a policy opens for the owner
 */
final class PolicyBinding<S> implements PolicySource<S> {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyBinding.class);

    /** Creates an instance and opens it. Runs in the guard. */
    interface Opener<S> {
        S open(Object factory, PolicyConfiguration configuration, PolicyContext context) throws Exception;
    }

    /** Closes a session. Runs in the guard. */
    interface Closer<S> {
        void close(S session) throws Exception;
    }

    private record Generation<S>(
            long number,
            PolicyCandidate candidate,
            PolicyIdentity identity,
            GivenConfiguration configuration,
            OwnerContext context,
            S session) {}

    private final PolicyKind kind;
    private final DecisionOwner owner;
    private Preference preference;
    private final PolicyRegistry registry;
    private final Guard guard;
    private final MainThread main;
    private final Clock clock;
    private final Opener<S> opener;
    private final Closer<S> closer;
    private Optional<Generation<S>> current = Optional.empty();
    private Optional<PolicyCandidate> preferred;
    private final SwapWatch watch;
    /** Whether the last lease is not for the preferred policy. */
    private boolean fellBack;

    private Optional<String> slow = Optional.empty();
    /** Calls into the policy that are in progress. */
    private int calls;

    private volatile Optional<PolicyIdentity> asked = Optional.empty();

    private OptionalLong vacantSince = OptionalLong.empty();

    /**
     * @param preference of the owner
     * @param ledger of the owner
     */
    PolicyBinding(
            PolicyKind kind,
            DecisionOwner owner,
            Preference preference,
            Services services,
            MainThread main,
            Supplier<LedgerState> ledger,
            Opener<S> opener,
            Closer<S> closer) {
        this.kind = kind;
        this.owner = owner;
        this.preference = preference;
        this.registry = services.registry();
        this.guard = services.guard();
        this.main = main;
        this.clock = services.clock();
        this.opener = opener;
        this.closer = closer;
        Selection selection = registry.select(kind, preference, owner);
        this.preferred = selection.preferred();
        this.watch = new SwapWatch(kind, owner.toString(), registry.swaps(), ledger, selection);
    }

    @Override
    public void take(Asker asker, SortedMap<Long, String> excluded, Consumer<Lease<S>> taken, Consumer<String> vacant) {
        SortedMap<Long, String> aside = registry.quarantinedFor(kind, asker);
        aside.forEach(excluded::putIfAbsent);
        take(asker, excluded, List.copyOf(aside.values()), taken, vacant);
    }

    private void take(
            Asker asker,
            SortedMap<Long, String> excluded,
            List<String> failures,
            Consumer<Lease<S>> taken,
            Consumer<String> vacant) {
        main.assertCurrent();
        Selection selection = registry.selectToTry(kind, preference, owner);
        watch.update(selection);
        Optional<PolicyCandidate> best = firstOf(selection.candidates(), excluded);
        if (best.isEmpty()) {
            drop();
            if (vacantSince.isEmpty()) {
                vacantSince = OptionalLong.of(clock.nanos());
            }
            vacant.accept(note("no " + label(), ": ", failures));
            return;
        }
        PolicyCandidate candidate = best.get();
        fellBack = !selection.note().isEmpty() || !excluded.isEmpty();
        if (current.isPresent() && current.get().candidate().same(candidate)) {
            taken.accept(lease(asker, current.get(), false, note(selection.note(), "; ", failures)));
            return;
        }
        drop();
        open(
                candidate,
                made -> taken.accept(lease(asker, made, true, note(selection.note(), "; ", failures))),
                failure -> {
                    excluded.put(candidate.id(), failure.isEmpty() ? "it went" : failure);
                    guard.meters().redone(kind);
                    List<String> more = new ArrayList<>(failures);
                    if (!failure.isEmpty()) {
                        more.add(candidate + " " + failure);
                    }
                    take(asker, excluded, more, taken, vacant);
                });
    }

    private static Optional<PolicyCandidate> firstOf(
            List<PolicyCandidate> candidates, SortedMap<Long, String> excluded) {
        for (PolicyCandidate candidate : candidates) {
            if (!excluded.containsKey(candidate.id())) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** The owner prefers another policy, or other parameters, from the next round on. */
    void prefer(Preference now) {
        main.assertCurrent();
        if (now.equals(preference)) {
            return;
        }
        Preference before = preference;
        SortedMap<String, String> parametersBefore = parameters();
        preference = now;
        if (!parameters().equals(parametersBefore)) {
            drop();
            forgetFailures(before);
            forgetFailures(now);
        }
        recheck();
    }

    /** Of a policy to which the pool gave other parameters than it gives now. */
    private void forgetFailures(Preference of) {
        if (owner.type() != DecisionOwner.Type.PLANS) {
            // Assignments follow the file later, when the failures may be those with the new parameters.
            return;
        }
        of.selector()
                .ifPresent(
                        name -> owner.pool().ifPresent(pool -> registry.health().parametersChanged(kind, name, pool)));
    }

    /** What the current generation opened; empty when none is open. */
    Optional<S> session() {
        main.assertCurrent();
        return current.map(Generation::session);
    }

    /** The policy that is being called; empty when none is. Thread-safe. */
    Optional<PolicyIdentity> asked() {
        return asked;
    }

    /**
     * Opens the best candidate between rounds, so that the next round does not wait for it. The state that it is
     * opened on must not change until {@code done}. A candidate that cannot be created is left to the next round.
     */
    void prepare(Runnable done) {
        main.assertCurrent();
        if (current.isPresent() || preferred.isEmpty()) {
            done.run();
            return;
        }
        open(preferred.get(), made -> done.run(), failure -> done.run());
    }

    /** Makes the current generation. Reports a failure to the registry, and its text to {@code failed}. */
    private void open(PolicyCandidate candidate, Consumer<Generation<S>> opened, Consumer<String> failed) {
        Optional<Long> number = registry.begin(candidate, owner);
        if (number.isEmpty()) {
            // It was removed: the registry does not offer it again.
            failed.accept("");
            return;
        }
        GivenConfiguration configuration = configuration(candidate);
        // What is not a parameter of the owner was checked before it became the configuration.
        List<String> problems = isParameterized(candidate)
                ? new PolicyDescription(candidate.name(), "", configuration.keys()).problems(configuration.entries())
                : List.of();
        if (!problems.isEmpty()) {
            registry.end(number.get());
            failed.accept(ownParameters() + String.join("; ", problems));
            return;
        }
        CallDeadline deadline = registry.deadline(candidate.registration());
        OwnerContext context = new OwnerContext(
                owner.toString(), clock, 31L * owner.toString().hashCode() + number.get(), deadline.millis());
        asked = Optional.of(candidate.identity(number.get()));
        // A session that is opened too late is closed at once: nobody else knows it.
        var call = guard.call(
                owner.pool(),
                candidate.registration(),
                PolicyCall.CREATE,
                "create for " + owner,
                deadline,
                phases ->
                        entered(context, phases, () -> opener.open(candidate.factory(), configuration.read(), context)),
                closer::close);
        calls++;
        main.whenComplete(call, (outcome, never) -> {
            calls--;
            asked = Optional.empty();
            if (outcome instanceof CallOutcome.Returned<S> returned && returned.value() != null) {
                Generation<S> made = new Generation<>(
                        number.get(),
                        candidate,
                        candidate.identity(number.get()),
                        configuration,
                        context,
                        returned.value());
                current = Optional.of(made);
                watch.opened(candidate);
                registry.logLimit()
                        .line(candidate.registration().bundle())
                        .ifPresent(more -> LOG.info("{}: {} decides{}", owner, made.identity(), more));
                opened.accept(made);
                return;
            }
            registry.end(number.get());
            String text;
            if (outcome instanceof CallOutcome.Refused<S> refused) {
                if (isParameterized(candidate)) {
                    // Its configuration may be good for all others.
                    text = ownParameters() + refused.message();
                } else {
                    text = "refuses its configuration: " + refused.message();
                    registry.refused(candidate, refused.message());
                }
            } else if (outcome instanceof CallOutcome.Failed<S> failure) {
                text = failure.text();
                count(candidate, Asker.of(owner), text, failure.fault());
            } else {
                text = "create for " + owner + " returned nothing";
                meter(candidate).failed(PolicyCall.CREATE, FailureKind.VIOLATION);
                registry.health().failed(candidate, Asker.of(owner), text, false);
            }
            failed.accept(text);
        });
    }

    /** Parameters are for the policy that the owner names, not for one that decides in its place. */
    private boolean isParameterized(PolicyCandidate candidate) {
        return !parameters().isEmpty()
                && preference.selector().filter(candidate.name()::equals).isPresent();
    }

    private SortedMap<String, String> parameters() {
        return preference.choice().map(PolicyChoice::parameters).orElseGet(TreeMap::new);
    }

    private GivenConfiguration configuration(PolicyCandidate candidate) {
        return isParameterized(candidate) ? candidate.configuration().with(parameters()) : candidate.configuration();
    }

    private String ownParameters() {
        return "refuses the parameters of " + owner + ": ";
    }

    /** Runs a call into an instance that may ask its context how much time is left. */
    private static <R> R entered(OwnerContext context, Phases phases, Callable<R> call) throws Exception {
        context.entered(phases::remainingMillis);
        try {
            return call.call();
        } finally {
            context.left();
        }
    }

    @Override
    public <R> void call(
            Lease<S> lease, PolicyCall first, String what, Body<S, R> body, Consumer<R> done, Consumer<String> failed) {
        main.assertCurrent();
        S session = lease.session();
        CallDeadline deadline = registry.deadline(lease.candidate().registration());
        asked = Optional.of(lease.identity());
        record Timed<R>(R value, long nanos) {}
        var call = guard.call(
                owner.pool(),
                lease.candidate().registration(),
                first,
                what,
                deadline,
                phases -> {
                    long began = clock.nanos();
                    R value = entered(lease.context(), phases, () -> body.call(session, phases));
                    return new Timed<>(value, clock.nanos() - began);
                },
                made -> {});
        calls++;
        main.whenComplete(call, (outcome, never) -> {
            calls--;
            asked = Optional.empty();
            if (outcome instanceof CallOutcome.Returned<Timed<R>> returned) {
                judge(lease, what, returned.value().nanos() / 1_000_000, deadline);
                done.accept(returned.value().value());
            } else if (outcome instanceof CallOutcome.Refused<Timed<R>> refused) {
                fail(lease, what + " threw: " + refused.message(), CallOutcome.Fault.FAILED);
                failed.accept(what + " threw: " + refused.message());
            } else if (outcome instanceof CallOutcome.Failed<Timed<R>> failure) {
                fail(lease, failure.text(), failure.fault());
                failed.accept(failure.text());
            }
        });
    }

    private void judge(Lease<S> lease, String what, long millis, CallDeadline deadline) {
        long slowMillis = registry.limits().slowMillis(deadline.millis());
        if (millis > slowMillis && !deadline.isSuspended()) {
            String text = what + " took " + millis + " ms, more than " + slowMillis + " ms";
            slow = Optional.of(lease.candidate() + " is slow: " + text);
            registry.health().slow(lease.candidate(), lease.asker(), text);
        }
    }

    @Override
    public Optional<String> takeSlow() {
        Optional<String> told = slow;
        slow = Optional.empty();
        return told;
    }

    @Override
    public boolean hasOther(SortedMap<Long, String> excluded) {
        main.assertCurrent();
        return registry.selectToTry(kind, preference, owner).candidates().stream()
                        .filter(candidate -> !excluded.containsKey(candidate.id()))
                        .count()
                > 1;
    }

    @Override
    public void violated(Lease<S> lease, PolicyCall call, String violation) {
        meter(lease.candidate()).failed(call, FailureKind.VIOLATION);
        fail(lease, violation, CallOutcome.Fault.FAILED);
    }

    @Override
    public void decided(Lease<S> lease, long decision) {
        registry.health().succeeded(lease.candidate(), lease.asker());
        meter(lease.candidate()).decided();
        if (fellBack) {
            guard.meters().countFallback(kind);
        }
        watch.decided(lease.candidate(), lease.identity(), lease.fresh(), decision);
    }

    /** The owner committed a decision. */
    void committed(long decision, PlacementPlanner.Commit commit) {
        main.assertCurrent();
        vacantSince = OptionalLong.empty();
        watch.committed(decision, Optional.of(commit), commit.delayMicros());
    }

    /** A decision was returned to an owner without a ledger. Time without any policy counts as delay. */
    void committed(long decision, long dueNanos) {
        main.assertCurrent();
        long due = vacantSince.orElse(dueNanos);
        vacantSince = OptionalLong.empty();
        watch.committed(decision, Optional.empty(), (clock.nanos() - due) / 1_000);
    }

    /**
     * Compares with the registry between rounds. Drops a generation that is no longer the best one, so that nothing of
     * a removed bundle is kept.
     *
     * @return whether another policy decides from now on, one is available again, or one is to be tried again
     */
    boolean recheck() {
        main.assertCurrent();
        Optional<PolicyCandidate> before = preferred;
        Selection selection = registry.select(kind, preference, owner);
        preferred = selection.preferred();
        watch.update(selection);
        if (current.isPresent()
                && (preferred.isEmpty() || !current.get().candidate().same(preferred.get()))) {
            drop();
        }
        return before.isPresent() != preferred.isPresent()
                || before.isPresent() && !before.get().same(preferred.get())
                || registry.isToBeTried(kind, preference, Asker.of(owner));
    }

    /** Whether a round waits for the policy. */
    boolean isCalling() {
        return calls > 0;
    }

    /** Drops the generation; the next round opens a new one. */
    void drop() {
        drop(true);
    }

    private void drop(boolean close) {
        Optional<Generation<S>> dropped = current;
        current = Optional.empty();
        if (dropped.isEmpty()) {
            return;
        }
        Generation<S> generation = dropped.get();
        if (!close) {
            registry.end(generation.number());
            return;
        }
        S session = generation.session();
        var call = guard.call(
                owner.pool(),
                generation.candidate().registration(),
                PolicyCall.CLOSE,
                "close",
                registry.deadline(generation.candidate().registration()),
                phases -> {
                    closer.close(session);
                    return true;
                },
                made -> {});
        // Even if the main thread of the owner has ended by then.
        call.whenComplete((outcome, never) -> registry.end(generation.number()));
    }

    private PolicyMeter meter(PolicyCandidate candidate) {
        return guard.meters().of(candidate.registration());
    }

    private void fail(Lease<S> lease, String text, CallOutcome.Fault fault) {
        guard.meters().redone(kind);
        count(lease.candidate(), lease.asker(), text, fault);
        if (current.isPresent() && current.get().identity().equals(lease.identity())) {
            boolean hung = fault == CallOutcome.Fault.HUNG;
            // A hanging instance gets no further call.
            drop(!hung);
        }
    }

    private void count(PolicyCandidate candidate, Asker asker, String text, CallOutcome.Fault fault) {
        if (fault == CallOutcome.Fault.NO_THREAD) {
            registry.health().waited(candidate, text);
        } else {
            registry.health().failed(candidate, asker, text, fault == CallOutcome.Fault.HUNG);
        }
    }

    private static String note(String text, String separator, List<String> failures) {
        if (failures.isEmpty()) {
            return text;
        }
        String joined = String.join("; ", failures);
        return text.isEmpty() ? joined : text + separator + joined;
    }

    private Lease<S> lease(Asker asker, Generation<S> generation, boolean fresh, String note) {
        return new Lease<>(
                asker,
                generation.candidate(),
                generation.identity(),
                generation.configuration(),
                generation.context(),
                generation.session(),
                fresh,
                note,
                registry.considered(kind, preference, owner));
    }

    private String label() {
        return switch (kind) {
            case MATCHING -> "matching strategy";
            case DISTRIBUTION -> "distribution policy";
            case SCALING -> "scaling policy";
            case BACKEND -> "backend";
        };
    }

    /** The generation in use, for tests and logs. */
    Optional<PolicyIdentity> identity() {
        return current.map(Generation::identity);
    }
}
