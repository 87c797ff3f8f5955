/** Milliseconds on the clock that all processes of the machine share, so that times of two processes are comparable. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** What to add to this process's `performance.now()`, which runs at the same pace, to get machineMs. */
export function performanceOffsetMs(): number {
  let offsetMs = 0
  // The first use of either loads it, which takes milliseconds.
  for (let n = 0; n < 3; n++) offsetMs = machineMs() - performance.now()
  return offsetMs
}
