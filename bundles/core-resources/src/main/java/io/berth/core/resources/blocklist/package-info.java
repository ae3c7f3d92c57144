/**
 * Workers that receive no slots for a time, because an operator blocked them or because they refused slots (FLIP-224);
 * and the list for JobMasters, with the workers that leave. Confined to the main thread of the ResourceManager. Depends on {@code state} only; {@code planning} and the root
 * depend on it.
 */
@NullMarked
package io.berth.core.resources.blocklist;

import org.jspecify.annotations.NullMarked;
