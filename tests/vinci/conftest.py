"""Settings of the tests of Vinci."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

from vinci_lab.engine.jit import JIT

settings.register_profile(
    "rules",
    deadline=None,
    max_examples=12 if JIT else 4,
    stateful_step_count=150 if JIT else 60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking a whole game takes minutes
    report_multiple_bugs=False,
    derandomize=True,
)
settings.load_profile("rules")
