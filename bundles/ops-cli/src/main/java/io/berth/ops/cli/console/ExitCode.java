package io.berth.ops.cli;

/** What the process tells its caller. */
final class ExitCode {

    static final int DONE = 0;
    /** The job failed or was canceled; or the control plane failed. */
    static final int FAILED = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_REACHABLE = 3;
    /** What is asked for does not fit this cluster. */
    static final int CANNOT_RUN = 4;

    private ExitCode() {}
}
