/**
 * Workers that take no slots for a while, because an operator says so or because they refused slots (FLIP-224).
 * Confined to the main thread of the ResourceManager. Knows {@code state} only; {@code planning} and the root know it.
 */
@NullMarked
package io.berth.core.resources.blocklist;

import org.jspecify.annotations.NullMarked;
