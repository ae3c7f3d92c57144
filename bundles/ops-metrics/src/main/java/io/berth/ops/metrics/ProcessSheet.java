package io.berth.ops.metrics;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;

/** Writes metrics of the JVM under the names that the Prometheus library for Java uses. Thread-safe. */
final class ProcessSheet {

    private final String version;

    ProcessSheet(String version) {
        this.version = version;
    }

    void write(MetricFamilies sheet) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory(sheet, "heap", memory.getHeapMemoryUsage());
        memory(sheet, "nonheap", memory.getNonHeapMemoryUsage());
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getUsage();
            if (usage != null) {
                sheet.gauge(Family.JVM_POOL_USED, usage.getUsed(), pool.getName());
            }
        }
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            sheet.gauge(Family.JVM_BUFFER_USED, pool.getMemoryUsed(), pool.getName());
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            sheet.total(
                    Family.JVM_GC,
                    Math.max(0, collector.getCollectionCount()),
                    Math.max(0, collector.getCollectionTime()) / 1e3,
                    collector.getName());
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        sheet.gauge(Family.JVM_THREADS, threads.getThreadCount());
        sheet.gauge(Family.JVM_THREADS_DAEMON, threads.getDaemonThreadCount());
        sheet.gauge(Family.JVM_THREADS_PEAK, threads.getPeakThreadCount());
        sheet.gauge(
                Family.JVM_CLASSES, ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        sheet.count(
                Family.JVM_CLASSES_UNLOADED,
                ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount());
        sheet.gauge(Family.PROCESS_START, ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
        sheet.gauge(Family.VERSION, 1, version);
    }

    private static void memory(MetricFamilies sheet, String area, MemoryUsage usage) {
        sheet.gauge(Family.JVM_MEMORY_USED, usage.getUsed(), area);
        sheet.gauge(Family.JVM_MEMORY_COMMITTED, usage.getCommitted(), area);
        if (usage.getMax() >= 0) {
            sheet.gauge(Family.JVM_MEMORY_MAX, usage.getMax(), area);
        }
    }
}
