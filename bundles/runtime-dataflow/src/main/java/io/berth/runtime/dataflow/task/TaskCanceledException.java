package io.berth.runtime.dataflow.task;

/** Ends the work of a task that is canceled. */
final class TaskCanceledException extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
