import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Certificates = {
  /** The certificate authority that clients trust. */
  readonly authority: string
  /** A folder with only that authority, for a node's trusted roots. */
  readonly authorities: string
  readonly certificate: string
  readonly key: string
}

const EXTENSIONS = `subjectAltName=IP:127.0.0.1,DNS:localhost
extendedKeyUsage=serverAuth,clientAuth
keyUsage=digitalSignature,keyEncipherment
`

/** Makes an authority and a node certificate for this machine with openssl. */
export async function createCertificates(folder: string): Promise<Certificates> {
  const authorities = join(folder, 'authorities')
  const at = (name: string) => join(folder, name)
  const authority = join(authorities, 'ca.crt')
  await mkdir(authorities, { recursive: true })
  await writeFile(at('extensions'), EXTENSIONS)
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test authority'],
    ...['-addext', 'basicConstraints=critical,CA:TRUE', '-keyout', at('ca.key'), '-out', authority],
  ])
  // The server accepts only this older key format.
  await run('openssl', ['genrsa', '-traditional', '-out', at('node.key'), '2048'])
  const subject = '/CN=eventstoredb-node'
  await run('openssl', ['req', '-new', '-key', at('node.key'), '-subj', subject, '-out', at('node.csr')])
  await run('openssl', [
    ...['x509', '-req', '-in', at('node.csr'), '-CA', authority, '-CAkey', at('ca.key'), '-CAcreateserial'],
    ...['-days', '2', '-extfile', at('extensions'), '-out', at('node.crt')],
  ])
  return { authority, authorities, certificate: at('node.crt'), key: at('node.key') }
}
