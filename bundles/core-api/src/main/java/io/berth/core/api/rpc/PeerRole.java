package io.berth.core.api.rpc;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a process of the cluster does. It is in its certificate, and decides which calls it may make. */
public enum PeerRole {
    /** Serves the Dispatcher or the ResourceManager, and acts for operators. */
    CONTROL_PLANE("control-plane"),
    /** Runs JobMasters. */
    JOB_MASTER("job-master"),
    /** Runs tasks, with code of users. */
    WORKER("worker");

    private final String text;

    PeerRole(String text) {
        this.text = text;
    }

    /** The role with that text; empty when there is none. */
    public static Optional<PeerRole> of(String text) {
        return Arrays.stream(values()).filter(role -> role.text.equals(text)).findFirst();
    }

    /** The texts of all roles, for messages about others. */
    public static String allowed() {
        return Arrays.stream(values()).map(role -> role.text).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return text;
    }
}
