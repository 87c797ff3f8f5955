import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { filled, markIn } from '../sendCase.ts'
import { HONEST_ALIAS, type ProcessTarget, startProcessTarget } from '../target/processTarget.ts'
import type { WireCase } from '../wireCase.ts'
import type { AttackerData, AttackerFigures } from './attacker.ts'
import type { Flood } from './flood.ts'
import { FLOODS } from './floods.ts'
import type { Request, Stretch } from './payingLoad.ts'
import type { PayingOrder } from './payingProcess.ts'
import { keysWithCredits, keyWithoutCredits } from './poorCompany.ts'
import { lastTries } from './tries.ts'
import { judge, judgeCharges, judgeRefusals, type Usage, type Verdict } from './verdict.ts'

const ATTACKER = '127.0.0.2'
const CALLS_PER_SECOND = 25
const OPERATIONS_PER_SECOND = 25
const WARM_UP_MS = 5_000
/** Before and after each attack, calls are measured without one for half as long. */
const REFERENCE_SHARE = 0.5
/** As long as models may think, so that slow calls stay open during a whole attack instead of failing every few seconds. */
const SILENCE_MS_MAX = 600_000
/** The process still clears up behind an attack that has ended. */
const AFTERMATH_MS = 2_000

export type UnderLoadOptions = {
  readonly seconds: number
  /** Parts of names of attacks; all of them if it is empty. */
  readonly only: readonly string[]
  readonly onProgress: (line: string) => void
}

type FloodVerdict = Verdict & { readonly stallMs: number; readonly attacker: AttackerFigures }

/** `tries`: how often it was measured; the last time counts. */
type LastVerdict = FloodVerdict & { readonly tries: number }

export type UnderLoadReport = {
  readonly seconds: number
  readonly verdicts: readonly LastVerdict[]
  readonly rssPeakMb: number
}

/** Runs one flood after the other from one address, while a paying key and its admin call from another. */
export async function attackUnderLoad(options: UnderLoadOptions): Promise<UnderLoadReport> {
  const target = await startProcessTarget({ silenceMsMax: SILENCE_MS_MAX })
  const paying = fork(new URL('./payingProcess.ts', import.meta.url), { serialization: 'advanced' })
  const bare = fork(new URL('./bareServer.ts', import.meta.url))
  try {
    const [barePort] = (await Promise.race([once(bare, 'message'), failureOf(bare)])) as [number]
    // The hostile provider is in this process. It has a machine of its own as well, and started its children before this.
    setPriority(constants.priority.PRIORITY_LOW)
    const payingFailure = failureOf(paying)
    const loadFor = async (ms: number, requests: readonly Request[]) => {
      paying.send({ ms, requests } satisfies PayingOrder)
      const [found] = await Promise.race([once(paying, 'message'), payingFailure])
      return found as Map<string, Stretch>
    }
    const poorKey = await keyWithoutCredits(target)
    const otherKeys = await keysWithCredits(target)
    const [otherKey = ''] = otherKeys
    const senders = otherKeys.map((eachKey) => ({ ...target.credentials, poorKey, otherKey, eachKey }))
    const requests = requestsTo(target)
    const floods = FLOODS.filter(
      ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part)),
    )
    const ms = options.seconds * 1_000
    await loadFor(WARM_UP_MS, requests)
    let before = await loadFor(ms * REFERENCE_SHARE, requests)
    const underFlood = async (flood: Flood, tries: number): Promise<FloodVerdict[]> => {
      const onBareServer = tries > 1 ? await besideBareServer(flood) : new Map<string, Stretch>()
      await target.read()
      const usageBefore = flood.isCharged ? await usageOf(target, otherKey) : null
      const { during, attacker } = await attacked(flood, senders, { ...target, load: () => loadFor(ms, requests) })
      const { stallMs } = await target.read()
      await wait(AFTERMATH_MS)
      const after = await loadFor(ms * REFERENCE_SHARE, requests)
      const found = requests.map(({ name }) => {
        const around = [before.get(name), after.get(name)].filter((stretch) => stretch !== undefined)
        return judge(flood.name, name, during.get(name) ?? NO_CALLS, around, onBareServer.get(name))
      })
      if (usageBefore) found.push(judgeCharges(flood.name, usageBefore, await usageOf(target, otherKey)))
      if (flood.isRefused) found.push(judgeRefusals(flood.name, attacker.answers))
      before = after
      for (const verdict of found) options.onProgress(`${lineOf(verdict)}; longest stall ${stallMs.toFixed()} ms`)
      return found.map((verdict) => ({ ...verdict, stallMs, attacker }))
    }
    /** Calls while the same attack is sent to another process: what this machine slows down however it is answered. */
    async function besideBareServer(flood: Flood): Promise<Map<string, Stretch>> {
      const load = () => loadFor(ms * REFERENCE_SHARE, requests)
      const { during } = await attacked(flood, senders, { ...target, port: () => barePort, load })
      await wait(AFTERMATH_MS)
      return during
    }
    const verdicts = await lastTries(floods, underFlood, options.onProgress)
    return { seconds: options.seconds, verdicts, rssPeakMb: (await target.read()).rssPeakMb }
  } finally {
    paying.kill('SIGKILL')
    bare.kill('SIGKILL')
    await target.close()
  }
}

