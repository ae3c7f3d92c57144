package io.berth.core.api.access;

import java.util.regex.Pattern;

/**
 * Who sends a request, as authentication found out.
 *
 * @param name as the submitter of a job, {@link #NAME_ALLOWED}
 */
public record User(String name, UserRole role) {

    /** Allowed names, as text for people. */
    public static final String NAME_ALLOWED = "1 to 64 letters, digits, '.', '_' and '-', the first a letter or digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** @throws IllegalArgumentException when the name is not allowed */
    public User {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name is not allowed: allowed are " + NAME_ALLOWED);
        }
    }

    /** Whether it is a name that a user may have. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Whether the user may change a job of that submitter. */
    public boolean mayChangeJobOf(String submitter) {
        return role.includes(UserRole.OPERATOR) || role.includes(UserRole.SUBMITTER) && name.equals(submitter);
    }

    @Override
    public String toString() {
        return name + " (" + role.label() + ")";
    }
}
