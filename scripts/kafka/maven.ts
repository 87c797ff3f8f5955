import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'
import { KafkaUnavailable } from './unavailable.ts'

type MavenOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called with the name of each file that came over the network. */
  readonly onFetched: (name: string) => void
}

const fetchMsMax = 10 * 60_000

/** Runs the machine's Maven to its end. Where it fetches from is for its own settings to say. */
export async function runMaven(args: readonly string[], { signal, onFetched }: MavenOptions): Promise<void> {
  signal?.throwIfAborted()
  // A group of its own, so that an abort ends the Java behind the shell script too.
  const child = spawn('mvn', ['-B', '--strict-checksums', ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const spawned = once(child, 'spawn')
  const closed = once(child, 'close')
  closed.catch(() => {})
  await spawned.catch((error: NodeJS.ErrnoException) => {
    throw new KafkaUnavailable(
      `Kafka is fetched with Maven, and mvn cannot be run (${error.code}): install it (Debian: maven), or set KAFKA_BROKERS to a Kafka of yours.`,
    )
  })
  const end = () => sendSignal(-(child.pid ?? 0), 'SIGKILL')
  const limit = AbortSignal.any([AbortSignal.timeout(fetchMsMax), ...(signal ? [signal] : [])])
  limit.addEventListener('abort', end, { once: true })
  let fault = ''
  createInterface(child.stdout).on('line', (line) => {
    const fetched = /Downloaded from [^:]+: \S+\/(\S+\.jar) /.exec(line)
    if (fetched?.[1]) onFetched(fetched[1])
    // The first is the fault; those after it say where to read about it.
    if (fault === '' && line.includes('ERROR')) fault = line.replace(/^.*?ERROR\S*\s*/, '')
  })
  const [code] = await closed
  limit.removeEventListener('abort', end)
  signal?.throwIfAborted()
  if (limit.aborted) throw new KafkaUnavailable(`Maven did not fetch Kafka within ${fetchMsMax / 60_000} minutes.`)
  if (code !== 0) throw new KafkaUnavailable(`Maven could not fetch Kafka: ${fault || `it ended with ${code}`}`)
}
