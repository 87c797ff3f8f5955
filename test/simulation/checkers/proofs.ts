import { check, Malformed } from '../../../check/check.mjs'
import type { Attempt } from '../load/attempt.ts'
import type { Books, Statement } from '../load/books.ts'
import { type Client, Unanswered } from '../load/client.ts'
import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'

/** "About ten seconds", by the documents; everything has been quiet for longer when this is checked. */
const RECEIPT_MS = 20_000
/** What the offline checker says if no checkpoint covered the last entry within 15 s. */
const UNPROVEN = 'request it again'
/** Receipts that are asked for at the end. */
const ASKED_MAX = 12

export type ProofsOptions = {
  readonly simulation: Simulation
  readonly owner: SimulatedProcess
  readonly client: Client
  readonly books: Books
  readonly attempts: () => readonly Attempt[]
  readonly vkey: string
}

/** Receipts and statements verify with the offline checker, and every charged call has a receipt in time. */
export function proofs({ simulation, owner, client, books, attempts, vkey }: ProofsOptions): Checker {
  const random = simulation.random('receipt checks')
  return {
    invariant: 'receipts and statements verify, and every charge has a receipt',
    end: () => simulation.scheduler.processes.run(owner, faultOf),
  }

  async function faultOf(): Promise<string | null> {
    for (const { callId, text } of books.receipts) {
      const fault = await faultOfReceipt(callId, text)
      if (fault !== null) return fault
    }
    for (const statement of books.statements) {
      const { companyId, format, text } = statement
      const missing = missingFrom(statement)
      if (missing)
        return `${format} statement of ${companyId} leaves out call ${missing.callId}, which was answered before`
      const fault = await faultOfFile(text)
      if (fault?.includes(UNPROVEN)) simulation.counters.hit('a statement is made before its checkpoint')
      else if (fault !== null) return `${format} statement of ${companyId}: ${fault}`
    }
    const due = attempts().filter(
      ({ end, endedAtMs }) => end === 'whole' && endedAtMs + RECEIPT_MS < simulation.scheduler.nowMs,
    )
    for (const call of someOf(due, random)) {
      const fault = await faultOfCall(call)
      if (fault !== null) return fault
    }
    return null
  }

  /** A charge is stored before its call is answered. A company without any sealed entry is shown none. */
  function missingFrom({ companyId, text, askedAtMs }: Statement): Attempt | undefined {
    if (text.includes('"event":null')) return undefined
    const isDue = ({ end, endedAtMs, question }: Attempt) =>
      end === 'whole' && endedAtMs < askedAtMs && question.key.companyId === companyId
    return attempts().find((attempt) => isDue(attempt) && !text.includes(attempt.callId ?? ''))
  }

  async function faultOfCall({ callId, question: { key } }: Attempt): Promise<string | null> {
    const token = books.companies.find((company) => company.companyId === key.companyId)?.token ?? null
    const entry = 'event { stream number id type time data } previous salt proof'
    const query = `query($id: ID!) { ledgerReceipt(eventId: $id) { version ${entry} book { ${entry} } } }`
    try {
      const { data, code, message } = await client.ask(query, { id: callId }, token)
      if (code !== undefined) return `the charge of call ${callId} has no receipt: ${code} ${message}`
      // Every price book is anchored within seconds, and everything has been quiet for longer.
      if (data.ledgerReceipt.book === null) return `the receipt of call ${callId} has no price book`
      return faultOfReceipt(callId ?? '', JSON.stringify(data.ledgerReceipt))
    } catch (error) {
      if (error instanceof Unanswered) return `no answer to the request for the receipt of ${callId}: ${error.message}`
      throw error
    }
  }

  async function faultOfReceipt(callId: string, text: string): Promise<string | null> {
    const { event } = JSON.parse(text) as { event: { type: string; data: { callId?: string } } }
    if (event.data.callId !== callId) return `the receipt of call ${callId} is of call ${event.data.callId}`
    if (event.type !== 'CallCharged') return `the receipt of call ${callId}, which was answered, is of ${event.type}`
    const fault = await faultOfFile(text)
    return fault && `receipt of call ${callId}: ${fault}`
  }

  async function faultOfFile(text: string): Promise<string | null> {
    try {
      const { ok, checks } = await check(text, { vkeys: [vkey] })
      return ok ? null : JSON.stringify(checks.filter((done) => !done.ok))
    } catch (error) {
      if (error instanceof Malformed) return error.message
      throw error
    }
  }
}

function someOf<Item>(items: readonly Item[], random: Random): Item[] {
  return items.length <= ASKED_MAX ? [...items] : Array.from({ length: ASKED_MAX }, () => random.pick(items))
}
