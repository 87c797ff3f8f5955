import { parseCheckpoint } from '../../capabilities/transparency/checkpoint.ts'
import { openNote } from '../../capabilities/transparency/note.ts'
import { tilePath } from '../../capabilities/transparency/tiles.ts'
import { type Installation, startInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { KEY, ORIGIN } from '../support/transparency/sampleTransparencyLog.ts'
import type { ReadFile, Sample } from './sampleFolder.ts'

/** Enough for a full tile and one of the second level. */
const CALLS = 260
const CALLS_AT_ONCE = 20
const SIGNED_MS_MAX = 60_000
/** The credits of the demo, and its price book. The number of entries after them is that of the calls. */
const ENTRIES_AT_START = 2

export type Receipt = { readonly event: { readonly id: string }; readonly proof: string }

/** What an installation serves over HTTP about calls that were made through it, and nothing that it has in its database. */
export type ServedTransparencyLog = {
  readonly sample: Sample
  readonly readFile: ReadFile
  readonly receipts: readonly Receipt[]
  /** The checkpoint from before the calls. */
  readonly older: string
  /** The program that checks receipts. */
  readonly checker: string
  stop(): Promise<void>
}

/** Runs `npm start`, and makes calls between two checkpoints. */
export async function startServedTransparencyLog(): Promise<ServedTransparencyLog> {
  const installation = await startInstallation({ ...UNLIMITED, LOG_ORIGIN: ORIGIN, LOG_SIGNING_KEY: KEY.text })
  try {
    const older = await signed(installation, ENTRIES_AT_START)
    const calls = await makeCalls(installation)
    await signed(installation, sizeOf(older) + calls.length)
    const since = sizeOf(older)
    const requests = [calls[0], calls[calls.length >> 1], calls.at(-1)].map((id) =>
      receiptOf(installation, id ?? '', since),
    )
    const receipts = await Promise.all(requests)
    const proofs = receipts.map(({ proof }) => readProof(proof))
    const [proof] = proofs
    if (proof === undefined) throw new Error('there is no receipt')
    // Nothing is added to the ledger any more, so that all receipts are of the same tree.
    const last = openedNote(proof.note)
    const sample: Sample = {
      origin: ORIGIN,
      keys: [{ private: KEY.text, vkey: KEY.vkey }],
      checkpoints: [
        { size: since, note: older },
        { size: last.size, note: proof.note },
      ],
      inclusion: proofs.map(({ index, inclusion }) => ({ size: last.size, index, proof: inclusion })),
      consistency: [{ from: since, to: last.size, proof: proof.consistency }],
    }
    const checker = await (await get(installation, 'check.mjs')).text()
    const readFile: ReadFile = async (file) => {
      const answer = await get(installation, tilePath(file))
      if (answer.status !== 200) throw new Error(`${tilePath(file)} is answered with ${answer.status}`)
      return new Uint8Array(await answer.arrayBuffer())
    }
    return { sample, readFile, receipts, older, checker, stop: () => installation.stop() }
  } catch (error) {
    await installation.stop()
    throw error
  }
}

const get = ({ demo }: Installation, path: string) => fetch(`${demo.backendUrl}/log/${path}`)
const openedNote = (note: string) => parseCheckpoint(openNote(note, [KEY]))
const sizeOf = (note: string): number => openedNote(note).size

/** The first checkpoint that covers so many entries. */
function signed(installation: Installation, size: number): Promise<string> {
  const covering = async () => {
    const answer = await get(installation, 'checkpoint')
    const note = await answer.text()
    return answer.status === 200 && sizeOf(note) >= size && note
  }
  return until(`a checkpoint covers ${size} entries`, covering, SIGNED_MS_MAX)
}

/** The request ids of the calls. */
async function makeCalls({ demo }: Installation): Promise<string[]> {
  const ids: string[] = []
  const headers = { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'hello' }] })
  while (ids.length < CALLS) {
    const calls = Array.from({ length: CALLS_AT_ONCE }, async () => {
      const answer = await fetch(`${demo.gatewayUrl}/chat/completions`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`a call is answered with ${answer.status}`)
      return answer.headers.get('x-request-id') ?? ''
    })
    ids.push(...(await Promise.all(calls)))
  }
  return ids
}

async function receiptOf({ demo }: Installation, callId: string, since: number): Promise<Receipt> {
  const headers = { authorization: `Bearer ${demo.apiKey}` }
  const answer = await fetch(`${demo.gatewayUrl}/calls/${callId}/receipt?since=${since}`, { headers })
  if (answer.status !== 200) throw new Error(`the receipt of ${callId} is answered with ${answer.status}`)
  return (await answer.json()) as Receipt
}

/** C2SP tlog-proof, read without any code that writes one. */
function readProof(text: string) {
  const [head = '', ...rest] = text.split('\n\n')
  const [version, extra = '', index = '', ...inclusion] = head.split('\n')
  if (version !== 'c2sp.org/tlog-proof@v1') throw new Error(`this is not a tlog-proof: ${version}`)
  const [, ...consistency] = Buffer.from(extra.replace('extra ', ''), 'base64').toString().trimEnd().split('\n')
  return { index: Number(index.replace('index ', '')), inclusion, consistency, note: rest.join('\n\n') }
}
