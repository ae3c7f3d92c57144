/**
 * JSON lines, one object per line: the built-in operators {@code json-source} and {@code json-sink}. Each operator is confined to
 * the thread of its task. Knows {@code files}.
 */
@NullMarked
package io.berth.runtime.dataflow.files.json;

import org.jspecify.annotations.NullMarked;
