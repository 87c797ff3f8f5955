import type { Log } from '../logger/logger.ts'

const KAFKA_CONNECT_MS = 3_000
export const KAFKA_REQUEST_MS = 10_000

export type KafkaAddress = {
  /** host:port of some brokers, which name the others. */
  readonly brokers: readonly string[]
  readonly log: Log
}

/** Log levels of kafkajs. */
const ERROR = 1
const DEBUG = 5

/** Errors that kafkajs retries, and topics that another relay created meanwhile. If it gives up, our own code logs it. */
const RETRIED =
  /coordinator|rebalanc|leader|not aware of this member|unknown_member|connection|econn|broker not|metadata|does not host|offset out of range|EoS|crash|restarting|topic creation/i

type LibraryLine = { readonly level: number; readonly log: { readonly message: string } & Record<string, unknown> }

/** All settings of producers and consumers, because kafkajs has different defaults in tests. */
export function connectionSettings({ brokers, log }: KafkaAddress) {
  return {
    clientId: 'tollgate',
    brokers: [...brokers],
    connectionTimeout: KAFKA_CONNECT_MS,
    requestTimeout: KAFKA_REQUEST_MS,
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 },
    logLevel: log.isLevelEnabled('debug') ? DEBUG : ERROR,
    logCreator: () => writeTo(log),
  }
}

/** Warns only of errors that our own code does not report. */
function writeTo(log: Log) {
  return ({ level, log: { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...rest } }: LibraryLine) => {
    if (level === ERROR && !RETRIED.test(`${message} ${rest.error ?? ''}`)) log.warn(rest, `kafka: ${message}`)
    else log.debug(rest, `kafka: ${message}`)
  }
}
