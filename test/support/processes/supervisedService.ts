import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'

/** A service in the tests of the supervisor: answers on its port, and ends on a signal or as set. */
const { CHILD_NAME, CHILD_PORT, CHILD_DIARY = '', CHILD_FAULT = '', CHILD_STUBBORN } = process.env

if (existsSync(CHILD_FAULT)) {
  process.stderr.write('tollgate: there is a fault\n')
  process.exit(1)
}
createServer((_request, response) => response.writeHead(401).end()).listen(Number(CHILD_PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  appendFileSync(CHILD_DIARY, `${CHILD_NAME} received SIGTERM\n`)
  if (CHILD_STUBBORN) return
  // As long as a call takes to finish.
  setTimeout(() => {
    appendFileSync(CHILD_DIARY, `${CHILD_NAME} ends\n`)
    process.exit(0)
  }, 50)
})
