import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Network } from '../network.ts'
import { networkAgent } from './networkAgent.ts'

function statusOf(agent: http.Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: 'payments', port: 80, path: '/', agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    request.on('error', reject)
  })
}

test('requests go over the connections of the network, which are kept for the next one', async () => {
  const server = http.createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const asked: string[] = []
  const connect: Network['connect'] = ({ hostname, port }, done) => {
    asked.push(`${hostname}:${port}`)
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1', () => done(null, socket))
  }
  const agent = networkAgent({ connect } as Network)
  onTestFinished(() => {
    agent.destroy()
    server.close()
  })
  expect([await statusOf(agent), await statusOf(agent)]).toEqual([200, 200])
  expect(asked).toEqual(['payments:80'])
})

test('a connection that the network refuses fails the request with the reason', async () => {
  const connect: Network['connect'] = (_to, done) => done(new Error('refused by the network'), null)
  await expect(statusOf(networkAgent({ connect } as Network))).rejects.toThrow('refused by the network')
})
