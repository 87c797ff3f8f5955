import { parseArgs } from 'node:util'
import { WrongUsage } from '../../../scripts/cli/command.ts'
import type { WorldName } from '../world.ts'

export const SEEDS = 100
/** A planted bug must be found within so many seeds. */
export const PLANTED_SEEDS = 500
const SEED_MAX = 2 ** 32 - 1
const MINUTES_MAX = 24 * 60
const MS_PER_MINUTE = 60_000

export type Wanted = {
  readonly worlds: readonly WorldName[]
  readonly from: number
  /** Of each world; null if the time decides. */
  readonly seeds: number | null
  /** For all worlds together; null if the number of seeds decides. */
  readonly ms: number | null
  readonly isTraced: boolean
  readonly untilFailure: boolean
  /** Also runs the kept seeds. */
  readonly kept: boolean
  /** Runs the seeds that docs/results does not have yet of this code, and writes them there. */
  readonly isFull: boolean
  /** How many of the first seeds of each world are run again. */
  readonly replays: number
  readonly workers: number | null
  readonly isJson: boolean
  /** Names of planted bugs to find, none for all; null for a run of seeds. */
  readonly planted: readonly string[] | null
}

/** What the arguments ask for. `existing` are the worlds to choose from. */
export function wantedOf(args: string[], existing: readonly WorldName[]): Wanted {
  const { values, positionals } = parseArgs({
    args,
    options: {
      world: { type: 'string', multiple: true },
      seeds: { type: 'string' },
      from: { type: 'string' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      trace: { type: 'boolean', default: false },
      'until-failure': { type: 'boolean', default: false },
      kept: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      replay: { type: 'string' },
      workers: { type: 'string' },
      json: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const { seed, seeds, from, minutes } = values
  if (positionals.length > 0 && !values.planted) throw new WrongUsage(`unknown argument ${positionals[0]}`)
  if (seed !== undefined && (seeds ?? from ?? minutes) !== undefined) {
    throw new WrongUsage('--seed runs one seed: leave out --seeds, --from and --minutes')
  }
  if (seeds !== undefined && minutes !== undefined) throw new WrongUsage('give either --seeds or --minutes')
  if (values.full && (seed ?? seeds ?? from ?? minutes) !== undefined) {
    throw new WrongUsage('--full decides itself which seeds to run: leave out --seed, --seeds, --from and --minutes')
  }
  if (values.full && (values.planted || values.kept || values['until-failure'])) {
    throw new WrongUsage('--full takes --world, --replay, --workers and --json only')
  }
  if (values.planted && (seed ?? minutes) !== undefined)
    throw new WrongUsage('--planted takes --seeds and --workers only')
  if (values.trace && (seed === undefined || values.json)) throw new WrongUsage('--trace needs --seed, and no --json')
  const ms = minutes === undefined ? null : minutesOf(minutes) * MS_PER_MINUTE
  return {
    worlds: worldsOf(values.world, existing),
    from: whole('--from', seed ?? from, 1),
    seeds:
      ms !== null ? null : seed !== undefined ? 1 : whole('--seeds', seeds, values.planted ? PLANTED_SEEDS : SEEDS),
    ms,
    isTraced: values.trace,
    untilFailure: values['until-failure'],
    kept: values.kept,
    isFull: values.full,
    replays: whole('--replay', values.replay, 0),
    workers: values.workers === undefined ? null : whole('--workers', values.workers, 1),
    isJson: values.json,
    planted: values.planted ? positionals : null,
  }
}

function worldsOf(wanted: readonly string[] | undefined, existing: readonly WorldName[]): readonly WorldName[] {
  for (const name of wanted ?? []) {
    if (!existing.some((world) => world === name)) {
      throw new WrongUsage(`there is no world ${name}; the worlds are: ${existing.join(', ')}`)
    }
  }
  return existing.filter((name) => wanted === undefined || wanted.includes(name))
}

function whole(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{1,10}$/.test(text) || Number(text) > SEED_MAX) {
    throw new WrongUsage(`${option} takes a whole number up to ${SEED_MAX}, not ${text}`)
  }
  return Number(text)
}

function minutesOf(text: string): number {
  const minutes = Number(text)
  if (!(minutes > 0 && minutes <= MINUTES_MAX)) {
    throw new WrongUsage(`--minutes takes a number above 0 up to ${MINUTES_MAX}, not ${text}`)
  }
  return minutes
}
