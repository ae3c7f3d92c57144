/**
 * The records of jobs in the metadata store, and the order of submission. Calls block, one at a time, on the store
 * thread of the Dispatcher. Uses no other subpackage; {@code state}, {@code placement} and the parent package use it.
 */
@NullMarked
package io.berth.core.dispatcher.store;

import org.jspecify.annotations.NullMarked;
