import type { PGlite } from '@electric-sql/pglite'
import { rowsOf } from './database/rows.ts'
import type { FaultKind } from './faults/faultPlan.ts'
import { leaveRun } from './scheduler/currentRun.ts'
import { realTurn } from './scheduler/realTime.ts'
import { Simulation } from './simulation.ts'
import type { BuiltWorld, World } from './world.ts'

const LOAD_MS = 60_000
const LIVE_WITHIN_MS = 60_000
const SIMULATED_MS_MIN = 90_000
const WATCHED_EVERY_MS = 1_000
const LAST_STEPS = 60

export type Failure = {
  readonly invariant: string
  readonly detail: string
  /** The steps right before it, the last one at the end. */
  readonly lastSteps: readonly string[]
}

export type Outcome = {
  readonly seed: number
  /** The same for the same seed and code: of every step, and every byte of the database. */
  readonly hash: string
  readonly steps: number
  readonly simulatedMs: number
  readonly kills: number
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  readonly counters: Readonly<Record<string, number>>
  readonly failure: Failure | null
}

export type SimulateOptions = {
  readonly pglite: PGlite | null
  readonly onStep?: ((line: string) => void) | undefined
}

/** One run of a world: load and faults for a minute, then quiet until everything has settled. */
export async function simulate(world: World, seed: number, { pglite, onStep }: SimulateOptions): Promise<Outcome> {
  const startMs = world.startMs?.(seed)
  const begun = startMs === undefined ? {} : { startMs }
  const simulation = new Simulation({ seed, pglite: world.usesDatabase ? pglite : null, onStep, ...begun })
  const { scheduler, faults, counters, processes } = simulation
  const failed = await failureOf(world, simulation)
  if (simulation.hasDatabase && simulation.server.isFree) counters.hit('events', storedEvents(simulation.pglite))
  const outcome = {
    seed,
    hash: scheduler.digest(),
    steps: scheduler.steps,
    simulatedMs: Math.round(scheduler.elapsedMs),
    kills: processes.kills,
    faults: Object.fromEntries(faults.counts),
    counters: Object.fromEntries(counters.counts),
    failure: failed && { ...failed, lastSteps: scheduler.trace.slice(-LAST_STEPS) },
  }
  for (const owner of processes.living) owner.kill()
  simulation.network.close()
  // Whatever the kills have set off ends in this run.
  await realTurn()
  leaveRun()
  return outcome
}

const storedEvents = (pglite: PGlite): number =>
  Number(rowsOf(pglite, 'select count(*) from event_store.events')[0]?.[0])

type Found = Omit<Failure, 'lastSteps'>

async function failureOf(world: World, simulation: Simulation): Promise<Found | null> {
  const { scheduler, faults, processes } = simulation
  try {
    const built = await settled(simulation, world.build(simulation))
    faults.isOn = true
    processes.disturb()
    for (const load of built.loads) load.start()
    const found = await watchFor(simulation, built, LOAD_MS, () => false)
    if (found) return found
    for (const load of built.loads) load.stop()
    faults.isOn = false
    processes.endPauses()
    // What a silent server was sent before arrives when its silence ends.
    const stoppedMs = Math.max(scheduler.elapsedMs, faults.endMs)
    const missingOf = missingSince(built, stoppedMs)
    let missing: readonly Missing[] = []
    const isSettled = () => {
      missing = missingOf(scheduler.elapsedMs)
      return missing.some(({ isOverdue }) => isOverdue) || (scheduler.elapsedMs >= SIMULATED_MS_MIN && !missing.length)
    }
    const later = await watchFor(simulation, built, Number.POSITIVE_INFINITY, isSettled)
    if (later) return later
    if (missing.length > 0) {
      const seconds = Math.round((scheduler.elapsedMs - stoppedMs) / 1_000)
      const detail = `${seconds} s after the last fault: ${missing.map(({ what }) => what).join('; ')}`
      return { invariant: 'liveness', detail }
    }
    return await endOf(simulation, built)
  } catch (error) {
    return { invariant: 'the simulation runs', detail: String((error as Error).stack) }
  }
}

type Missing = { readonly what: string; readonly isOverdue: boolean }

/** What is missing now, and for how long: what one condition waits for may be new work for another. */
function missingSince({ liveness }: BuiltWorld, stoppedMs: number): (nowMs: number) => Missing[] {
  const heldMs = new Map<string, number>()
  return (nowMs) =>
    liveness.flatMap(({ name, missing, withinMs = LIVE_WITHIN_MS }) => {
      const what = missing()
      if (what === null) {
        heldMs.set(name, nowMs)
        return []
      }
      return [{ what: `${name}: ${what}`, isOverdue: nowMs - (heldMs.get(name) ?? stoppedMs) >= withinMs }]
    })
}

/** Lets the run go on for this long, or until the condition holds, and looks every second. */
async function watchFor(
  simulation: Simulation,
  { checkers }: BuiltWorld,
  ms: number,
  isEnough: () => boolean,
): Promise<Found | null> {
  const { scheduler, failures, alarms } = simulation
  const endMs = scheduler.elapsedMs + ms
  while (scheduler.elapsedMs < endMs && !isEnough()) {
    const nextMs = Math.min(endMs, scheduler.elapsedMs + WATCHED_EVERY_MS)
    await scheduler.runUntil(() => scheduler.elapsedMs >= nextMs || failures.length > 0)
    if (failures[0] !== undefined) return { invariant: 'no error is left uncaught', detail: failures[0] }
    if (alarms.unexpected[0] !== undefined) return { invariant: 'no false alarm', detail: alarms.unexpected[0] }
    const stuck = simulation.hasDatabase ? simulation.server.stuck() : null
    if (stuck !== null) return { invariant: 'no transaction stays open', detail: stuck }
    for (const { invariant, watch } of checkers) {
      const detail = watch?.() ?? null
      if (detail !== null) return { invariant, detail }
    }
  }
  return null
}

async function endOf(simulation: Simulation, { checkers }: BuiltWorld): Promise<Found | null> {
  for (const checker of checkers) {
    const detail = await settled(simulation, Promise.resolve(checker.end()))
    if (detail !== null) return { invariant: checker.invariant, detail }
  }
  return null
}

/** The result of work that needs steps to end. */
async function settled<Result>({ scheduler }: Simulation, work: Promise<Result>): Promise<Result> {
  let isDone = false
  work.then(
    () => {
      isDone = true
    },
    () => {
      isDone = true
    },
  )
  await scheduler.runUntil(() => isDone)
  return work
}
