package io.berth.ops.shell.cluster;

import io.berth.core.api.job.LabelChange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Set or remove labels of a worker. */
@Service
@Command(scope = "berth", name = "worker-label", description = "Set or remove labels of a worker, until it ends")
public final class WorkerLabelCommand extends WorkerLabelling {

    @Override
    LabelChange change(List<String> changes) {
        List<String> removed = new ArrayList<>();
        return new LabelChange(set(changes, removed), removed, new TreeMap<>(), List.of());
    }
}
