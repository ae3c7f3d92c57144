package io.berth.simulator.fault;

/** Searches a task that commits long after its job has restarted, because its worker was paused. */
public final class PausedCommitSearch extends SceneSearch {

    public PausedCommitSearch() {
        super(WorstBatchTest::commitAfterAPause);
    }
}
