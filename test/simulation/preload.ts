// What the product imports at its first use, loaded before the first run: in a run it is then there at once, in a process
// that starts first as in one that starts again.
import '../../capabilities/statements/statementPdf.ts'
import '../../services/backend/graphql/api.ts'
import '../../services/backend/graphql/limits/protections.ts'
import '../../services/backend/graphql/schema.ts'
import '../../services/backend/graphql/signIn/logins.ts'
import '../../services/backend/graphql/signIn/userOfPassword.ts'
import '../../services/backend/graphql/sockets/sockets.ts'

// A stream that is piped looks at these two, which are opened when they are first looked at.
export const OPENED = [process.stdout, process.stderr]
