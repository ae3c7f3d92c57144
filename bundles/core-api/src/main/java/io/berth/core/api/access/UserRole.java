package io.berth.core.api.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a user may do. Each role may do all that those before it may. */
public enum UserRole {
    /** Sees everything but tokens, and changes nothing. */
    VIEWER,
    /** Submits jobs, and cancels and scales jobs of their own. */
    SUBMITTER,
    /** Acts for every submitter, and changes workers and policies. */
    OPERATOR,
    /** Makes and revokes tokens. */
    ADMIN;

    /** The name for people and scripts. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with that label; empty when there is none. */
    public static Optional<UserRole> of(String label) {
        return Arrays.stream(values())
                .filter(role -> role.label().equals(label))
                .findFirst();
    }

    /** The labels of all roles, for messages about others. */
    public static String allowed() {
        return Arrays.stream(values()).map(UserRole::label).collect(Collectors.joining(", "));
    }

    /** Whether this role may do all that the other one may. */
    public boolean includes(UserRole other) {
        return compareTo(other) >= 0;
    }
}
