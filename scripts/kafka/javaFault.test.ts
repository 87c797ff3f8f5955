import { describe, expect, test } from 'vitest'
import { javaFault } from './javaFault.ts'

describe('the reason that is read from the output of a Java program', () => {
  test.for([
    {
      what: 'the innermost cause',
      lines: [
        '2026-01-01T00:00:00,000 ERROR Exiting Kafka. (kafka.Kafka$)',
        'java.lang.RuntimeException: could not start',
        '\tat kafka.Kafka.main(Kafka.scala)',
        'Caused by: java.net.BindException: Address already in use',
        '\t... 3 more',
      ],
      fault: 'java.net.BindException: Address already in use',
    },
    {
      what: 'an exception of the main thread',
      lines: ['Exception in thread "main" a.b.ConfigException: Invalid value x', '\tat a.b.C.main(C.scala)'],
      fault: 'a.b.ConfigException: Invalid value x',
    },
    {
      what: 'the last complaint of a log without exceptions',
      lines: ['2026-01-01T00:00:00,000 ERROR The disk is full (kafka.log)', '2026-01-01T00:00:01,000 INFO stopped'],
      fault: 'The disk is full (kafka.log)',
    },
    { what: 'nothing, where nothing failed', lines: ['2026-01-01T00:00:00,000 INFO No Exception: fine'], fault: null },
  ])('$what', ({ lines, fault }) => {
    expect(javaFault(lines.join('\n'))).toBe(fault)
  })
})
