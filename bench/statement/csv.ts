import { statementCsv } from '../../capabilities/statements/statementCsv.ts'
import { statementRange } from '../../capabilities/statements/statementRange.ts'
import { signNote } from '../../capabilities/transparency/note.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'
import { printMeasured } from '../audit/measured.ts'
import { withBenchStore } from './benchStore.ts'

const [companyId = ''] = process.argv.slice(2)
const KEY = signingKey('bench.test', Buffer.alloc(32, 1))
const UNPROVEN = { previous: null, last: null, proven: null, proof: null, secret: null }

/** The whole statement, as received by a client that reads it as fast as it comes. */
await withBenchStore((engines) =>
  printMeasured(async () => {
    const to = new Date(systemClock.now() + 60_000).toISOString()
    const range = await statementRange(engines, { companyId, from: '2020-01-01T00:00:00.000Z', to })
    let lines = 0
    for await (const piece of statementCsv({
      engines,
      range,
      proof: UNPROVEN,
      madeAt: to,
      sign: (text) => signNote(text, [KEY]),
    })) {
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1
    }
    if (range.count === 0 || lines < range.count) throw new Error(`${lines} lines for ${range.count} entries`)
  }),
)
