import type { Runtime } from '../../../capabilities/installation.ts'
import { TransparencyLogIncomplete } from '../../../capabilities/transparency/reader.ts'
import { currentKeys, openSigningKeys, type SigningKeys } from '../../../capabilities/transparency/signingKeys.ts'
import { parseTilePath } from '../../../capabilities/transparency/tiles.ts'
import type { TransparencyLog } from '../../../capabilities/transparency/transparencyLog.ts'
import { SettingError } from '../../../platform/config/settingError.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { ANY_ORIGIN, publicFile } from './publicFile.ts'

/** A checkpoint is replaced at most every ten seconds, and an older one does no harm. */
const CHECKPOINT_CACHE = 'public, max-age=5'
/** Also of a tile that is not full: it is the beginning of the full one, which no later tree can change. */
const TILE_CACHE = 'public, max-age=31536000, immutable'
const RETRY_SECONDS = 10
const TEXT = 'text/plain; charset=utf-8'

/** Not cached, because the missing file may exist soon. */
const notThere = (message: string, retrySeconds?: number): HttpError =>
  new HttpError(404, message, {
    ...ANY_ORIGIN,
    'cache-control': 'no-store',
    ...(retrySeconds === undefined ? {} : { 'retry-after': String(retrySeconds) }),
  })

/** The transparency log as C2SP tlog-tiles, under the prefix /log. */
export function transparencyLogRoutes(
  transparencyLog: TransparencyLog,
  { config, engines, ...runtime }: Pick<Runtime, 'config' | 'log'> & { engines: Pick<Runtime['engines'], 'database'> },
) {
  const checkpoint = route({
    method: 'GET',
    path: '/log/checkpoint',
    access: 'public',
    takesPlace: true,
    summary: 'The latest signed checkpoint of the transparency log (C2SP tlog-checkpoint)',
    query: anyQuery,
    handle: async (input) => {
      const latest = await transparencyLog.checkpoint()
      if (latest === null) throw notThere('the log has no checkpoint yet', RETRY_SECONDS)
      const bytes = Buffer.from(latest.note)
      return publicFile(input, { contentType: TEXT, cacheControl: CHECKPOINT_CACHE, bytes })
    },
  })

  const tile = route({
    method: 'GET',
    path: '/log/tile/*path',
    access: 'public',
    takesPlace: true,
    summary: "A tile of the log's tree, or a bundle of its entries (C2SP tlog-tiles)",
    query: anyQuery,
    handle: async (input) => {
      const path = `tile/${input.params.path ?? ''}`
      const file = parseTilePath(path)
      if (file === undefined) throw notThere('this is not the path of a tile: tile/<level>/<index>[.p/<width>]')
      const bytes = await transparencyLog.file(file).catch((error: unknown) => {
        if (!(error instanceof TransparencyLogIncomplete)) throw error
        runtime.log.error({ err: error, path }, 'a tile of the transparency log is missing')
        throw new HttpError(503, error.message, { ...ANY_ORIGIN, 'retry-after': String(RETRY_SECONDS) })
      })
      if (bytes === null) throw notThere(`no checkpoint covers ${path} yet`)
      return publicFile(input, { contentType: 'application/octet-stream', cacheControl: TILE_CACHE, bytes })
    },
  })

  /** Read on first use; they change only with a restart. */
  let opened: Promise<SigningKeys> | undefined
  const vkey = route({
    method: 'GET',
    path: '/log/vkey',
    access: 'public',
    takesPlace: true,
    summary:
      "The log's verifier keys, the newest first, and after an empty line a signed note for each key that was replaced",
    query: anyQuery,
    handle: async (input) => {
      opened ??= openSigningKeys(config)
      const keys = await opened.catch((error: unknown) => {
        if (!(error instanceof SettingError)) throw error
        throw notThere("this installation does not say its key here; ask its operator for the log's verifier key")
      })
      const { vkeys, rotations } = await currentKeys(engines.database, keys)
      if (vkeys.length === 0) throw notThere('LOG_SIGNING_KEY of this installation is not the key that signed its log')
      const notes = rotations.map(({ note }) => `\n${note}`)
      const bytes = Buffer.from(`${vkeys.join('\n')}\n${notes.join('')}`)
      return publicFile(input, { contentType: TEXT, cacheControl: CHECKPOINT_CACHE, bytes })
    },
  })

  return [checkpoint, tile, vkey]
}
