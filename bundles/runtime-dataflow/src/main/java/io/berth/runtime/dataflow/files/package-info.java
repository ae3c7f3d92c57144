/**
 * The built-in operators of the runtime: {@code file-source} and {@code file-sink}. Each operator is confined to the
 * thread of its task. Knows no other room and no room knows it: tasks find the operators as services.
 */
@NullMarked
package io.berth.runtime.dataflow.files;

import org.jspecify.annotations.NullMarked;
