"""Is the evidence itself sound? Finds damage in a table's log, and repairs it where that is safe.

examined = examine(schema, frame, options)
examined.frame, examined.defects
defect_findings(examined.defects, "C1", "T1")
"""

from compliance.integrity.defect_findings import defect_findings, defect_outcomes
from compliance.integrity.defects import Defect, DefectKind
from compliance.integrity.examine import ExaminedTable, examine
from compliance.integrity.joined import Seam, examine_next, seam
from compliance.integrity.lost_evidence import Damage, Loss, records_lost
from compliance.integrity.night_numbers import NightsInOrder, nights_in_order

__all__ = [
    "Damage",
    "Defect",
    "DefectKind",
    "ExaminedTable",
    "Loss",
    "NightsInOrder",
    "Seam",
    "defect_findings",
    "defect_outcomes",
    "examine",
    "examine_next",
    "nights_in_order",
    "records_lost",
    "seam",
]
