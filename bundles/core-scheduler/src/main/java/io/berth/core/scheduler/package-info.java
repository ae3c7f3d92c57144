/**
 * The role of the JobMasters, each JobMaster with its gateway, and the scheduler that moves a job from state to state.
 * Gateway methods may be called on any thread; what they do is confined to the main thread of the job. Knows every
 * other room; none of them knows it.
 */
@NullMarked
package io.berth.core.scheduler;

import org.jspecify.annotations.NullMarked;
