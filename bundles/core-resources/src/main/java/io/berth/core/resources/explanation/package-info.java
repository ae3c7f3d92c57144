/**
 * Why a job does not get the slots that it requires, as a tree of reasons. Collects on the main thread of the
 * ResourceManager and analyzes immutable copies on other threads. Knows {@code backends} and {@code state}; only
 * {@code planning} knows it.
 */
@NullMarked
package io.berth.core.resources.explanation;

import org.jspecify.annotations.NullMarked;
