import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { AppendOutcomeUnknown, type EventStore, StoreUnavailable } from '../../platform/eventStore/port.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { type Certificates, createCertificates } from '../support/callers/certificates.ts'
import { type EventStoreServer, ownEventStoreServer } from '../support/eventStores/eventStoreServer.ts'
import { anEvent } from '../support/events/events.ts'
import { until } from '../support/time/until.ts'

let folder: string
let certificates: Certificates
let server: EventStoreServer | undefined

beforeEach(async (context) => {
  if (server) return
  folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  certificates = await createCertificates(folder)
  const { certificate, key, authorities } = certificates
  server = await ownEventStoreServer(context, {
    args: [
      ...['--certificate-file', certificate, '--certificate-private-key-file', key],
      ...['--trusted-root-certificates-path', authorities],
    ],
  })
})
afterAll(async () => {
  await server?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const host = () => `127.0.0.1:${server?.port}`
const trusting = () => `tlsCAFile=${encodeURIComponent(certificates.authority)}`

async function using<Result>(url: string, use: (store: EventStore) => Promise<Result>): Promise<Result> {
  const store = openEventStoreDb(url, {
    clock: systemClock,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
  })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** false, so that it is tried again, if there was no answer in time. */
function onceReachable(error: unknown): false {
  if (error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown) return false
  throw error
}

describe('a server with TLS and users', () => {
  test.each(['esdb', 'esdb+discover'])(
    'is used with its authority and a user that may read all streams (%s)',
    (scheme) =>
      using(`${scheme}://admin:changeit@${host()}?${trusting()}`, async (store) => {
        // A server that has just started, or that gets little of the processor, may not answer in time.
        await until('an event is stored', () => store.append('test-tls', 'any', [anEvent()]).catch(onceReachable))
        expect(await until('the store tells its head', () => store.head().catch(onceReachable))).toMatch(/^\d{20}$/)
      }),
  )

  test.each([
    ['a wrong password', () => `esdb://admin:wrong-one@${host()}?${trusting()}`, /user or the password .* is wrong/],
    ['no user', () => `esdb://${host()}?${trusting()}`, /may not do that.*\$admins/],
    ['a user without the right', () => `esdb://ops:changeit@${host()}?${trusting()}`, /may not do that.*\$admins/],
    ['an unknown authority', () => `esdb://admin:changeit@${host()}`, /unable to verify the first certificate/],
    ['an unknown authority, discovering', () => `esdb+discover://admin:changeit@${host()}`, /unable to verify/],
    ['no TLS', () => `esdb://admin:changeit@${host()}?tls=false`, /No connection established/],
  ])('is refused with %s, with a reason and without the password', async (_, url, reason) => {
    const failure = await using(url(), (store) => store.head()).catch((error: Error) => error.message)
    expect(failure).toMatch(reason)
    expect(failure).not.toMatch(/changeit|wrong-one/)
  })
})
