package io.berth.runtime.dataflow.task;

/** Ends the work of a canceled task. */
final class TaskCanceledException extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
