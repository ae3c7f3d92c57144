package io.berth.core.policies.journal;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.PoolDefinition.Limits;
import io.berth.core.api.policy.PoolDefinition.Members;
import io.berth.core.policies.pools.PoolPolicies;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.core.policies.pools.QueueTree;
import io.berth.core.policies.pools.QueueTree.Queue;
import io.berth.spi.PolicyKind;
import java.util.TreeSet;

/** Settings of pools as bytes; see {@link InputCodec} for how to add a field. */
final class SettingsCodec {

    private SettingsCodec() {}

    static void write(FrameOutput out, PoolSettings settings) {
        out.shared(
                settings.queues(),
                (o, tree) -> o.list(tree.queues(), (to, queue) -> {
                    to.text(queue.name());
                    to.number(queue.parent());
                    to.real(queue.weight());
                    to.map(queue.guaranteed(), FrameOutput::text, FrameOutput::number);
                    to.map(queue.limit(), FrameOutput::text, FrameOutput::number);
                    to.list(queue.submitters(), FrameOutput::text);
                }));
        out.number(settings.halfLifeMillis());
        out.shared(settings.definition(), SettingsCodec::definition);
        out.shared(settings.policies(), SettingsCodec::policies);
    }

    static PoolSettings read(FrameInput in) {
        return new PoolSettings(
                in.shared(i -> new QueueTree(i.list(from -> new Queue(
                        from.text(),
                        from.whole(),
                        from.real(),
                        from.map(FrameInput::text, FrameInput::number),
                        from.map(FrameInput::text, FrameInput::number),
                        new TreeSet<>(from.list(FrameInput::text)))))),
                in.number(),
                in.shared(SettingsCodec::definition),
                in.shared(SettingsCodec::policies));
    }

    private static void definition(FrameOutput out, PoolDefinition definition) {
        out.text(definition.name());
        out.number(definition.order());
        out.list(definition.members().backends(), FrameOutput::text);
        out.list(definition.members().specs(), FrameOutput::text);
        out.map(definition.members().labels(), FrameOutput::text, (o, value) -> o.optional(value, FrameOutput::text));
        out.optional(definition.rule(), FrameOutput::word);
        Limits limits = definition.limits();
        out.number(limits.minCpuMillis());
        out.number(limits.minMemoryBytes());
        out.number(limits.maxCpuMillis());
        out.number(limits.maxMemoryBytes());
        out.flag(definition.startsWorkers());
    }

    private static PoolDefinition definition(FrameInput in) {
        return new PoolDefinition(
                in.text(),
                in.whole(),
                new Members(
                        new TreeSet<>(in.list(FrameInput::text)),
                        new TreeSet<>(in.list(FrameInput::text)),
                        in.map(FrameInput::text, i -> i.optional(FrameInput::text))),
                in.optional(i -> i.word(MatchingRule.class)),
                new Limits(in.number(), in.number(), in.number(), in.number()),
                in.flag());
    }

    private static void policies(FrameOutput out, PoolPolicies policies) {
        out.map(policies.choices(), FrameOutput::word, (o, choice) -> {
            o.text(choice.selector());
            o.map(choice.parameters(), FrameOutput::text, FrameOutput::text);
        });
        out.map(policies.fallbacks(), FrameOutput::word, (o, names) -> o.list(names, FrameOutput::text));
    }

    private static PoolPolicies policies(FrameInput in) {
        return new PoolPolicies(
                in.map(
                        i -> i.word(PolicyKind.class),
                        i -> new PolicyChoice(i.text(), i.map(FrameInput::text, FrameInput::text))),
                in.map(i -> i.word(PolicyKind.class), i -> i.list(FrameInput::text)));
    }
}
