package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import org.jspecify.annotations.Nullable;

/** Reads one value. */
interface Reading {

    @Nullable
    Object read(RecordInput in);
}
