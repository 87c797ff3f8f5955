import { basename } from 'node:path'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker, Condition } from '../world.ts'

const ENDING = '.json'

/** What an audit shows for one data folder. */
export type AuditedFolder = { readonly calls: readonly unknown[]; readonly damaged: readonly string[] }

/**
 * The files of calls that were answered 503 while their charge may be stored. A gateway settles them and removes them;
 * one that the disk has damaged stays, and is reported.
 */
export class UnsettledFiles {
  readonly #simulation: Simulation
  /** Calls that a process could not write to its disk in time: only its memory has them. */
  readonly #unrecorded = new Map<string, SimulatedProcess | undefined>()
  readonly #reported = new Set<string>()

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    simulation.alarms.follow(({ msg, callId, file }, process) => {
      if (msg === 'file of an unsettled call cannot be read') this.#reported.add(String(file))
      if (msg === 'call of unknown outcome was settled') this.#unrecorded.delete(String(callId))
      if (msg === 'unsettled call could not be recorded on the disk') {
        this.#unrecorded.set(String(callId), simulation.processes.get(process))
      }
    })
  }

  /** Whether the disk has failed for this call, so that it may stay charged although its caller was told that it failed. */
  isLost(callId: string): boolean {
    const isForgotten = this.#unrecorded.has(callId) && this.#unrecorded.get(callId)?.isDead !== false
    return isForgotten || this.#unreadable().some((path) => basename(path, ENDING) === callId)
  }

  settled(): Condition {
    return {
      name: 'nothing is unsettled',
      missing: () => {
        const files = this.#files().filter(({ isDamaged }) => !isDamaged)
        const known = [...this.#unrecorded.values()].filter((owner) => owner?.isDead === false)
        if (files.length + known.length === 0) return null
        return `${files.length} files of calls remain, and ${known.length} calls are in memory`
      },
    }
  }

  /** `audit` reads all data folders as an auditor does. */
  reported(audit: () => Promise<readonly AuditedFolder[]>): Checker {
    return {
      invariant: 'files of unsettled calls that cannot be read are reported, and no others',
      end: async () => {
        const { damaged } = this.#simulation.files
        const wrong = [...this.#reported].find((path) => !damaged.has(path))
        if (wrong !== undefined) return `${wrong} was reported as damaged, and it is not`
        const unreadable = this.#unreadable()
        const silent = unreadable.find((path) => !this.#reported.has(path))
        if (silent !== undefined) return `${silent} is damaged, and no gateway has reported it`
        const folders = await audit()
        const listed = folders.flatMap((folder) => folder.damaged).toSorted()
        if (listed.join() === unreadable.join()) return null
        return `the audit lists these unreadable files: ${listed}; the damaged ones are: ${unreadable}`
      },
    }
  }

  #unreadable(): string[] {
    return this.#files().flatMap(({ path, isDamaged }) => (isDamaged ? path : []))
  }

  #files() {
    return [...this.#simulation.files.contents()]
      .filter(([path]) => path.endsWith(ENDING))
      .map(([path, text]) => ({ path, isDamaged: text.includes('\0') }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }
}
