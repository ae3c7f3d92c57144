/**
 * What distribution policies share: what units lack, the room of a pool by sums, fair order below queues, and a limit to
 * how long a unit waits. A policy bundle embeds this package privately, as it does with the package above. Nothing here is
 * thread-safe: an object belongs to one session.
 */
@NullMarked
package io.berth.policy.support.distribution;

import org.jspecify.annotations.NullMarked;
