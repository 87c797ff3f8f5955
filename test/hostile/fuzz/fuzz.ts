import { readFile } from 'node:fs/promises'
import { faultsOf } from '../faults.ts'
import { sendCase } from '../sendCase.ts'
import { type ProcessTarget, startProcessTarget } from '../target/processTarget.ts'
import type { WireCase } from '../wireCase.ts'
import { caseOf } from './fuzzTargets.ts'
import { growthFaults, type Resources, restingResources } from './growth.ts'
import { answerMsMax, confirmStall, STALL_MS_MAX } from './stallCheck.ts'

export type FuzzOptions = {
  readonly minutes: number
  readonly seed: number
  /** Names of FUZZ_TARGETS. */
  readonly targets: readonly string[]
  /** Reported about once a second. */
  readonly onProgress: (line: string) => void
}

export type Finding = { readonly fault: string; readonly target: string; readonly cases: readonly WireCase[] }

export type FuzzReport = {
  readonly seed: number
  readonly minutes: number
  readonly casesByTarget: Readonly<Record<string, number>>
  /** By target and status of the answer; closed: the connection ended without one, none: it did not. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly longestStallMs: number
  /** Longer than the limit, but not when the same cases were sent again. */
  readonly stallsNotRepeated: readonly { readonly target: string; readonly stallMs: number }[]
  readonly rssPeakMb: number
  readonly afterWarmUp: Resources | null
  readonly atTheEnd: Resources | null
  readonly findings: readonly Finding[]
  readonly faults: readonly string[]
}

const CASES_PER_ROUND = 12
/** One for each process that reads documents: further ones would only wait. */
const DOCUMENTS_PER_ROUND = 3
const WARM_UP_SHARE = 0.25
/** Lines of the log that report the end of a part of the process. */
const ENDED_PART = /background thread (failed|has ended)|uncaught|PostgreSQL (has )?(ended|died|is started again)/i
const FINDINGS_MAX = 20
/** Statuses of HTTP, of WebSockets and of an accepted mail; 502 follows a document that was read. */
const ACCEPTED = /^(101|200|250|502)$/
const ACCEPTED_AFTER = 100

