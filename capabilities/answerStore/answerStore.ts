import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import { within } from '../../platform/clock/within.ts'
import type { Sql, SqlRow } from '../../projections/runner/ports.ts'

/** How long responses to calls with an Idempotency-Key are kept. */
export const KEPT_ANSWER_MS = 24 * 60 * 60_000
/** How long a call waits for the answer store. */
export const ANSWER_STORE_MS = 5_000
/** A claim that its gateway has not renewed for this long is free. */
const CLAIM_LEASE_MS = 12_000
/** How often a gateway renews the claims of its calls in flight. A claim that is not renewed for long can be taken over. */
export const CLAIM_RENEWAL_MS = 400

/** The holder of a claim. No other process can update it. */
export type Holding = { readonly scope: string; readonly holder: string }

/** A claim as last seen; a renewal or another holder changes it. */
export type ClaimLease = { readonly holder: string; readonly leasedTo: string }

export type ClaimRequest = Holding & {
  readonly fingerprint: string
  /** The id of the call, if this claim leads to one. */
  readonly callId: string
  readonly nowMs: number
  /** The claim of a dead holder: it is free, unless it has changed since. */
  readonly silent?: ClaimLease
}

export type Claimed =
  | { readonly is: 'claimed' }
  /** The last holder stored a response and died before the charge was confirmed: this holder must book it. */
  | { readonly is: 'inherited'; readonly callId: string; readonly sealed: Buffer }
  | { readonly is: 'settled'; readonly callId: string; readonly sealed: Buffer }
  | { readonly is: 'in progress'; readonly lease: ClaimLease }
  | { readonly is: 'another body' }

/**
 * A claim that another process has inherited counts as abandoned if its lease ended this long ago. Together with the lease
 * this is less than the minute within which a call is settled after a failure.
 */
const ABANDONED_CLAIM_MS = 40_000

/** The state of the claim of a call whose caller was told that it failed. */
export type Withdrawal =
  /** No request can find the answer any more. */
  | 'withdrawn'
  /** A later request has found the answer, and its charge is on the ledger. */
  | 'charged'
  /** A later request has found the answer and is still working with it. */
  | 'inherited'

type ClaimRow = {
  readonly sameBody: boolean
  readonly settled: boolean
  readonly callId: string
  readonly answer: Buffer | null
  readonly holder: string
  readonly leasedTo: string
}

