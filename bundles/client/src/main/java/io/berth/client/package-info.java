/**
 * A Java client of the control plane: {@link io.berth.client.BerthClient} submits jobs, which {@link
 * io.berth.client.JobDescription} describes, and {@link io.berth.client.Job} follows, scales and cancels one. It speaks REST and
 * needs no other bundle of Berth.
 */
@Export
@Version("0.1.0")
@NullMarked
package io.berth.client;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
