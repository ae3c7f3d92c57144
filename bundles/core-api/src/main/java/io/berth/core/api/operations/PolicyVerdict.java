package io.berth.core.api.operations;

import java.util.Locale;

/** Whether a policy decides, or the reason why not. */
public enum PolicyVerdict {
    DECIDING,
    /** It could decide; {@link #OUTRANKED} and {@link #FILTERED_OUT} are more specific. */
    READY,
    OUTRANKED,
    FILTERED_OUT,
    QUARANTINED,
    CONFIGURATION_REFUSED,
    CANNOT_BE_USED,
    BEING_CHECKED,
    NOT_RESOLVED,
    NOT_STARTED,
    NOT_REGISTERED;

    /** The name that users see. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
