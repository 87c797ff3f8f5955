import { describe, expect, test } from 'vitest'
import { parseStoreAddress } from './connectionString.ts'

describe('an address of the event store', () => {
  test('with one host is one node, on port 2113 unless it says otherwise', () => {
    expect(parseStoreAddress('esdb://es?tls=false')).toMatchObject({
      seeds: [{ address: 'es', port: 2113 }],
      isCluster: false,
      certificates: null,
      user: undefined,
    })
  })

  test('with several hosts is a cluster', () => {
    const { seeds, isCluster, user } = parseStoreAddress('esdb://ops:changeit@a:2113,b:2114,c:2115?tls=true')
    expect(seeds).toEqual([
      { address: 'a', port: 2113 },
      { address: 'b', port: 2114 },
      { address: 'c', port: 2115 },
    ])
    expect(isCluster).toBe(true)
    expect(user).toEqual({ username: 'ops', password: 'changeit' })
  })

  test('with discovery is a cluster, even with one host', () => {
    expect(parseStoreAddress('esdb+discover://es.example:2113').isCluster).toBe(true)
  })

  test('may have a password with escaped characters and colons', () => {
    const { user, seeds } = parseStoreAddress('esdb://admin:p%40ss:w%2Ford@es:2113')
    expect(user).toEqual({ username: 'admin', password: 'p@ss:w/ord' })
    expect(seeds).toEqual([{ address: 'es', port: 2113 }])
  })

  test('may set the keep-alive times', () => {
    expect(parseStoreAddress('esdb://es?keepAliveInterval=2000&keepAliveTimeout=1000').keepAlive).toEqual({
      intervalMs: 2_000,
      timeoutMs: 1_000,
    })
  })

  test('may end with a slash and name its options as other clients do', () => {
    const address = parseStoreAddress(' esdb://es/?TLS=false&keep-alive_interval=3000&nodePreference=leader ')
    expect(address).toMatchObject({ seeds: [{ address: 'es', port: 2113 }], certificates: null })
    expect(address.keepAlive.intervalMs).toBe(3_000)
    expect(parseStoreAddress('esdb://es:2114/').seeds).toEqual([{ address: 'es', port: 2114 }])
  })

  test.each([
    ['another scheme', 'http://admin:secret@es', /esdb:\/\//],
    ['an unknown option', 'esdb://admin:secret@es?tsl=false', /none of tls, /],
    ['a keep-alive time that is not a number', 'esdb://admin:secret@es?keepAliveTimeout=soon', /milliseconds/],
    ['a port of letters', 'esdb://admin:secret@es:http', /expected port number/],
    ['a password with a bare ?', 'esdb://admin:secret?secret@es', /expected port number/],
    ['a password with a bare /', 'esdb://admin:secret/secret@es', /its form is/],
    ['no port after the colon', 'esdb://admin:secret@:?tls=maybe', /expected port number/],
    ['a port that is too large', 'esdb://admin:secret@es:99999', /between 1 and 65535/],
    ['an option with another value', 'esdb://admin:secret@es:2113?tls=maybe', /expected true or false/],
    ['a user without a password', 'esdb://admin@es:2113', /user:password/],
    ['a password with a bare %', 'esdb://admin:secret%@es:2113', /%25/],
    ['a certificate that does not exist', 'esdb://admin:secret@es?tlsCAFile=/no/such/file', /\/no\/such\/file/],
    ['a certificate without its key', 'esdb://admin:secret@es?userCertFile=/some/file', /userKeyFile/],
    ['no host', 'esdb://admin:secret@?tls=false', /expected host/],
  ])('with %s is refused with the reason and without the password', (_, url, reason) => {
    expect(() => parseStoreAddress(url)).toThrow(reason)
    expect(() => parseStoreAddress(url)).not.toThrow(/secret/)
  })
})
