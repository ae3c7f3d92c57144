/** The worker: slot table, connections to ResourceManager and JobMasters, tasks and their bundles. Exports nothing. */
package io.berth.worker;
