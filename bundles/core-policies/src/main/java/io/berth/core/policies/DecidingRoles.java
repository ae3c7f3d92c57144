package io.berth.core.policies;

import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The roles that call policies of a kind: a choice takes effect in the process that leads one of them. Thread-safe. */
final class DecidingRoles {

    private volatile Optional<RoleOperations> roles = Optional.empty();

    void found(RoleOperations found) {
        roles = Optional.of(found);
    }

    void lost(RoleOperations lost) {
        roles = roles.filter(there -> there != lost);
    }

    /**
     * Checks that a choice in this process would have an effect.
     *
     * @throws IllegalArgumentException when only other processes decide by it; names them
     */
    void check(PolicyKind kind) {
        check(
                of(kind),
                "this process decides nothing by a " + kind.label()
                        + " policy, so a choice here would have no effect: ",
                "; choose in the shell of that process, with 'berth:policy-use " + kind.label() + " NAME'");
    }

    /**
     * Checks that this process makes the decisions that a policy of the kind can shadow.
     *
     * @throws IllegalArgumentException when only another process does; names it
     */
    void checkShadow(PolicyKind kind) {
        boolean ofJobs = kind == PolicyKind.SCALING;
        check(
                of(ofJobs ? kind : PolicyKind.DISTRIBUTION),
                "this process makes no decisions of " + (ofJobs ? "jobs" : "pools")
                        + ", so it has no shadows of them: ",
                "; use the shell of that process, with 'berth:policy-shadow " + kind.label() + " NAME'");
    }

    private void check(List<String> names, String refusal, String next) {
        List<RoleDetails> deciding = roles.map(RoleOperations::roles).orElse(List.of()).stream()
                .filter(role -> names.contains(role.role()))
                .toList();
        boolean here = deciding.stream().anyMatch(role -> role.here().equals(Here.LEADS.label()));
        List<RoleDetails> elsewhere =
                deciding.stream().filter(role -> !role.leader().isEmpty()).toList();
        if (!here && !elsewhere.isEmpty()) {
            throw new IllegalArgumentException(refusal
                    + elsewhere.stream()
                            .map(role -> "role " + role.role() + " is led by " + role.leader())
                            .collect(Collectors.joining(", "))
                    + next);
        }
    }

    private static List<String> of(PolicyKind kind) {
        return switch (kind) {
            case MATCHING -> List.of(EndpointName.RESOURCE_MANAGER.value(), EndpointName.JOB_MASTERS.value());
            case DISTRIBUTION, BACKEND -> List.of(EndpointName.RESOURCE_MANAGER.value());
            case SCALING -> List.of(EndpointName.JOB_MASTERS.value());
        };
    }
}
