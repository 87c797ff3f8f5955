/** Milliseconds of the clock that all processes of the machine share, so that moments of two processes compare. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** What to add to a moment of this process' `performance.now()`, which runs at the same pace, to get one of machineMs. */
export function performanceOffsetMs(): number {
  let offsetMs = 0
  // The first use of either loads it, which takes milliseconds.
  for (let n = 0; n < 3; n++) offsetMs = machineMs() - performance.now()
  return offsetMs
}
