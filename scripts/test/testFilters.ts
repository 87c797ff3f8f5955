/** The names that narrow down a test run. Help and wrong usage end the process. */
export function testFilters(command: string, usage: string): string[] {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  const unknown = args.find((arg) => arg.startsWith('-'))
  if (unknown !== undefined) {
    console.error(`${command} has no option ${unknown}; see ${command} -- --help`)
    process.exit(2)
  }
  return args
}
