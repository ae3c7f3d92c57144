package io.berth.spi.signatures;

/**
 * One exported type or member.
 *
 * @param key what it is found by: the type, or the type with the member's name and parameters
 * @param role who implements its type
 * @param text the declaration
 */
record Signature(String key, Role role, String text) {

    /** Who implements a type, in the words of the list. */
    enum Role {
        /** Whoever uses the package: {@code @ConsumerType}, and every open type that says nothing. */
        CONSUMER,
        /** Whoever provides the package: {@code @ProviderType}. */
        PROVIDER,
        /** Nobody else: final, sealed, record, enum. */
        CLOSED,
        /** An annotation: whoever writes it down gives its elements. */
        ANNOTATION
    }

    static final String WITH_DEFAULT = " (has a default)";
    private static final String SEPARATOR = " | ";

    static Signature parse(String line) {
        String[] parts = line.split(" \\| ", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException("signature '" + line + "': expected KEY | ROLE | DECLARATION");
        }
        return new Signature(parts[0], Role.valueOf(parts[1]), parts[2]);
    }

    String line() {
        return key + SEPARATOR + role + SEPARATOR + text;
    }

    boolean isType() {
        return text.contains("interface " + key)
                || text.contains("class " + key)
                || text.contains("record " + key)
                || text.contains("enum " + key);
    }

    /** Whether existing code that implements or annotates misses it. */
    boolean mustBeImplemented() {
        boolean open = role == Role.CONSUMER || role == Role.ANNOTATION;
        return !isType() && open && text.contains(" abstract ") && !text.endsWith(WITH_DEFAULT);
    }
}
