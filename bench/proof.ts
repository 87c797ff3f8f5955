import { runBench } from './benchCommand.ts'
import { benchSealedChat } from './proof/chat.ts'
import { benchTransparency } from './proof/transparency.ts'

await runBench({
  name: 'bench:proof',
  measures:
    'Measures the transparency log: sealing beside a bare read, a receipt of a log of a million entries beside a look-up ' +
    'by primary key, and chat calls with and without the sealer',
  parts: { log: benchTransparency, chat: benchSealedChat },
  short: 'the log has 20,000 entries and there are two rounds of calls; nothing is written.',
  resultsFile: 'proof.json',
})
