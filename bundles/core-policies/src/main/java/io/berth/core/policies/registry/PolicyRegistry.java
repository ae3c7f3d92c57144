package io.berth.core.policies.registry;

import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyMetrics.Times;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.OpenJobs;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.registration.Registration;
import io.berth.core.policies.registration.Selection;
import io.berth.core.policies.swap.SwapLog;
import io.berth.core.policies.text.LogLimit;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registered policies, their order, configuration and choice, on top of the table of policies, their trials and
 * their health. Thread-safe; no lock is held while foreign code or a listener runs.
 */
public final class PolicyRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyRegistry.class);

    private final Guard guard;
    private final PolicyTable table = new PolicyTable();
    private final RegistryEvents events;
    private final PolicyHealth health;
    private final PolicyTrials trials;
    private final LogLimit limit;
    private final Choices choices;
    private final OwnChoices owners = new OwnChoices();
    private final OpenJobs jobs = new OpenJobs();
    private volatile HostSettings settings;

    /**
     * @param main thread of events; its owner closes it
     * @param configurations returns the configuration of a PID; called on the thread of events
     */
    public PolicyRegistry(
            Guard guard,
            MainThread main,
            Clock clock,
            Function<String, SortedMap<String, String>> configurations,
            HostSettings settings) {
        this.guard = guard;
        this.settings = settings;
        this.choices = new Choices(clock, settings.choices(), this::choosing, this::chosen);
        this.events = new RegistryEvents(main, new SwapLog(clock, guard.meters()), choices::index, guard.meters());
        this.limit = new LogLimit(clock);
        this.health = new PolicyHealth(table, events, clock, limit, this::limits, this::isInDevelopment, this::tryOut);
        this.trials = new PolicyTrials(
                table, health, events, guard, clock, limit, configurations, this::deadline, this::endThreads);
    }

    /**
     * A factory was registered. It decides nothing before it was fetched, described and tried out with its
     * configuration.
     */
    public void add(Registration registration) {
        RegisteredPolicy entry = new RegisteredPolicy(registration);
        if (!table.add(entry)) {
            limit.line(registration.bundle())
                    .ifPresent(more -> LOG.warn(
                            "bundle {} offers more than {} policies at once: service {} is left out until it is"
                                    + " registered again{}",
                            registration.bundle(),
                            PolicyTable.MAX_OF_A_BUNDLE,
                            registration.id(),
                            more));
            return;
        }
        health.develop(entry);
        guard.meters().registered(registration);
        limit.line(registration.bundle())
                .ifPresent(more -> LOG.info(
                        "{} policy {} of bundle {} {} was registered (service {}, ranking {}){}",
                        registration.kind().label(),
                        registration.name(),
                        registration.bundle(),
                        registration.version(),
                        registration.id(),
                        registration.ranking(),
                        more));
        // On a thread of the host: a thread that is started here would inherit the caller's context.
        events.thread().execute(() -> trials.inspect(entry));
    }

    /** Ranking or properties changed. */
    public void updated(long id) {
        synchronized (table) {
            table.find(id).ifPresent(entry -> {
                int ranking = entry.registration.ranking();
                events.happened(entry, ranking == entry.ranking ? PolicyEvent.PROPERTIES : PolicyEvent.RANKING);
                entry.ranking = ranking;
            });
        }
        events.fire();
    }

    /** A factory was removed. Current rounds finish with it; it is released when its last generation is dropped. */
    public void remove(long id) {
        Optional<RegisteredPolicy> found;
        synchronized (table) {
            found = table.remove(id);
            found.ifPresent(entry -> events.happened(entry, PolicyEvent.UNINSTALL));
        }
        found.ifPresent(entry -> {
            limit.line(entry.registration.bundle())
                    .ifPresent(more -> LOG.info(
                            "{} policy {} of bundle {} {} was removed (service {}){}",
                            entry.registration.kind().label(),
                            entry.name,
                            entry.registration.bundle(),
                            entry.registration.version(),
                            id,
                            more));
            drop(entry);
            events.fire();
        });
    }

    private void drop(RegisteredPolicy entry) {
        boolean idle;
        synchronized (table) {
            if (!table.unused(entry)) {
                return;
            }
            idle = table.isIdle(entry.registration.guard());
        }
        entry.registration.release();
        guard.meters().unregistered(entry.registration);
        events.fire();
        if (idle) {
            guard.end(entry.registration.guard());
        }
    }

    private void endThreads(RegisteredPolicy entry) {
        boolean idle;
        synchronized (table) {
            idle = entry.removed && table.isIdle(entry.registration.guard());
        }
        if (idle) {
            guard.end(entry.registration.guard());
        }
    }

    /** The configuration of a PID changed: all policies of the bundle are tried out with it. */
    public void configurationChanged(String pid) {
        List<RegisteredPolicy> concerned = table.inspectedOf(pid);
        events.thread().execute(() -> concerned.forEach(trials::configure));
    }

    public void settings(HostSettings changed) {
        if (!settings.fallbacks().equals(changed.fallbacks())) {
            for (PolicyKind kind : PolicyKind.values()) {
                events.happened(kind, PolicyEvent.CONFIGURATION, "");
            }
        }
        settings = changed;
        // Before the choices, which may wait for the disk.
        List<RegisteredPolicy> untried = health.develop();
        events.thread().execute(() -> untried.forEach(trials::again));
        choices.configured(changed.choices());
        events.fire();
        warnOfUnmetChoices();
    }

    /** Of calls into one policy. */
    public CallDeadline deadline(Registration policy) {
        return new CallDeadline(settings.deadline(policy.kind()), () -> table.isInDevelopment(policy.id()));
    }

    public PolicyLimits limits() {
        return settings.limits();
    }

    public PolicyHealth health() {
        return health;
    }

    /** Limits what is logged about each bundle. */
    public LogLimit logLimit() {
        return limit;
    }

    public void listen(Runnable listener) {
        events.listen(listener);
    }

    public void forget(Runnable listener) {
        events.forget(listener);
    }

    private boolean isInDevelopment(PolicyKind kind, String name) {
        return settings.isInDevelopment(kind, name);
    }

    private void tryOut(RegisteredPolicy entry) {
        trials.again(entry);
    }

    /**
     * The candidates now: by the own choice or else the common one, then the fallbacks, then by ranking. Quarantines for
     * single pools do not count.
     */
    public Selection select(PolicyKind kind, Optional<String> own) {
        return select(kind, own, fallbacks(kind), Optional.empty(), false);
    }

    /** The candidates of an owner: its own choice and fallbacks count before the common ones. */
    public Selection select(PolicyKind kind, Preference own, DecisionOwner owner) {
        return select(kind, own, Optional.of(owner), false);
    }

    /** The same, including those that the owner may try again after a quarantine. */
    public Selection selectToTry(PolicyKind kind, Preference own, DecisionOwner owner) {
        return select(kind, own, Optional.of(owner), true);
    }

    private Selection select(PolicyKind kind, Preference own, Optional<DecisionOwner> owner, boolean tries) {
        return select(kind, own.selector(), own.fallbacks().orElseGet(() -> fallbacks(kind)), owner, tries);
    }

    private Selection select(
            PolicyKind kind,
            Optional<String> own,
            List<String> fallbacks,
            Optional<DecisionOwner> owner,
            boolean tries) {
        ChoiceRecord common = choices.current(kind);
        return own.filter(text -> !text.isBlank())
                .map(selector -> table.select(kind, selector, 0, fallbacks, owner, tries))
                .orElseGet(() -> table.select(kind, common.name(), common.index(), fallbacks, owner, tries));
    }

    private List<String> fallbacks(PolicyKind kind) {
        return settings.fallbacks().getOrDefault(kind, List.of());
    }

    /** Policies that are quarantined for the asking job, by their ids, with the reason. */
    public SortedMap<Long, String> quarantinedFor(PolicyKind kind, Asker asker) {
        return table.quarantinedFor(kind, asker);
    }

    /** Whether the owner should try a quarantined policy again that would otherwise decide for it. */
    public boolean isToBeTried(PolicyKind kind, Preference own, Asker asker) {
        return select(kind, own, asker.owner()).first()
                        != selectToTry(kind, own, asker.owner()).first()
                || table.isToBeTriedFor(kind, asker);
    }

    /** The pools that there are: failures of policies for others no longer count. */
    public void retainPools(Collection<String> pools) {
        table.retainPools(pools);
        guard.retainPools(pools);
    }

    /** A unit of a job has scaling decided from now on. */
    public void opened(JobId job) {
        jobs.add(job);
    }

    /**
     * A unit of a job has ended. After the last one, failures of policies for the job no longer count.
     *
     * @return whether it was the last one
     */
    public boolean closed(JobId job) {
        boolean last = jobs.remove(job);
        if (last) {
            table.forget(job);
        }
        return last;
    }

    /** See {@link io.berth.core.api.operations.PolicyOperations#use}. May wait for the disk. */
    public UseResult use(PolicyKind kind, String selector, OptionalLong expected, String by) {
        String wanted = selector.trim();
        checkThere(kind, wanted);
        return choices.use(kind, wanted, expected, by);
    }

    private void checkThere(PolicyKind kind, String wanted) {
        if (!wanted.isEmpty() && !table.matchesAny(kind, Selector.of(wanted))) {
            throw new IllegalArgumentException(
                    "there is no " + kind.label() + " policy '" + wanted + "': " + table.names(kind));
        }
    }

    /** See {@link io.berth.core.api.operations.PolicyOperations#revert}. May wait for the disk. */
    public UseResult revert(PolicyKind kind, OptionalLong expected, String by) {
        return choices.revert(kind, expected, by, before -> {
            if (!before.isEmpty() && !table.matchesAny(kind, Selector.withoutFilter(before))) {
                throw new IllegalArgumentException("the choice before was '" + before + "', which is not installed: "
                        + table.names(kind) + "; install it again, or 'policy use " + kind.label()
                        + " NAME' chooses another");
            }
        });
    }

    private void choosing(PolicyKind kind, ChoiceRecord choice) {
        PolicyEvent event = choice.reverted() ? PolicyEvent.REVERT : PolicyEvent.USE;
        Optional<PolicyIdentity> chosen = table.select(
                        kind, choice.name(), choice.index(), fallbacks(kind), Optional.empty(), false)
                .preferred()
                .map(candidate -> candidate.identity(0));
        events.swaps().chosen(kind, event, choice.by(), choice.index(), chosen);
    }

    private void chosen(PolicyKind kind, ChoiceRecord choice) {
        LOG.info(
                "{} policy chosen: {}, index {}, by {}",
                kind.label(),
                choice.name().isEmpty() ? "by ranking" : choice.name(),
                choice.index(),
                choice.by());
        events.fire();
    }

    public SwapLog swaps() {
        return events.swaps();
    }

    public Choices choices() {
        return choices;
    }

    /** The choices in force, with what prevents them from being followed. */
    public List<ChoiceDetails> choiceDetails() {
        return choices.details().stream()
                .map(choice -> choice.withObstacle(deciders(choice.kind()).obstacle()))
                .toList();
    }

    public List<PolicyDetails> details() {
        List<PolicyDetails> all = new ArrayList<>();
        synchronized (table) {
            for (PolicyKind kind : PolicyKind.values()) {
                all.addAll(table.details(kind, deciders(kind)));
            }
        }
        return all;
    }

    /** Whether a policy of the name is installed; thread-safe. */
    public boolean isInstalled(PolicyKind kind, String name) {
        return table.ordered(kind).stream().anyMatch(entry -> entry.name.equals(name));
    }

    /** What is wrong with parameters of a job for a policy; thread-safe. */
    public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
        return table.ordered(kind).stream()
                .filter(entry -> entry.name.equals(name))
                .findFirst()
                .map(entry -> entry.problems(parameters))
                .orElseGet(() -> List.of(new Problem("name", "'" + name + "'", "an installed policy")));
    }

    /** The configuration keys that policies describe, by PID. */
    public SortedMap<String, SortedMap<String, ConfigurationKey>> keys() {
        return table.keys();
    }

    public List<PolicyDiagnosis> diagnose() {
        List<PolicyDiagnosis> all = new ArrayList<>();
        synchronized (table) {
            for (PolicyKind kind : PolicyKind.values()) {
                Optional<ChoiceDetails> choice = choices.details().stream()
                        .filter(one -> one.kind() == kind)
                        .findFirst();
                all.addAll(table.diagnose(kind, deciders(kind), choice, this::times));
            }
        }
        return all;
    }

    private Times times(RegisteredPolicy entry) {
        return guard.meters()
                .policy(entry.registration.kind(), entry.name)
                .map(PolicyFigures::all)
                .orElse(Times.NONE);
    }

    private Deciders deciders(PolicyKind kind) {
        return Deciders.of(
                select(kind, Optional.empty()),
                owners.decided(kind, table.quarantinedPools(kind), (own, owner) -> select(kind, own, owner, false)));
    }

    /** A pool, or a job with a choice of its own, is there. */
    public void follows(PolicyKind kind, DecisionOwner owner, Preference choice) {
        owners.add(kind, owner, choice);
    }

    /** It is gone, or follows another choice. */
    public void stopsFollowing(PolicyKind kind, DecisionOwner owner, Preference choice) {
        owners.remove(kind, owner, choice);
    }

    /**
     * Why the choice that a pool makes does not decide for it, or why the common one does not decide for this pool only;
     * empty otherwise.
     */
    public String obstacle(PolicyKind kind, Preference own, String pool) {
        DecisionOwner owner = DecisionOwner.plans(pool);
        Selection selection = select(kind, own, owner);
        if (own.selector().isPresent()) {
            return selection.obstacle();
        }
        if (selection.first() == select(kind, own, Optional.empty(), false).first()) {
            return "";
        }
        return selection.obstacle().isEmpty()
                ? "does not decide (" + String.join("; ", quarantined(kind, owner)) + "): "
                        + (selection.candidates().isEmpty()
                                ? "nobody"
                                : selection.candidates().get(0).name())
                        + " decides in its place"
                : selection.obstacle();
    }

    /** One line for each choice that no installed or no ready policy fits. */
    List<String> unmetChoices() {
        List<String> unmet = new ArrayList<>();
        for (ChoiceDetails choice : choices.details()) {
            Selection selection = select(choice.kind(), Optional.empty());
            if (!selection.note().isEmpty()) {
                unmet.add(selection.note() + "; " + table.names(choice.kind()) + "; 'policy use "
                        + choice.kind().label() + " NAME' or configuration io.berth.core.policies chooses another");
            }
        }
        return unmet;
    }

    /** One line for each name of a policy in development that no installed policy has. */
    List<String> unmetDevelopment() {
        List<String> unmet = new ArrayList<>();
        settings.development()
                .forEach((kind, names) -> names.stream()
                        .filter(name -> table.ordered(kind).stream().noneMatch(entry -> entry.name.equals(name)))
                        .forEach(name -> unmet.add("development." + kind.label() + " names " + name
                                + ", which is not there; " + table.names(kind))));
        return unmet;
    }

    public void warnOfUnmetChoices() {
        unmetChoices().forEach(LOG::warn);
        unmetDevelopment().forEach(LOG::warn);
    }

    public boolean present(long id) {
        return table.find(id).isPresent();
    }

    /**
     * Counts a user of the candidate and numbers its generation; empty when it was removed or quarantined meanwhile.
     */
    public Optional<Long> begin(PolicyCandidate candidate, DecisionOwner owner) {
        synchronized (table) {
            Optional<Long> number = table.begin(candidate, owner);
            table.find(candidate.id()).ifPresent(entry -> health.begins(entry, owner));
            return number;
        }
    }

    /** The generation is no longer used. */
    public void end(long generation) {
        table.end(generation).ifPresent(this::drop);
    }

    /**
     * A policy that is used beside those that decide: it is not released before its users release it.
     *
     * @param keys that it describes
     * @param release called once
     */
    public record Held(PolicyCandidate candidate, List<ConfigurationKey> keys, Runnable release) {}

    /** The best policy of a name, whether it may decide or not; empty when it is not there or cannot be created. */
    public Optional<Held> hold(PolicyKind kind, String name) {
        synchronized (table) {
            return table.hold(kind, name).map(this::held);
        }
    }

    /** As {@link #hold(PolicyKind, String)}, by service id. */
    public Optional<Held> hold(long id) {
        synchronized (table) {
            return table.hold(id).map(this::held);
        }
    }

    private Held held(RegisteredPolicy entry) {
        return new Held(entry.candidate(), entry.keys, () -> drop(entry));
    }

    /**
     * Checks that an instance of a policy could be created.
     *
     * @throws IllegalArgumentException names the policies that are installed, or what is wrong with it
     */
    public void requireUsable(PolicyKind kind, String name) {
        if (name.startsWith("(")) {
            throw new IllegalArgumentException("'" + name + "' is a filter: the name of one policy is allowed");
        }
        checkThere(kind, name);
        Optional<Held> found = hold(kind, name);
        found.ifPresent(held -> held.release().run());
        if (found.isEmpty()) {
            throw new IllegalArgumentException(kind.label() + " " + name + " " + table.absence(kind, name));
        }
    }

    /** All policies in the order in which they are called; see {@link #select}. */
    public List<PolicyAlternative> considered(PolicyKind kind, Preference own, DecisionOwner owner) {
        return table.considered(
                kind,
                own.selector().orElse(choices.name(kind)),
                own.fallbacks().orElseGet(() -> fallbacks(kind)),
                owner);
    }

    /** For each policy that an owner must do without, its name, why, since when and until when. */
    public List<String> quarantined(PolicyKind kind, DecisionOwner owner) {
        return table.quarantined(kind, owner);
    }

    public int generationsInUse() {
        return table.generationsInUse();
    }

    /** The factory rejected the configuration that it had accepted in a trial: returns to the previous one. */
    public void refused(PolicyCandidate candidate, String message) {
        trials.refused(candidate, message);
    }

    public void release(PolicyKind kind, String name, String by) {
        List<RegisteredPolicy> untried = health.release(kind, name, by);
        events.thread().execute(() -> untried.forEach(trials::again));
    }
}
