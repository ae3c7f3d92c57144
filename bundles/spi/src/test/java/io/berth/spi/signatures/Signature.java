package io.berth.spi.signatures;

/**
 * One exported type or member.
 *
 * @param key what identifies it: the type, or the type with the member's name and parameters
 * @param role who implements its type
 * @param text the declaration
 */
record Signature(String key, Role role, String text) {

    /** Who implements a type, as written in the list. */
    enum Role {
        /** Users of the package implement it: {@code @ConsumerType}, and every open type without an annotation. */
        CONSUMER,
        /** Providers of the package implement it: {@code @ProviderType}. */
        PROVIDER,
        /** Nobody else can implement it: final, sealed, record, enum. */
        CLOSED,
        /** An annotation: those who use it give its elements. */
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

    /** Whether existing code that implements or annotates it would break without it. */
    boolean mustBeImplemented() {
        boolean open = role == Role.CONSUMER || role == Role.ANNOTATION;
        return !isType() && open && text.contains(" abstract ") && !text.endsWith(WITH_DEFAULT);
    }
}
