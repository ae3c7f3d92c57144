package io.berth.ops.rest;

import java.util.concurrent.CompletionStage;

/** Waits for an operation, at most for the answer timeout. */
interface Waiting {

    /** @throws RefusedException when there is no outcome in time, or the operation failed */
    <T> T await(CompletionStage<T> stage);
}
