/**
 * The keyed state of one subtask: tables of values by key group, key and name. Confined to the thread of its task.
 * Knows no other room; only {@code task} knows it.
 */
@NullMarked
package io.berth.runtime.dataflow.state;

import org.jspecify.annotations.NullMarked;
