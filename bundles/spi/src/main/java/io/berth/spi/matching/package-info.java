/**
 * Matching strategies: which slot, free capacity or new worker fulfils which demand (design section 4, step 3), and
 * which slot of a job serves which of its requirements (step 5).
 */
@Export
@Version("1.0.0")
package io.berth.spi.matching;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
