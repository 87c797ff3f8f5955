import { z } from 'zod'
import type { Runtime } from '../../../capabilities/installation.ts'
import { openStatementFile } from '../../../capabilities/statements/statementFile.ts'
import {
  STATEMENT_FORMATS,
  STATEMENT_TYPES,
  statementFileName,
} from '../../../capabilities/statements/statementFormat.ts'
import { LedgerChanged } from '../../../capabilities/statements/statementLines.ts'
import { InvalidPeriod } from '../../../capabilities/statements/statementRange.ts'
import { Statements } from '../../../capabilities/statements/statements.ts'
import { ReceiptFault, TransparencyLogShorter } from '../../../capabilities/transparency/entryReceipt.ts'
import { TransparencyLogIncomplete } from '../../../capabilities/transparency/reader.ts'
import { isUuid } from '../../../contracts/uuid.ts'
import { isoTime, parseTime } from '../../../platform/clock/clock.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { sendStream } from '../../../platform/http/answer/sendStream.ts'
import { InFlight } from '../../../platform/http/limits/inFlight.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { companyById } from '../../../projections/companies/queries.ts'
import { CompanyAccess } from '../graphql/access/companyAccess.ts'
import { READERS_OF_MONEY } from '../graphql/access/operationAccess.ts'
import type { SignedInUser } from '../graphql/context.ts'
import type { BackendCaller } from '../userGuard.ts'

/** Each reads a part of a ledger, so a few at a time are enough for one backend. */
const STATEMENTS_IN_FLIGHT_MAX = 20

const time = (which: string) =>
  z
    .string()
    .refine((text) => parseTime(text) !== null, 'a time must be ISO 8601 with a zone, or a date')
    .transform((text) => isoTime(parseTime(text) ?? 0))
    .meta({ description: which })
const query = z.strictObject({
  from: time('The first moment, by when entries were stored'),
  to: time('The end, exclusive'),
  format: z.enum(STATEMENT_FORMATS).default('json'),
  since: z
    .string()
    .regex(/^\d{1,15}$/, 'since must be the size of an older checkpoint')
    .transform(Number)
    .optional()
    .meta({
      description: 'The size of an older checkpoint; the proof then shows that the log still contains its entries',
    }),
  wait: z
    .string()
    .regex(/^(\d|1[0-5])$/, 'wait is at most 15 seconds')
    .transform((text) => Number(text) * 1_000)
    .optional()
    .meta({ description: 'Seconds to wait for a checkpoint that covers the last entry; 15 by default' }),
})

/** `GET /statements/<companyId>`: a statement of the ledger as a file, sent while it is read. */
export function statement(runtime: Runtime): Route<BackendCaller> {
  const statements = new Statements(runtime)
  const accesses = new CompanyAccess()
  return route({
    method: 'GET',
    traced: true,
    path: '/statements/:companyId',
    access: 'user',
    tag: 'Ledger',
    summary: 'A statement of the ledger: entries, balances and totals of a time, signed',
    description: 'For owners, admins, billing and auditors of the company. The access of a super admin is recorded.',
    query,
    inFlight: new InFlight(STATEMENTS_IN_FLIGHT_MAX),
    refusals: {
      401: 'There is no valid token',
      403: 'The role may not read the ledger',
      404: 'There is no such company',
    },
    handle: async ({ caller: user, query: { from, to, format, since, wait }, params, requestId, response }) => {
      if (!user) throw new HttpError(401, 'this needs "Authorization: Bearer <token>" with a valid token from login')
      const companyId = params.companyId?.toLowerCase() ?? ''
      const company =
        isUuid(companyId) && mayKnow(user, companyId) ? await companyById(runtime.engines.database, companyId) : null
      if (!company) throw new HttpError(404, `there is no company ${companyId.slice(0, 100)}`)
      if (user.companyId !== companyId) await accesses.record({ runtime, user, correlationId: requestId }, companyId)
      else if (!READERS_OF_MONEY.roles.some((role) => role === user.role)) {
        throw new HttpError(403, `statements are for ${READERS_OF_MONEY.roles.join(', ')}, and you are ${user.role}`)
      }
      try {
        const made = await statements.open(
          { companyId, from, to },
          { since, ...(wait !== undefined && { waitMs: wait }) },
        )
        const headers = {
          'content-type': STATEMENT_TYPES[format],
          'content-disposition': `attachment; filename="${statementFileName(made.range, format)}"`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        }
        return await sendStream(response, headers, await openStatementFile(made, format, company.name))
      } catch (error) {
        throw httpErrorOf(error)
      }
    },
  })
}

function mayKnow({ companyId, isSuperAdmin }: SignedInUser, wantedId: string): boolean {
  return isSuperAdmin || companyId === wantedId
}

function httpErrorOf(error: unknown): unknown {
  if (error instanceof InvalidPeriod || error instanceof TransparencyLogShorter)
    return new HttpError(400, error.message)
  const isFault =
    error instanceof ReceiptFault || error instanceof TransparencyLogIncomplete || error instanceof LedgerChanged
  return isFault ? new HttpError(503, error.message) : error
}
