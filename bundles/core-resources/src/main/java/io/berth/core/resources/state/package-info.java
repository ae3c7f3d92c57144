/**
 * The ledger of what jobs require and the registry of workers with their slots. Confined to the main thread of the
 * ResourceManager. Knows no other room; every other one is built on it.
 */
@NullMarked
package io.berth.core.resources.state;

import org.jspecify.annotations.NullMarked;
