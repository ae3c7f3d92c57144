/**
 * Measures what decisions and the ResourceManager path cost, with the unchanged core classes in one process. Not a service
 * of the platform; a tool.
 */
package io.berth.benchmark;
