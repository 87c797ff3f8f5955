import { latestCheckpoint } from '../../capabilities/transparency/reader.ts'
import { currentOrigin, openSigningKeys, type SigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { transparencyDecider } from '../../domain/transparency/decider.ts'
import { type Clock, isoTime, systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import type { Engines } from '../../platform/engines.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { type Ids, systemIds } from '../../platform/ids/ids.ts'
import { WrongUsage } from '../cli/command.ts'
import { withInstallation } from '../cli/withInstallation.ts'
import { nextOrigin } from '../restore/newOrigin.ts'

export type TransparencyOriginOptions = { readonly reason?: string | undefined; readonly json?: boolean | undefined }

/** Starts a new origin of the log, for a key that the previous one cannot name because it is lost or stolen. */
export async function startTransparencyOrigin({ reason, json }: TransparencyOriginOptions): Promise<number> {
  if (!reason) throw new WrongUsage('--reason is missing: readers of the log are told why it has a new origin')
  const keys = await openSigningKeys(readConfig(process.env))
  const work = { keys, clock: systemClock, ids: systemIds }
  const origin = await withInstallation((engines) => appendOrigin(engines, work, reason))
  const { vkey } = keys.of(origin)[0]
  process.stdout.write(
    json
      ? `${JSON.stringify({ origin, vkey, reason }, null, 2)}\n`
      : `The transparency log continues under a new origin, ${origin}. Publish its verifier key: ${vkey}\n`,
  )
  return 0
}

/** At exactly the revision after the last event of the log, so that a concurrent sealer signs either before or after it. */
export async function appendOrigin(
  { database, storeAsWritten: store }: Pick<Engines, 'database' | 'storeAsWritten'>,
  { keys, clock, ids }: { readonly keys: SigningKeys; readonly clock: Clock; readonly ids: Ids },
  reason: string,
): Promise<string> {
  const at = isoTime(clock.now())
  let last = -1
  for await (const { revision } of store.readStream(CHECKPOINTS_STREAM, { direction: 'backwards', limit: 1 }))
    last = revision
  const origin = nextOrigin(await currentOrigin(database, keys), at)
  const size = (await latestCheckpoint(database))?.size ?? 0
  const [started] = transparencyDecider.decide(
    { type: 'StartOrigin', origin, reason, size, at },
    transparencyDecider.initialState(),
  )
  if (!started) throw new Error(`the origin ${origin} was not started`)
  const id = ids.uuid()
  const cause = { correlationId: id, causationId: id, actor: { kind: 'system', name: 'admin' } } as const
  await new PursuingAppender(store, clock).append(CHECKPOINTS_STREAM, last < 0 ? 'none' : last, [
    newEvent(id, started, cause),
  ])
  return origin
}
