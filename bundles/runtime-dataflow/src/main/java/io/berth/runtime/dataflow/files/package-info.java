/**
 * Files as sources and sinks, and the built-in operators {@code file-source} and {@code file-sink}. What the formats in the rooms
 * {@code csv} and {@code json} share is public. Each operator is confined to the thread of its task. Knows no other room, and the
 * rest of the runtime does not know it: tasks find the operators as services.
 */
@NullMarked
package io.berth.runtime.dataflow.files;

import org.jspecify.annotations.NullMarked;
