import { expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { knownSecrets, passwordsIn } from './knownSecrets.ts'

const SECRETS = { jwtSecret: 'a-jwt-secret', internalToken: 'an-internal-token', webhookSecret: 'a-webhook-secret' }

test('the secrets of an installation are its own, those in its settings and the passwords in its addresses', () => {
  const config = readConfig({
    SANDBOX: '0',
    DATABASE_URL: 'postgres://tollgate:db%2Fpassword@db.example/tollgate',
    REDIS_URL: 'redis://:redis-password@redis.example',
    EVENTSTORE_URL: 'esdb://admin:changeit@esdb.example:2113',
    STRIPE_SECRET_KEY: 'a-stripe-key',
    INTERNAL_TOKEN: 'an-internal-token',
  })
  expect(knownSecrets(config, SECRETS).toSorted()).toEqual(
    [
      ...Object.values(SECRETS),
      ...['db%2Fpassword', 'db/password', 'redis-password', 'changeit', 'a-stripe-key'],
    ].toSorted(),
  )
})

test.each([
  ['esdb://admin:changeit@a:2113,b:2113?tls=false', ['changeit']],
  ['smtp://user:p@ss@mail.example', ['p@ss']],
  ['http://user@host/a:b@c', []],
  ['http://host:80/', []],
  ['postgres://user:%zz@host', ['%zz']],
  ['', []],
])('the password of %s is found', (address, passwords) => {
  expect(passwordsIn(address)).toEqual(passwords)
})
