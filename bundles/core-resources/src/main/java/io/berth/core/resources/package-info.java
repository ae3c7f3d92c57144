/**
 * The role of the ResourceManager, one term of its leadership, and the gateway that workers and JobMasters call.
 * Gateway methods may be called on any thread and act on the main thread of the ResourceManager. Knows every other
 * room but {@code explanation}; none of them knows it.
 */
@NullMarked
package io.berth.core.resources;

import org.jspecify.annotations.NullMarked;
