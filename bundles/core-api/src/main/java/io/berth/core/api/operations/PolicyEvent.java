package io.berth.core.api.operations;

import java.util.Locale;

/** What happens to a policy, or to the choice of a kind, and may change who decides. */
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
    /** It was tried again after a quarantine, and that went well. */
    RECOVERY,
    RELEASE,
    USE,
    REVERT,
    UNKNOWN;

    /** As users see it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
