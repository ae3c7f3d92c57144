/**
 * The role of the ResourceManager, one term of its leadership, and the gateway that workers and JobMasters call.
 * Gateway methods may be called on any thread and act on the main thread of the ResourceManager. Depends on every other
 * package but {@code explanation}; none of them depends on it.
 */
@NullMarked
package io.berth.core.resources;

import org.jspecify.annotations.NullMarked;