/** Sends generated cases to an installation of its own until the time is over or the process is. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const target = await startProcessTarget()
  try {
    return await new Fuzzer(target, options).run()
  } finally {
    await target.close()
  }
}

class Fuzzer {
  readonly #target: ProcessTarget
  readonly #options: FuzzOptions
  readonly #casesByTarget: Record<string, number> = {}
  readonly #answers: Record<string, Record<string, number>> = {}
  readonly #findings: Finding[] = []
  #number = 0
  #rounds = 0
  #longestStallMs = 0
  readonly #stallsNotRepeated: FuzzReport['stallsNotRepeated'][number][] = []
  #rssPeakMb = 0

  constructor(target: ProcessTarget, options: FuzzOptions) {
    this.#target = target
    this.#options = options
    for (const name of options.targets) {
      this.#casesByTarget[name] = 0
      this.#answers[name] = {}
    }
  }

  async run(): Promise<FuzzReport> {
    const ms = this.#options.minutes * 60_000
    const faults: string[] = []
    let afterWarmUp: Resources | null = null
    let atTheEnd: Resources | null = null
    try {
      await this.#attackFor(ms * WARM_UP_SHARE)
      afterWarmUp = await restingResources(this.#target)
      await this.#attackFor(ms * (1 - WARM_UP_SHARE))
      atTheEnd = await restingResources(this.#target)
      faults.push(...growthFaults(afterWarmUp, atTheEnd))
    } catch (error) {
      const { exitCode, outputLines } = this.#target.installation
      faults.push(`${(error as Error).message}; exit code ${exitCode}; ${outputLines.slice(-5).join(' | ')}`)
    }
    faults.push(...(await this.#endedParts()), ...this.#unacceptedTargets())
    const { seed, minutes } = this.#options
    return {
      ...{ seed, minutes, casesByTarget: this.#casesByTarget, answers: this.#answers },
      ...{ longestStallMs: this.#longestStallMs, stallsNotRepeated: this.#stallsNotRepeated },
      ...{ rssPeakMb: this.#rssPeakMb, afterWarmUp, atTheEnd },
      ...{ findings: this.#findings, faults: [...this.#findings.map(({ fault }) => fault), ...faults] },
    }
  }

  async #attackFor(ms: number): Promise<void> {
    const { targets, onProgress } = this.#options
    let toldMs = 0
    for (const endMs = performance.now() + ms; performance.now() < endMs; ) {
      if (this.#findings.length >= FINDINGS_MAX) return
      await this.#round(targets[this.#rounds++ % targets.length] ?? '')
      if (performance.now() < toldMs + 1_000) continue
      toldMs = performance.now()
      const stall = `longest stall ${this.#longestStallMs.toFixed()} ms`
      onProgress(`${this.#number} cases, ${stall}, ${this.#rssPeakMb.toFixed()} MB, ${this.#findings.length} findings`)
    }
  }

  /** Cases of one target at a time, so that a stall is more likely to have one cause. */
  async #round(name: string): Promise<void> {
    const length = name === 'docx' || name === 'pdf' ? DOCUMENTS_PER_ROUND : CASES_PER_ROUND
    const cases = Array.from({ length }, () => caseOf(name, this.#options.seed, this.#number++))
    await Promise.all(cases.map((each) => this.#try(name, each)))
    this.#casesByTarget[name] = (this.#casesByTarget[name] ?? 0) + cases.length
    const { stallMs, rssPeakMb } = await this.#target.probe.read()
    this.#longestStallMs = Math.max(this.#longestStallMs, stallMs)
    this.#rssPeakMb = Math.max(this.#rssPeakMb, rssPeakMb)
    if (stallMs <= STALL_MS_MAX) return
    const confirmed = await confirmStall(this.#target, cases)
    if (!confirmed) this.#stallsNotRepeated.push({ target: name, stallMs })
    else this.#findings.push({ ...confirmed, target: name, fault: stallFault(confirmed) })
  }

  async #try(name: string, sent: WireCase): Promise<void> {
    const outcome = await sendCase(this.#target, sent, { msMax: answerMsMax(sent) })
    const status = String(outcome.answer?.status ?? mailStatus(outcome) ?? (outcome.timedOut ? 'none' : 'closed'))
    const answers = this.#answers[name] ?? {}
    answers[status] = (answers[status] ?? 0) + 1
    for (const fault of faultsOf(this.#target, sent, outcome)) {
      this.#findings.push({ fault: `${sent.name}: ${fault}`, target: name, cases: [sent] })
    }
  }

  /** A target whose cases are all refused by authentication tests only authentication. */
  #unacceptedTargets(): string[] {
    const tried = Object.entries(this.#answers).filter(([name]) => (this.#casesByTarget[name] ?? 0) > ACCEPTED_AFTER)
    const refused = tried.filter(([, answers]) => !Object.keys(answers).some((status) => ACCEPTED.test(status)))
    return refused.map(([name]) => `no case of ${name} was accepted, so that nothing behind the first check was tried`)
  }

  async #endedParts(): Promise<string[]> {
    const { installation } = this.#target
    const log = await readFile(installation.demo.logFile, 'utf8')
    const lines = [...log.split('\n'), ...installation.outputLines].filter((line) => ENDED_PART.test(line))
    return lines.map((line) => `a part of the process ended: ${line.slice(0, 300)}`)
  }
}

function stallFault({ stallMs, cases }: { stallMs: number; cases: readonly WireCase[] }): string {
  const what = cases.length === 1 ? (cases[0]?.name ?? '') : `${cases.length} cases together, such as ${cases[0]?.name}`
  return `${what}: a stall of ${stallMs.toFixed()} ms`
}

/** The last reply of the mail server before it says goodbye. */
function mailStatus({ text }: { readonly text: string }): string | null {
  if (!text.startsWith('220 ')) return null
  const replies = [...text.matchAll(/^(\d{3}) /gm)]
    .map(([, status = '']) => status)
    .filter((status) => status !== '221')
  return replies.length > 4 ? (replies.at(-1) ?? null) : 'refused'
}
