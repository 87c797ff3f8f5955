const exception = /^(?:Caused by: |Exception in thread "[^"]*" )?([\w.$]+(?:Exception|Error): .*)$/

/** What was wrong, of all that a Java program says about its failure: the innermost cause of the last one. */
export function javaFault(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const exceptions = lines.flatMap((line) => exception.exec(line)?.[1] ?? [])
  // A line of a log that has no exception behind it says it all by itself.
  const complaint = lines.findLast((line) => / (ERROR|FATAL) /.test(line))
  return exceptions.at(-1) ?? complaint?.replace(/^\S+ (ERROR|FATAL) /, '') ?? null
}
