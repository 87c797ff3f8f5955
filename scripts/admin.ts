import { parseArgs } from 'node:util'
import { createSuperAdmin } from './admin/createSuperAdmin.ts'
import { initInstallation } from './admin/initInstallation.ts'
import { repairEvent } from './admin/repairEvent.ts'
import { generateSigningKey } from './admin/signingKey.ts'
import { startTransparencyOrigin } from './admin/transparencyOrigin.ts'
import { runCommand, WrongUsage } from './cli/command.ts'

const CREATE = 'npm run admin -- create-super-admin --email <address> [--generate-password] [--json]'
const INIT = `npm run admin -- init [--email <address>] [--company <name>] [--user <address>] [--price <alias>=<rates>]… \
[--credits <number>] [--key-name <name>] [--json]`

const LOG_KEY = 'npm run admin -- log-key [--origin <name>] [--key-only] [--json]'
const LOG_ORIGIN = 'npm run admin -- log-origin --reason <text> [--json]'
const REPAIR = 'npm run admin -- repair-event --id <event id> --backup <file> --reason <text> [--json]'

const HELP = `
create-super-admin creates a super admin, who creates companies and all other users.

init takes a new installation to its first call: a super admin (--email), a company, its admin (--user), a price for
each alias of PROVIDERS_FILE, credits and a key. It asks at a terminal for what the options do not say. What exists
already stays as it is, so it can be run again. With --price alone it only adds prices. It works beside a running "npm start"
and without one.

log-key generates a key for LOG_SIGNING_KEY, which signs the checkpoints of the transparency log, and its verifier key,
which is public. Its name is the log's origin: --origin, LOG_ORIGIN, or the host of PUBLIC_URL.

log-origin starts a new origin of the transparency log, with a verifier key of that name. Use it if the key in
LOG_SIGNING_KEY cannot be named by its predecessor, because that one is lost or stolen. Readers are told the reason. Set the
new key first.

repair-event puts an event of the PostgreSQL store back as a backup holds it, after it was changed or removed, and stores an
event that says so. It needs the address of the database user that owns the tables as DATABASE_URL; no other may change
events. Run "npm run rebuild -- ledger-log" after it, which compares the log with every checkpoint that was signed.

  --price <alias>=<input>,<output>[,<cached input>,<cache write>,<per call>]
                        credits for a million tokens, and for each call; may be repeated.
                        --price '*=500,1500' is for every alias without a price
  --credits             100 unless given; granted only to a company that never had any
  --key-name            "first key" unless given. The key is printed once; with the name of a key that exists, none is

  Passwords are read from the terminal without echo. Without a terminal they are lines of standard input, of init one
  for each new user, that of the super admin first:
    npm run -s admin -- create-super-admin --email root@example.com < password.txt

  --generate-password   generates a password and prints it once
  --json                prints one JSON document
`

function usageOf(action: string | undefined): string {
  const usages = new Map([
    ['create-super-admin', CREATE],
    ['init', INIT],
    ['log-key', LOG_KEY],
    ['log-origin', LOG_ORIGIN],
    ['repair-event', REPAIR],
  ])
  const first = usages.get(action ?? '') ?? CREATE
  return [first, ...[...usages.values()].filter((usage) => usage !== first)].join('\n')
}

await runCommand({
  // The first line is the usage that is printed for a wrong option.
  help: `${usageOf(process.argv[2])}\n${HELP}`,
  run: async (args) => {
    const [action, ...rest] = args
    const json = { type: 'boolean' } as const
    const text = { type: 'string' } as const
    switch (action) {
      case 'create-super-admin': {
        const options = { email: text, 'generate-password': json, json }
        return createSuperAdmin(parseArgs({ args: rest, options }).values)
      }
      case 'init': {
        const price = { type: 'string', multiple: true } as const
        const options = { email: text, company: text, user: text, price, credits: text, 'key-name': text, json }
        return initInstallation(parseArgs({ args: rest, options }).values)
      }
      case 'log-key': {
        const options = { origin: text, 'key-only': json, json }
        return generateSigningKey(parseArgs({ args: rest, options }).values)
      }
      case 'log-origin':
        return startTransparencyOrigin(parseArgs({ args: rest, options: { reason: text, json } }).values)
      case 'repair-event': {
        const options = { id: text, backup: text, reason: text, json }
        return repairEvent(parseArgs({ args: rest, options }).values)
      }
      default:
        throw new WrongUsage('an action is required: create-super-admin, init, log-key, log-origin, repair-event')
    }
  },
})
