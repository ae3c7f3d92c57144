package io.berth.spi;

/** The kinds of policy that a bundle can provide. Kinds may be added, so a {@code switch} needs a default. */
public enum PolicyKind {
    /** Which slot or worker fulfills which requirement: {@link io.berth.spi.matching}. */
    MATCHING("matching"),
    /** Which demands compete for capacity, in which order: {@link io.berth.spi.distribution}. */
    DISTRIBUTION("distribution"),
    /** How many slots a job uses: {@link io.berth.spi.scaling}. */
    SCALING("scaling"),
    /** Where workers come from: {@link io.berth.spi.backend}. */
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
