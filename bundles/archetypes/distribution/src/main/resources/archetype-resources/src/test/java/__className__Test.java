package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules that all distribution policies must keep, and the order that this one promises. */
class ${className}Test implements DistributionPolicyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    @Override
    public DistributionPolicyFactory factory() {
        return new ${className}();
    }

    @Test
    void theSmallerUnitComesFirst() throws InvalidConfigurationException {
        assertThat(firstAt(1_000)).isEqualTo(1);
    }

    @Test
    void theLargerUnitComesFirstWhenItHasWaitedForTooLong() throws InvalidConfigurationException {
        assertThat(firstAt(60_000)).isZero();
    }

    /** The unit that is admitted first, of a large one and a small one that was submitted after it, both at time 0. */
    private int firstAt(long now) throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("large", 1).unit("small", 2);
        demands.group(0, SLOT, 4, 4, 0).group(1, SLOT, 1, 1, 0).now(now);
        PolicyConfiguration configuration = FixedConfiguration.of(factory().describe(), Map.of("patience", "1 min"));
        RecordedAdmission result = new RecordedAdmission();
        try (AdmissionSession session =
                factory().create(configuration, FixedContext.of("pool default")).open(demands)) {
            session.admit(result);
        }
        Admitted first = result.admitted().get(0);
        return first.unit();
    }
}
