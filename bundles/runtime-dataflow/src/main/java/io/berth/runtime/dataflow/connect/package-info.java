/**
 * The built-in operators that need no files: {@code generator}, {@code print-sink} and {@code socket-source}. Each operator is
 * confined to the thread of its task. Knows no other room and no room knows it: tasks find the operators as services.
 */
@NullMarked
package io.berth.runtime.dataflow.connect;

import org.jspecify.annotations.NullMarked;
