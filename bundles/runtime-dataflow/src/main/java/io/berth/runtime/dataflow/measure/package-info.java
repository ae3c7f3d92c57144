/**
 * What the thread of a task counts while it works, for other threads to read: records, and the times in which it waits.
 * One thread writes, any thread reads; nothing is locked. Knows no other room.
 */
@NullMarked
package io.berth.runtime.dataflow.measure;

import org.jspecify.annotations.NullMarked;
