import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { KafkaUnavailable } from './unavailable.ts'

type MavenOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called with the name of each file that was downloaded. */
  readonly onFetched: (name: string) => void
}

const fetchMsMax = 10 * 60_000

/** Runs the installed Maven. Its own settings name the repository. */
export async function runMaven(args: readonly string[], { signal, onFetched }: MavenOptions): Promise<void> {
  signal?.throwIfAborted()
  // Its own process group, so that an abort also ends the Java process behind the shell script.
  const child = spawn('mvn', ['-B', '--strict-checksums', ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const spawned = once(child, 'spawn')
  const closed = once(child, 'close')
  closed.catch(() => {})
  await spawned.catch((error: NodeJS.ErrnoException) => {
    throw new KafkaUnavailable(
      `Maven is needed to download Kafka, and mvn cannot be run (${error.code}): install it (Debian: maven), or set KAFKA_BROKERS to your own Kafka.`,
    )
  })
  const end = () => sendSignal(-(child.pid ?? 0), 'SIGKILL')
  const limit = AbortSignal.any([AbortSignal.timeout(fetchMsMax), ...(signal ? [signal] : [])])
  limit.addEventListener('abort', end, { once: true })
  let fault = ''
  createInterface(child.stdout).on('line', (line) => {
    const fetched = /Downloaded from [^:]+: \S+\/(\S+\.jar) /.exec(line)
    if (fetched?.[1]) onFetched(fetched[1])
    // The first error is the cause; the following ones refer to documentation.
    if (fault === '' && line.includes('ERROR')) fault = line.replace(/^.*?ERROR\S*\s*/, '')
  })
  const [code] = await closed
  limit.removeEventListener('abort', end)
  signal?.throwIfAborted()
  if (limit.aborted) throw new KafkaUnavailable(`Maven did not download Kafka within ${fetchMsMax / 60_000} minutes.`)
  if (code !== 0) throw new KafkaUnavailable(`Maven could not download Kafka: ${fault || `it ended with ${code}`}`)
}