/** The calls of a key so far, and how many of them failed. */
async function usageOf({ port }: ProcessTarget, key: string): Promise<Usage> {
  const answer = await fetch(`http://127.0.0.1:${port('gateway')}/llm/v1/usage`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await answer.json()) as { totals: Usage }).totals
}

const NO_CALLS: Stretch = { latenciesMs: [], failures: [], disturbed: 0 }

export function lineOf(verdict: Verdict): string {
  const { attack, request, calls, failed, p99Ms, referenceP99Ms, bareServerP99Ms, passed, detail } = verdict
  const figures = `${calls} calls, ${failed} failed, p99 ${p99Ms} ms, without the attack ${referenceP99Ms} ms`
  const bare = bareServerP99Ms === undefined ? '' : `, with it on a bare server ${bareServerP99Ms} ms`
  return `${passed ? 'ok  ' : 'FAIL'} ${attack}, ${request}: ${figures}${bare}${detail && `: ${detail}`}`
}

function requestsTo({ port, credentials }: ProcessTarget): readonly Request[] {
  const json = { 'content-type': 'application/json' }
  const chat = { model: HONEST_ALIAS, messages: [{ role: 'user', content: 'Hello' }] }
  return [
    {
      name: 'calls of the paying key',
      url: `http://127.0.0.1:${port('gateway')}/llm/v1/chat/completions`,
      headers: { ...json, authorization: `Bearer ${credentials.key}` },
      body: JSON.stringify(chat),
      perSecond: CALLS_PER_SECOND,
    },
    {
      name: 'operations of its admin',
      url: `http://127.0.0.1:${port('backend')}/graphql`,
      headers: { ...json, authorization: `Bearer ${credentials.admin}` },
      body: JSON.stringify({ query: '{ whoAmI { id } }' }),
      perSecond: OPERATIONS_PER_SECOND,
    },
  ]
}

type Aim = Pick<ProcessTarget, 'port' | 'models'> & { readonly load: () => Promise<Map<string, Stretch>> }

async function attacked(
  flood: Flood,
  senders: readonly Readonly<Record<string, string>>[],
  { port, models, load }: Aim,
): Promise<{ during: Map<string, Stretch>; attacker: AttackerFigures }> {
  let attacker: AttackerFigures = { opened: 0, open: 0, answers: {} }
  const { kind, connections, perSecond, sent } = flood
  const data: AttackerData = {
    flood: { kind, connections, perSecond },
    requests: requestsOf(flood, senders).map((each) => ({ sent: each, port: port(each.service) ?? 0 })),
    from: ATTACKER,
  }
  const child = fork(new URL('./attacker.ts', import.meta.url), { serialization: 'advanced' })
  child.on('message', (figures: AttackerFigures) => {
    attacker = figures
  })
  child.send(data)
  const forget = sent.provider ? models.answer(markIn(sent), sent.provider) : () => {}
  try {
    return { during: await Promise.race([load(), failureOf(child)]), attacker }
  } finally {
    child.kill('SIGKILL')
    forget()
  }
}

function failureOf(child: ChildProcess): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)))
  })
  failed.catch(() => {})
  return failed
}

/** What a flood sends in turn: one request for each account, if its head names `{{eachKey}}`. */
function requestsOf({ sent }: Flood, senders: readonly Readonly<Record<string, string>>[]): WireCase[] {
  const sending = sent.head.includes('{{eachKey}}') ? senders : senders.slice(0, 1)
  return sending.map((sender) => ({ ...sent, head: filled(sent.head, sender) }))
}
