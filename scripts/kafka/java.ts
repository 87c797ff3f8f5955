import { join } from 'node:path'
import { runCommand } from '../../platform/postgres/embedded/runCommand.ts'
import { KafkaUnavailable } from './unavailable.ts'

// The oldest Java that brokers of Kafka 4 run on.
const majorMin = 17

/** The installed Java, from JAVA_HOME or the search path. */
export async function findJava(signal?: AbortSignal): Promise<string> {
  const home = process.env.JAVA_HOME
  const java = home ? join(home, 'bin', 'java') : 'java'
  const { ok, output } = await runCommand(java, ['-version'], { signal })
  const major = Number(/version "(\d+)/.exec(output)?.[1])
  if (!ok) {
    throw new KafkaUnavailable(
      `Kafka needs Java ${majorMin} or newer, and ${java} cannot be run: install one (Debian: default-jre-headless), or set JAVA_HOME.`,
    )
  }
  if (!(major >= majorMin)) {
    throw new KafkaUnavailable(
      `Kafka needs Java ${majorMin} or newer, and ${java} is ${major || 'of an unknown version'}.`,
    )
  }
  return java
}
