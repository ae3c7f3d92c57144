/**
 * The ledger of requirements, the registry of workers, and which slot belongs to which job. Confined to the main thread
 * of the ResourceManager. Depends on no other package of the bundle; every other package is built on it.
 */
@NullMarked
package io.berth.core.resources.state;

import org.jspecify.annotations.NullMarked;
