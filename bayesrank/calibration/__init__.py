"""Whether a method finds what data were simulated from."""

from bayesrank.calibration.simulation import Calibration, calibrate

__all__ = ["Calibration", "calibrate"]
