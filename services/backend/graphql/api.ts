import type { ExecutionResult, GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Runtime } from '../../../capabilities/installation.ts'
import { openPaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import { openSavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import { ReceiptReader } from '../../../capabilities/transparency/receiptReader.ts'
import { TransparencyLog } from '../../../capabilities/transparency/transparencyLog.ts'
import { RETRY_AFTER_SECONDS } from '../../../platform/http/answer/unavailableError.ts'
import { LiveLedger } from '../live/liveLedger.ts'
import { CompanyAccess } from './access/companyAccess.ts'
import type { Arrival, GraphqlContext, SignedInUser } from './context.ts'
import { DocumentCache, NO_CACHE } from './limits/documentCache.ts'
import { inputCheck } from './limits/inputCheck.ts'
import { introspectionCache } from './limits/introspectionCache.ts'
import { protections } from './limits/protections.ts'
import { requestBudget } from './limits/requestBudget.ts'
import { shownError } from './maskError.ts'
import type { Logins } from './signIn/logins.ts'
import { userOf } from './signIn/signIn.ts'
import { tracedOperations } from './tracedOperations.ts'
import { type Operations, uploads } from './uploads.ts'

export const GRAPHQL_BATCH_MAX = 10

export type GraphqlApi = ReturnType<typeof createApi>

type Carried = {
  readonly arrival: Arrival
  /** The user of the credentials, if the transport has looked it up already. */
  readonly user?: SignedInUser | null
  /** What a multipart body holds. */
  readonly uploaded?: Operations
}

/** The API, over any transport: schema, limits, and the context of each resolver. */
export function createApi(runtime: Runtime, schema: GraphQLSchema, logins: Logins) {
  const payments = openPaymentProvider(runtime.config, runtime.network)
  const savedPayments = openSavedPayments(runtime.config, runtime.network)
  const companyAccess = new CompanyAccess()
  const receipts = openReceipts(runtime)
  const live = new LiveLedger(runtime)
  const shared = { runtime, logins, payments, savedPayments, companyAccess, receipts, live }
  return createYoga<Carried, GraphqlContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ arrival, user }) => contextOf(shared, arrival, user),
    plugins: [
      ...[uploads, ...protections(), requestBudget(schema), inputCheck, introspectionCache()],
      showingErrors(runtime),
      ...(runtime.tracing ? [tracedOperations(runtime.tracing)] : []),
    ],
    parserAndValidationCache: { documentCache: new DocumentCache(), errorCache: NO_CACHE },
    batching: { limit: GRAPHQL_BATCH_MAX },
    // `showingErrors` masks and logs errors; the route limits bodies before Yoga reads them.
    maskedErrors: false,
    logging: false,
    maxRequestBodySize: false,
    cors: false,
    graphiql: false,
    landingPage: false,
  })
}

type Shared = Pick<
  GraphqlContext,
  'runtime' | 'logins' | 'payments' | 'savedPayments' | 'companyAccess' | 'receipts' | 'live'
>

function openReceipts({ engines, log }: Runtime): ReceiptReader {
  const { database, storeAsWritten: store } = engines
  return new ReceiptReader({ database, store, readTiles: new TransparencyLog(database).readTiles, log })
}

async function contextOf(
  shared: Shared,
  arrival: Arrival,
  user: SignedInUser | null | undefined,
): Promise<GraphqlContext> {
  const { runtime } = shared
  const known = user === undefined ? await userOf(runtime, arrival.credentials) : user
  return {
    ...arrival,
    ...shared,
    user: known,
    isStillSignedIn: async () => isSame(await userOf(runtime, arrival.credentials, { renews: false }), known),
  }
}

/** A person whose role or company was changed starts again, with the access that they have now. */
function isSame(now: SignedInUser | null, before: SignedInUser | null): boolean {
  if (now === null || before === null) return false
  return now.role === before.role && now.companyId === before.companyId && now.isSuperAdmin === before.isSuperAdmin
}

/** Masks the errors of every answer over HTTP. */
function showingErrors(runtime: Runtime): Plugin {
  return {
    onResultProcess: ({ result, setResult, serverContext }) => {
      const { arrival } = serverContext as unknown as Carried
      const shown = (one: unknown) => withStatus(shownResult(one as ExecutionResult, arrival, runtime))
      setResult((Array.isArray(result) ? result.map(shown) : shown(result)) as typeof result)
    },
  }
}

/** Yoga takes the status and the headers from the extension, which it does not send. */
function withStatus(result: ExecutionResult): ExecutionResult {
  if (!result.errors?.some(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE')) return result
  const http = { status: 503, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }
  return { ...result, extensions: { ...result.extensions, http } }
}

/** The result with its errors masked for the caller. */
export function shownResult(result: ExecutionResult, arrival: Arrival, { log }: Runtime): ExecutionResult {
  if (!result.errors) return result
  return { ...result, errors: result.errors.map((error) => shownError(error, arrival.correlationId, log)) }
}
