"""Whether a method finds what data were simulated from, and data from a known truth."""

from bayesrank.calibration.simulated import Simulation, simulate
from bayesrank.calibration.simulation import Calibration, calibrate

__all__ = ["Calibration", "Simulation", "calibrate", "simulate"]
