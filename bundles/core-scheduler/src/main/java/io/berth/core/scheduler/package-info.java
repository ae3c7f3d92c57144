/**
 * The role of the JobMasters, each JobMaster with its gateway, and the scheduler that moves a job from state to state.
 * Gateway methods may be called on any thread; they run on the main thread of the job. Depends on every other package
 * of this bundle; none depends on it.
 */
@NullMarked
package io.berth.core.scheduler;

import org.jspecify.annotations.NullMarked;
