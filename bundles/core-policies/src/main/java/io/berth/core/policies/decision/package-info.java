/**
 * Makes decisions about placement, assignment and scaling, and records them. Each decider is confined to a main thread
 * of its own; the log is thread-safe. Uses all packages but {@code backends} and {@code framework}.
 */
@NullMarked
package io.berth.core.policies.decision;

import org.jspecify.annotations.NullMarked;
