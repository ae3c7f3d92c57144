/**
 * Settings of a worker. Immutable. Depends on no other package of this bundle; {@code connection} and the root package
 * depend on it.
 */
@NullMarked
package io.berth.worker.settings;

import org.jspecify.annotations.NullMarked;
