/**
 * Makes decisions about placement, assignment and scaling with the policies in charge, and remembers them. Each
 * decider is confined to a main thread of its own; the log is thread-safe. Knows all rooms but {@code backends} and
 * {@code framework}.
 */
@NullMarked
package io.berth.core.policies.decision;

import org.jspecify.annotations.NullMarked;
