import { pathToFileURL } from 'node:url'
import { DocumentReader } from '../../../capabilities/documents/documentReader.ts'
import { systemClock } from '../../../platform/clock/clock.ts'

/** A process that reads a document with this program, prints the name of the error, and exits, if it survives. */
const [program = ''] = process.argv.slice(2)
const reader = new DocumentReader(
  systemClock,
  { heapMbMax: 64, readMs: 600_000, cpuMs: 600_000 },
  pathToFileURL(program),
)
const outcome = await reader.read('docx', Buffer.from('a document'), { companyId: 'ours' }).catch((error) => error.name)
process.stdout.write(outcome, () => process.exit())
