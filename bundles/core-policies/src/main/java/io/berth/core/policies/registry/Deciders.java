package io.berth.core.policies.registry;

import io.berth.core.policies.registration.Selection;
import io.berth.core.policies.registry.OwnChoices.Owned;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which policies of a kind decide.
 *
 * @param first service id of the one that decides for those who follow the common choice, -1 when there is none
 * @param owned which ones decide for other owners: those with a choice of their own, and pools for which the common one is
 *     quarantined
 * @param obstacle why the common choice could not be followed for all; empty otherwise
 */
record Deciders(PolicyKind kind, long first, List<Owned> owned, String obstacle) {

    Deciders {
        owned = List.copyOf(owned);
    }

    /**
     * Finds them.
     *
     * @param common the candidates without regard to quarantines for single pools
     * @param owners all that are known
     */
    static Deciders of(Selection common, List<Owned> owners) {
        List<Owned> following = owners.stream().filter(Owned::followsCommon).toList();
        long first = following.stream()
                .map(Owned::first)
                .filter(id -> id == common.first())
                .findFirst()
                .orElse(following.isEmpty() ? common.first() : following.get(0).first());
        List<Owned> owned = new ArrayList<>(owners);
        owned.removeIf(one -> one.followsCommon() && one.first() == first);
        Optional<String> own = following.stream()
                .map(Owned::obstacle)
                .filter(obstacle -> !obstacle.isEmpty())
                .findFirst();
        return new Deciders(
                common.kind(), first, owned, common.obstacle().isEmpty() ? own.orElse("") : common.obstacle());
    }

    boolean include(RegisteredPolicy entry) {
        return kind == PolicyKind.BACKEND
                ? entry.generation > 0
                : entry.registration.id() == first
                        || owned.stream().anyMatch(one -> one.first() == entry.registration.id());
    }
}
