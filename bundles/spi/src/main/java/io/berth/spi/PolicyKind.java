package io.berth.spi;

/** The kinds of policy that a bundle can bring. Kinds may be added: a {@code switch} of yours needs a default. */
public enum PolicyKind {
    MATCHING("matching"),
    DISTRIBUTION("distribution"),
    SCALING("scaling"),
    BACKEND("backend");

    private final String label;

    PolicyKind(String label) {
        this.label = label;
    }

    /** The word used in configuration, commands and capabilities. */
    public String label() {
        return label;
    }
}
