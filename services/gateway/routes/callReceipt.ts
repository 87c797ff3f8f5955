import { z } from 'zod'
import { ReceiptFault, TransparencyLogShorter } from '../../../capabilities/transparency/entryReceipt.ts'
import { TransparencyLogIncomplete } from '../../../capabilities/transparency/reader.ts'
import { RECEIPT_VERSION } from '../../../capabilities/transparency/receiptReader.ts'
import { isUuid } from '../../../contracts/uuid.ts'
import { route } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import { MOUNT } from './mount.ts'

/** While calls are made, checkpoints are at most ten seconds apart. */
const RETRY_SECONDS = 10

const receiptQuery = z.looseObject({
  since: z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, { error: "'since' must be the size of a checkpoint: a number from 0." })
    .transform(Number)
    .optional()
    .meta({
      description: 'the size of an older checkpoint; the proof then shows that the log still contains its entries',
      override: { type: 'integer', minimum: 0 },
    }),
})

const entryFields = {
  event: z.object({
    stream: z.string(),
    number: z.number().meta({ description: 'counts the entries of its ledger in the log from 0' }),
    id: z.string(),
    type: z.string(),
    time: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'as it was stored; provider and cost are replaced by their hash, `withheld`' }),
  }),
  previous: z
    .string()
    .nullable()
    .meta({ description: 'the entry before on its ledger, in base64; null for the first' }),
  salt: z.string().meta({ description: 'of the hash of the entry, in base64' }),
  proof: z.string().meta({ description: 'C2SP tlog-proof: the place in the log, with a signed checkpoint' }),
}

const receiptAnswer = z
  .object({
    version: z.literal(RECEIPT_VERSION).meta({ description: 'of the format of the receipt' }),
    ...entryFields,
    event: entryFields.event.meta({ description: 'the event that ended the call' }),
    book: z.object(entryFields).nullable().meta({
      description:
        'the price book of a charge in the same tree; null if the call failed, or no checkpoint covers the book yet',
    }),
  })
  .meta({ id: 'Receipt' })

/** The proof that the end of a call is in the transparency log, for `npm run check`. */
export const callReceipt = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    path: `${MOUNT}/calls/:id/receipt`,
    access: 'key',
    scope: 'usage:read',
    tag: 'Usage',
    summary:
      'The receipt of one call of this key: its ledger event, with a proof of its place in the transparency log.',
    query: receiptQuery,
    answer: receiptAnswer,
    refusals: {
      404: 'This key has made no such call, or no signed checkpoint of the log covers it yet (`retry-after`).',
      500: 'The stored event is not the one that was logged (`LEDGER_MISMATCH`).',
    },
    handle: ({
      caller,
      params,
      query,
    }: {
      caller: RequestContext
      params: Readonly<Record<string, string>>
      query: z.infer<typeof receiptQuery>
    }) => receiptOf(deps, caller.key, params.id ?? '', query.since),
  })

async function receiptOf(
  { readReceipt }: Pick<GatewayDependencies, 'readReceipt'>,
  { companyId, keyId }: RequestContext['key'],
  id: string,
  since: number | undefined,
) {
  if (!isUuid(id)) throw new GatewayError('unknownCall', 'The id of a call is the x-request-id of its answer.')
  const receipt = await readReceipt(companyId, id, { keyId, since }).catch((error: unknown) => {
    throw refusalOf(error)
  })
  if (receipt !== null) return receipt
  const message = `This key has made no call ${id}, or no signed checkpoint of the log covers the call yet.`
  throw new GatewayError('unknownCall', message, { retryAfterSeconds: RETRY_SECONDS })
}

function refusalOf(error: unknown): unknown {
  if (error instanceof TransparencyLogShorter) return invalidRequest(error.message)
  if (error instanceof ReceiptFault) return new GatewayError('ledgerMismatch', error.message)
  if (!(error instanceof TransparencyLogIncomplete)) return error
  const message = 'The transparency log is being rebuilt. Retry later.'
  return new GatewayError('unavailable', message, { retryAfterSeconds: RETRY_SECONDS })
}
