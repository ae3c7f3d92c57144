/**
 * The operators that every worker has, as one list for programs without OSGi. Immutable. Knows {@code files} with its rooms and
 * {@code connect}; no room knows it, because in a worker they are services.
 */
@NullMarked
package io.berth.runtime.dataflow.builtin;

import org.jspecify.annotations.NullMarked;
