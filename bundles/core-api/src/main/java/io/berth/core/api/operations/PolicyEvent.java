package io.berth.core.api.operations;

import java.util.Locale;

/** An event of a policy, or of the choice for a kind, that may change which policy decides. */
public enum PolicyEvent {
    INSTALL,
    START,
    STOP,
    REFRESH,
    UPDATE,
    UNINSTALL,
    RANKING,
    PROPERTIES,
    CONFIGURATION,
    QUARANTINE,
    /** The policy was tried again after a quarantine, with success. */
    RECOVERY,
    RELEASE,
    USE,
    REVERT,
    UNKNOWN;

    /** The name that users see. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
