/**
 * Packing of slots of several profiles on few workers. Like the package above, a policy bundle embeds it privately.
 * Nothing here is thread-safe: an object belongs to one session.
 */
@NullMarked
package io.berth.policy.support.packing;

import org.jspecify.annotations.NullMarked;
