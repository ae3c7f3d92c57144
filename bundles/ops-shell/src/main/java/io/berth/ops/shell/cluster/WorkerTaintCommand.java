package io.berth.ops.shell.cluster;

import io.berth.core.api.job.LabelChange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Set or remove taints of a worker. */
@Service
@Command(scope = "berth", name = "worker-taint", description = "Set or remove taints of a worker, until it ends")
public final class WorkerTaintCommand extends WorkerLabelling {

    @Override
    LabelChange change(List<String> changes) {
        List<String> removed = new ArrayList<>();
        return new LabelChange(new TreeMap<>(), List.of(), set(changes, removed), removed);
    }
}
