package io.berth.itests;

import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Generates random swaps from a seed. Each one changes which policy decides, and predicts the new decider by its own
 * rules, without asking the host. The choice decides while its policy exists, otherwise the policy with the highest
 * ranking.
 */
final class SwapScript {

    /** Ways to swap. */
    enum Action {
        INSTALL,
        UPDATE,
        UNINSTALL,
        RANKING,
        CONFIGURATION,
        USE
    }

    /**
     * One swap.
     *
     * @param policy that is changed or chosen; empty to choose by ranking
     * @param decider the policy that decides afterwards
     * @param version of its bundle
     */
    record Swap(
            PolicyKind kind,
            Action action,
            String policy,
            String policyVersion,
            int number,
            String decider,
            String version) {}

    private static final class Policy {
        final String name;
        final boolean shipped;
        /** Whether it has a ranking and a configuration to change. */
        final boolean changeable;

        boolean installed;
        int ranking;
        String version;

        Policy(String name, boolean shipped, boolean changeable, int ranking, String version) {
            this.name = name;
            this.shipped = shipped;
            this.changeable = changeable;
            this.installed = shipped;
            this.ranking = ranking;
            this.version = version;
        }
    }

    private static final class Kind {
        final Map<String, Policy> policies = new LinkedHashMap<>();
        String choice = "";

        Kind(Policy... all) {
            for (Policy policy : all) {
                policies.put(policy.name, policy);
            }
        }

        Policy byRanking() {
            return policies.values().stream()
                    .filter(policy -> policy.installed)
                    .max(Comparator.comparingInt(policy -> policy.ranking))
                    .orElseThrow();
        }

        boolean isChosen() {
            return Optional.ofNullable(policies.get(choice))
                    .filter(policy -> policy.installed)
                    .isPresent();
        }

        Policy decider() {
            return isChosen() ? policies.get(choice) : byRanking();
        }
    }

    private final Random random;
    private final Map<PolicyKind, Kind> kinds = new EnumMap<>(PolicyKind.class);
    private int number;

    SwapScript(long seed, String shippedVersion) {
        random = new Random(seed);
        kinds.put(
                PolicyKind.MATCHING,
                new Kind(
                        new Policy("first-fit", true, false, 100, shippedVersion),
                        new Policy("spread", true, false, 50, shippedVersion),
                        new Policy(SoakBundles.SAMPLE, false, false, 0, ""),
                        new Policy("soak-one", false, true, 0, ""),
                        new Policy("soak-two", false, true, 0, "")));
        kinds.put(
                PolicyKind.DISTRIBUTION,
                new Kind(
                        new Policy("fifo", true, false, 100, shippedVersion),
                        new Policy("soak-queue", false, true, 0, ""),
                        new Policy("soak-other", false, true, 0, "")));
    }

    Swap next() {
        number++;
        PolicyKind kind = random.nextInt(3) == 0 ? PolicyKind.DISTRIBUTION : PolicyKind.MATCHING;
        List<Action> actions = new ArrayList<>(List.of(Action.values()));
        Collections.shuffle(actions, random);
        for (Action action : actions) {
            Optional<Policy> acted = act(kinds.get(kind), action);
            if (acted.isPresent()) {
                Policy decider = kinds.get(kind).decider();
                String policy = action == Action.USE ? kinds.get(kind).choice : acted.get().name;
                int value = action == Action.CONFIGURATION ? number : acted.get().ranking;
                return new Swap(kind, action, policy, acted.get().version, value, decider.name, decider.version);
            }
        }
        throw new IllegalStateException("nothing to swap");
    }

    private Optional<Policy> act(Kind kind, Action action) {
        Policy decider = kind.decider();
        return switch (action) {
            case USE -> choose(kind, decider);
            case INSTALL -> install(kind);
            case RANKING -> rank(kind, decider);
            case UPDATE ->
                Optional.of(decider).filter(policy -> !policy.shipped).map(policy -> {
                    policy.version = "1.0." + number;
                    return policy;
                });
            case UNINSTALL ->
                Optional.of(decider).filter(policy -> !policy.shipped).map(policy -> {
                    policy.installed = false;
                    return policy;
                });
            case CONFIGURATION -> Optional.of(decider).filter(policy -> policy.changeable);
        };
    }

    private Optional<Policy> choose(Kind kind, Policy decider) {
        List<String> choices = new ArrayList<>(kind.policies.values().stream()
                .filter(policy -> policy.installed && policy != decider)
                .map(policy -> policy.name)
                .toList());
        if (kind.byRanking() != decider) {
            // Often, because rankings and new policies count only then.
            choices.addAll(Collections.nCopies(choices.size(), ""));
        }
        if (choices.isEmpty()) {
            return Optional.empty();
        }
        kind.choice = choices.get(random.nextInt(choices.size()));
        return Optional.of(kind.decider());
    }

    /** A chosen policy that was removed returns, or a policy with the highest ranking is added. */
    private Optional<Policy> install(Kind kind) {
        if (kind.isChosen()) {
            return Optional.empty();
        }
        List<Policy> absent = kind.policies.values().stream()
                .filter(policy -> !policy.installed)
                .filter(policy -> policy.changeable || policy.name.equals(kind.choice))
                .toList();
        if (absent.isEmpty()) {
            return Optional.empty();
        }
        Policy policy = absent.get(random.nextInt(absent.size()));
        policy.installed = true;
        policy.ranking = policy.changeable ? 1_000 + number : 0;
        policy.version = "1.0." + number;
        return Optional.of(policy);
    }

    private Optional<Policy> rank(Kind kind, Policy decider) {
        if (kind.isChosen()) {
            return Optional.empty();
        }
        if (decider.changeable) {
            decider.ranking = -number;
            return Optional.of(decider);
        }
        Optional<Policy> other = kind.policies.values().stream()
                .filter(policy -> policy.installed && policy.changeable)
                .findFirst();
        other.ifPresent(policy -> policy.ranking = 1_000 + number);
        return other;
    }
}
