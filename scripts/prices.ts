import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from './cli/command.ts'
import { importPrices } from './prices/importPrices.ts'

const HELP = `npm run prices -- import <file> [--times <factor>] [--entry <alias>=<entry>]… [--company <id>] [--from <time>] [--days <n>] [--publish] [--json]

Reads prices from a file, shows what they would change and what the calls of the last days would have cost with them, and
publishes them as a price book. At a terminal it asks before it publishes; elsewhere it publishes with --publish only. It works
beside a running "npm start" and without one.

The file is one of two:
- LiteLLM's list of model prices (model_prices_and_context_window.json). Each alias of PROVIDERS_FILE gets the price of its
  first provider's model. Prices without a rate of ours are named and left out; nothing is guessed.
- a table with commas. The columns alias, input and output are needed; an empty field is a rate that is not set. Others are
    cached_input cache_write cache_write_1h audio_input image_input reasoning audio_output image_output
                   credits for a million tokens, like input and output
    per_call       credits for each call
    units          credits for one unit, such as "image=0.04 tool:web_search=0.01"
    service_tiers  what the rates of tokens are multiplied by, such as "priority=2 flex=0.5"
    input_tiers    the rates of calls with more input, such as ">200000 input=5 output=15; >1000000 input=10 output=30";
                   ">=200000" includes that size. Each needs input and output, and may name every other rate of tokens

Aliases that the file has no price for keep theirs.

  --times <factor>          multiplies every amount; 1.2 adds a fifth. The prices of the list are dollars, and a credit is worth
                            one unless the factor says otherwise
  --entry <alias>=<entry>   the entry of the list for an alias, where the model's name is not enough; may be repeated
  --company <id>            the prices of this company, instead of those of all
  --from <time>             when they take effect (ISO 8601); as soon as possible unless given
  --days <n>                the days whose calls are computed again, 7 unless given
  --publish                 publishes without asking
  --json                    prints one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const [action, ...rest] = args
    if (action !== 'import') throw new WrongUsage('an action is required: import')
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    const options = { times: text, company: text, from: text, days: text, publish: flag, json: flag } as const
    const entry = { type: 'string', multiple: true } as const
    const { values, positionals } = parseArgs({ args: rest, options: { ...options, entry }, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new WrongUsage('import takes one file')
    return importPrices(file, values)
  },
})
