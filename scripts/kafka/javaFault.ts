const exception = /^(?:Caused by: |Exception in thread "[^"]*" )?([\w.$]+(?:Exception|Error): .*)$/

/** Returns the innermost cause of the last exception in the output of a Java program, or its last error line. */
export function javaFault(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const exceptions = lines.flatMap((line) => exception.exec(line)?.[1] ?? [])
  // Without an exception, the log line itself is the reason.
  const complaint = lines.findLast((line) => / (ERROR|FATAL) /.test(line))
  return exceptions.at(-1) ?? complaint?.replace(/^\S+ (ERROR|FATAL) /, '') ?? null
}