/** The calls with an Idempotency-Key, and their responses. */
export class AnswerStore {
  readonly #sql: Sql
  readonly #clock: Clock

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql
    this.#clock = clock
  }

  /** Takes the claim if it is free: it does not exist or has expired, or its holder has died or is known to have died. */
  async claim(request: ClaimRequest): Promise<Claimed> {
    for (;;) {
      const taken = await this.#take(request)
      if (taken?.answer) return { is: 'inherited', callId: taken.callId, sealed: taken.answer }
      if (taken) return { is: 'claimed' }
      const found = await this.#existing(request)
      // Null: it was given up between the two queries.
      if (found) return found
    }
  }

  async #take({ scope, fingerprint, callId, holder, nowMs, silent }: ClaimRequest) {
    // A claim whose holder died without a response has failed. A failure frees the key, even for another body.
    const [row] = await this.#query<Pick<ClaimRow, 'callId' | 'answer'>>(
      `insert into answer_store.claims as c (scope, fingerprint, call_id, holder, leased_to, expires_at)
       values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms', $6)
       on conflict (scope) do update set
         fingerprint = excluded.fingerprint, holder = excluded.holder, leased_to = excluded.leased_to, settled = false,
         call_id = case when c.answer is null or c.expires_at <= $7 then excluded.call_id else c.call_id end,
         answer = case when c.expires_at <= $7 then null else c.answer end,
         expires_at = case when c.answer is null or c.expires_at <= $7 then excluded.expires_at else c.expires_at end
       where c.expires_at <= $7
         or (not c.settled
             and (c.leased_to <= clock_timestamp() or (c.holder = $8::uuid and c.leased_to = $9::timestamptz))
             and (c.answer is null or c.fingerprint = excluded.fingerprint))
       returning c.call_id, c.answer`,
      [
        ...[scope, fingerprint, callId, holder, CLAIM_LEASE_MS],
        ...[isoTime(nowMs + KEPT_ANSWER_MS), isoTime(nowMs)],
        ...[silent?.holder ?? null, silent?.leasedTo ?? null],
      ],
    )
    return row
  }

  async #existing({ scope, fingerprint }: ClaimRequest): Promise<Claimed | null> {
    const [row] = await this.#query<ClaimRow>(
      `select fingerprint = $2 as same_body, settled, call_id, case when settled and fingerprint = $2 then answer end as answer,
         holder, leased_to::text
       from answer_store.claims where scope = $1`,
      [scope, fingerprint],
    )
    if (!row) return null
    if (!row.sameBody) return { is: 'another body' }
    if (!row.settled || !row.answer) {
      return { is: 'in progress', lease: { holder: row.holder, leasedTo: row.leasedTo } }
    }
    return { is: 'settled', callId: row.callId, sealed: row.answer }
  }

  /**
   * Also renews an expired lease if the claim is still this holder's, but never a released one. Returns the holders whose
   * claims were renewed.
   */
  async renew(held: readonly Holding[]): Promise<string[]> {
    const renewed = await this.#query<Pick<ClaimRow, 'holder'>>(
      `update answer_store.claims c set leased_to = clock_timestamp() + $3 * interval '1 ms'
       from unnest($1::text[], $2::uuid[]) as h (scope, holder)
       where c.scope = h.scope and c.holder = h.holder and c.leased_to > '-infinity'
       returning h.holder`,
      [held.map(({ scope }) => scope), held.map(({ holder }) => holder), CLAIM_LEASE_MS],
    )
    return renewed.map(({ holder }) => holder)
  }

  /** False if another process holds the claim by now. */
  keep({ scope, holder }: Holding, sealed: Buffer): Promise<boolean> {
    return this.#wrote('update answer_store.claims set answer = $3 where scope = $1 and holder = $2 returning 1', [
      scope,
      holder,
      sealed,
    ])
  }

  /**
   * Records that the charge of the call is on the ledger. The holder is not compared, because this is true even if another
   * request has taken the claim over. Returns false if the call was withdrawn, so that its charge is reversed.
   */
  settle(scope: string, callId: string): Promise<boolean> {
    return this.#wrote('update answer_store.claims set settled = true where scope = $1 and call_id = $2 returning 1', [
      scope,
      callId,
    ])
  }

  /** Ends the lease for good, so that another process can inherit the claim at once, even if a renewal is under way. */
  release({ scope, holder }: Holding): Promise<boolean> {
    return this.#wrote(
      "update answer_store.claims set leased_to = '-infinity' where scope = $1 and holder = $2 returning 1",
      [scope, holder],
    )
  }

  /**
   * Frees the key. False if another process has inherited the call and its response. It can be repeated if its result
   * was lost: a claim that is gone, or was made again by another process, has another call id.
   */
  async giveUp({ scope, holder }: Holding, callId: string): Promise<boolean> {
    const isDone = await this.#wrote('delete from answer_store.claims where scope = $1 and holder = $2 returning 1', [
      scope,
      holder,
    ])
    if (isDone) return true
    const heirs = await this.#query('select 1 from answer_store.claims where scope = $1 and call_id = $2', [
      scope,
      callId,
    ])
    return heirs.length === 0
  }

  /**
   * Like giveUp, for a process that may not have taken the claim itself. It waits for neither process: it can be
   * repeated until the claim is no longer inherited.
   */
  async withdraw({ scope, holder }: Holding, callId: string): Promise<Withdrawal> {
    const isDone = await this.#wrote(
      `delete from answer_store.claims where scope = $1 and call_id = $2 and not settled
         and (holder = $3 or leased_to <= clock_timestamp() - $4 * interval '1 ms') returning 1`,
      [scope, callId, holder, ABANDONED_CLAIM_MS],
    )
    if (isDone) return 'withdrawn'
    const [row] = await this.#query<Pick<ClaimRow, 'settled'>>(
      'select settled from answer_store.claims where scope = $1 and call_id = $2',
      [scope, callId],
    )
    if (!row) return 'withdrawn'
    return row.settled ? 'charged' : 'inherited'
  }

  /** Deletes some of the expired claims, and returns their number. */
  async removeExpired(nowMs: number, countMax: number): Promise<number> {
    const removed = await this.#query(
      `delete from answer_store.claims where scope in
         (select scope from answer_store.claims where expires_at <= $1 limit $2 for update skip locked)
       returning 1`,
      [isoTime(nowMs), countMax],
    )
    return removed.length
  }

  #query<Row extends SqlRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return within(this.#sql.query<Row>(text, values), ANSWER_STORE_MS, this.#clock)
  }

  async #wrote(text: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.#query(text, values)).length === 1
  }
}
