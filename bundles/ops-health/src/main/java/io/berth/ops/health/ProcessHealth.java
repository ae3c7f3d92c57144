package io.berth.ops.health;

import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.rpc.EndpointName;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges a process by what it does for the roles of the control plane. The results are what is wrong: nothing when all is
 * well. Stateless.
 */
final class ProcessHealth {

    private ProcessHealth() {}

    /**
     * Whether it does its part: it leads each role that it is a candidate for, or is a standby of a leader.
     *
     * @param roles empty when they are not known yet
     * @param serves whether the jobs are read, so that calls about them are answered here
     */
    static List<String> ready(List<RoleDetails> roles, boolean serves) {
        List<RoleDetails> own =
                roles.stream().filter(role -> !is(role, Here.NONE)).toList();
        if (own.isEmpty()) {
            return List.of("no role has started");
        }
        List<String> problems = new ArrayList<>();
        for (RoleDetails role : own) {
            if (is(role, Here.WAITS) && role.leader().isEmpty()) {
                problems.add("role " + role.role() + " has no leader");
            } else if (isReading(role, serves)) {
                problems.add("role " + role.role() + " has not read its jobs");
            }
        }
        return problems;
    }

    /**
     * Whether it leads a role and serves.
     *
     * @param roles empty when they are not known yet
     */
    static List<String> leader(String name, List<RoleDetails> roles, boolean serves) {
        for (RoleDetails role : roles) {
            if (!role.role().equals(name) || is(role, Here.NONE)) {
                continue;
            }
            if (is(role, Here.WAITS)) {
                return List.of("this process is a standby for role " + name);
            }
            return isReading(role, serves) ? List.of("role " + name + " has not read its jobs") : List.of();
        }
        return List.of("this process is no candidate for role " + name);
    }

    private static boolean isReading(RoleDetails role, boolean serves) {
        return is(role, Here.LEADS) && role.role().equals(EndpointName.DISPATCHER.value()) && !serves;
    }

    private static boolean is(RoleDetails role, Here here) {
        return role.here().equals(here.label());
    }
}
