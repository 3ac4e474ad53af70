"""The results of a scenario, apart from their presentation."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """One line of the table of budgets: ours beside a peer, or beside a limit."""

    work: str
    ours: str
    peer: str            # who it is and its figure; "" without a peer
    value: float         # what the budget judges: a ratio, or a figure in the budget's own unit
    budget: float
    aim: float | None
    unit: str = "×"      # of value, budget and aim

    @property
    def verdict(self):
        if self.value > self.budget:
            return "over budget"
        return "budget kept" if self.aim is None or self.value > self.aim else "aim reached"


@dataclass(frozen=True)
class Detail:
    """One server's medians in one scenario."""

    work: str
    name: str
    sample: object


@dataclass
class Results:
    rows: list = field(default_factory=list)
    details: list = field(default_factory=list)
    remarks: list = field(default_factory=list)
    figures: dict = field(default_factory=dict)  # by the names of scale.NEEDED
    tls: dict = field(default_factory=dict)  # by server: what was negotiated
