package io.berth.ops.health;

import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.rpc.EndpointName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges a process by what it does for the roles of the control plane. Stateless. */
final class ProcessHealth {

    /**
     * What is wrong; it is well when nothing is.
     *
     * @param well the word for it when nothing is wrong
     */
    record Health(String well, List<String> problems) {

        boolean isWell() {
            return problems.isEmpty();
        }
    }

    private ProcessHealth() {}

    /** It answers. A process that cannot go on ends itself. */
    static Health live() {
        return new Health("live", List.of());
    }

    /**
     * Whether it does its part: it leads each role that it is a candidate for, or stands by for a leader.
     *
     * @param roles empty when they are not known yet
     * @param serves whether jobs can be submitted here
     */
    static Health ready(Optional<List<RoleDetails>> roles, boolean serves) {
        List<RoleDetails> own = roles.orElse(List.of()).stream()
                .filter(role -> !is(role, Here.NONE))
                .toList();
        List<String> problems = new ArrayList<>();
        if (own.isEmpty()) {
            problems.add("no role has started");
        }
        for (RoleDetails role : own) {
            if (is(role, Here.WAITS) && role.leader().isEmpty()) {
                problems.add("role " + role.role() + " has no leader");
            } else if (isUnserved(role, serves)) {
                problems.add("role " + role.role() + " recovers its jobs");
            }
        }
        return new Health("ready", problems);
    }

    /**
     * Whether it leads a role, and serves; empty when there is no such role.
     *
     * @param roles empty when they are not known yet
     */
    static Optional<Health> leader(String name, Optional<List<RoleDetails>> roles, boolean serves) {
        if (roles.isEmpty()) {
            return Optional.of(new Health("leads", List.of("no role has started")));
        }
        return roles.get().stream()
                .filter(role -> role.role().equals(name))
                .findFirst()
                .map(role -> new Health("leads", leads(role, serves)));
    }

    private static List<String> leads(RoleDetails role, boolean serves) {
        if (is(role, Here.NONE)) {
            return List.of("this process is no candidate for role " + role.role());
        }
        if (is(role, Here.WAITS)) {
            return List.of("this process is a standby for role " + role.role());
        }
        return isUnserved(role, serves) ? List.of("role " + role.role() + " recovers its jobs") : List.of();
    }

    private static boolean isUnserved(RoleDetails role, boolean serves) {
        return is(role, Here.LEADS) && role.role().equals(EndpointName.DISPATCHER.value()) && !serves;
    }

    private static boolean is(RoleDetails role, Here here) {
        return role.here().equals(here.label());
    }
}
