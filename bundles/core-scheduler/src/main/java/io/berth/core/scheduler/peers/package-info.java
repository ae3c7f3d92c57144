/**
 * The connections of a JobMaster to the ResourceManager, the Dispatcher and the workers of its job. Confined to the
 * main thread of the job. Depends on {@code job} only; {@code execution} and the root package depend on it.
 */
@NullMarked
package io.berth.core.scheduler.peers;

import org.jspecify.annotations.NullMarked;
