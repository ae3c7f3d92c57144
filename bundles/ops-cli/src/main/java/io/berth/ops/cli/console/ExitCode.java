package io.berth.ops.cli.console;

/** Exit codes of the process. */
public final class ExitCode {

    public static final int DONE = 0;
    /** The job failed or was canceled; or the control plane failed. */
    public static final int FAILED = 1;

    public static final int BAD_INPUT = 2;
    public static final int NOT_REACHABLE = 3;
    /** The request does not fit this cluster. */
    public static final int CANNOT_RUN = 4;

    private ExitCode() {}
}
