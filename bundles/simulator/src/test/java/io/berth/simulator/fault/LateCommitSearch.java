package io.berth.simulator.fault;

/** Searches a task that commits after it was canceled. */
public final class LateCommitSearch extends SceneSearch {

    public LateCommitSearch() {
        super(WorstBatchTest::commitAfterTheCancellation);
    }
}
