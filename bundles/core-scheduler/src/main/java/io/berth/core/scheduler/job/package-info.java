/**
 * What all parts of a JobMaster share: its job, its settings, its requirements and its history. Immutable except for
 * the history, which is confined to the main thread of the job. Depends on no other package of this bundle.
 */
@NullMarked
package io.berth.core.scheduler.job;

import org.jspecify.annotations.NullMarked;
