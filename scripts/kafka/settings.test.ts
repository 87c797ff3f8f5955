import { describe, expect, test } from 'vitest'
import { asProperties, brokerAddresses, settingsOf } from './settings.ts'

const shapeOf = (brokers: number) => ({
  ports: Array.from({ length: brokers }, (_, n) => 9_001 + n),
  controllerPorts: Array.from({ length: brokers }, (_, n) => 9_101 + n),
})

describe('the settings of a broker', () => {
  test.for([
    { brokers: 1, copies: '1', inSync: '1' },
    { brokers: 2, copies: '2', inSync: '1' },
    { brokers: 3, copies: '3', inSync: '2' },
    { brokers: 5, copies: '3', inSync: '2' },
  ])('of $brokers: $copies copies, of which $inSync must be in sync', ({ brokers, copies, inSync }) => {
    const settings = settingsOf(1, shapeOf(brokers), '/data')
    for (const topic of ['default', 'offsets.topic', 'transaction.state.log']) {
      expect(settings[`${topic}.replication.factor`], topic).toBe(copies)
    }
    expect(settings['min.insync.replicas']).toBe(inSync)
    expect(settings['transaction.state.log.min.isr']).toBe(inSync)
  })

  test('contain its own ports, and every controller as a voter', () => {
    const settings = settingsOf(2, shapeOf(3), '/data')
    expect(settings.listeners).toBe('BROKER://127.0.0.1:9002,CONTROLLER://127.0.0.1:9102')
    expect(settings['advertised.listeners']).toBe('BROKER://127.0.0.1:9002')
    expect(settings['controller.quorum.voters']).toBe('1@127.0.0.1:9101,2@127.0.0.1:9102,3@127.0.0.1:9103')
    expect(brokerAddresses(shapeOf(3).ports)).toBe('127.0.0.1:9001,127.0.0.1:9002,127.0.0.1:9003')
  })

  test('are escaped as Java properties', () => {
    expect(asProperties({ 'log.dirs': '/daten/Käse\\x', a: 'b=c' })).toBe('log.dirs=/daten/K\\u00e4se\\\\x\na=b=c\n')
  })
})
