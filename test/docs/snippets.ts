import { type ExecFileException, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { repository } from '../support/processes/npmProcess.ts'
import { PATIENCE } from '../support/time/patience.ts'
import { readMarkdown } from './markdown.ts'

/** Only against programs that hang. */
const PROGRAM_MS_MAX = 120_000 * PATIENCE
const SHOWN_CHARS_MAX = 300
/** Names the command that failed, because curl and others may fail without a message. */
const NAME_FAILED_COMMAND = `trap 'echo "exit code $? of: $BASH_COMMAND" >&2' ERR`

export type SnippetRun = {
  /** What the document says, and what stands for it in this run: addresses, ports, paths of files. */
  readonly replaced: readonly (readonly [string, string])[]
  readonly env: Readonly<Record<string, string>>
  /** The folder in which a program runs, instead of the repository. */
  readonly cwd?: string
}

/** The blocks of a document in this language that are marked `run`, in their order. */
export function runnableBlocks(path: string, language: string, { replaced }: SnippetRun): string[] {
  const blocks = readMarkdown(path).blocks.filter((block) => block.runs && block.language === language)
  if (blocks.length === 0) throw new Error(`${path} has no ${language} block that is marked "run"`)
  return blocks.map(({ text }) => replaced.reduce((changed, [from, to]) => changed.replaceAll(from, to), text))
}

/** Runs the shell blocks of a document one after the other in one shell, and returns what they print. */
export async function runDocument(path: string, run: SnippetRun): Promise<string> {
  return runShell(runnableBlocks(path, 'sh', run), run)
}

export async function runShell(blocks: readonly string[], run: SnippetRun): Promise<string> {
  // Without --norc, bash takes a socket on its standard input for a remote shell and reads its start-up files.
  return runProgram('bash', ['--norc', '-Eeuo', 'pipefail', '-c', [NAME_FAILED_COMMAND, ...blocks].join('\n')], run)
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { env, cwd = repository }: SnippetRun,
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const running = promisify(execFile)(program, args, {
    cwd,
    env: { PATH, HOME, npm_config_update_notifier: 'false', ...env },
    timeout: PROGRAM_MS_MAX,
    maxBuffer: 16 * 1024 * 1024,
  })
  // Some programs take what a pipe on their standard input says as a part of the question.
  running.child.stdin?.end()
  const { stdout } = await running.catch((error: ExecFileException) => {
    throw new Error(`${program} ${faultOf(error)}`, { cause: error })
  })
  return stdout
}

/** The test run shows the first line of an error only, and Node's begins with the whole program. */
function faultOf({ killed, code, signal, stdout = '', stderr = '' }: ExecFileException): string {
  const end = (output: string) => JSON.stringify(output.trimEnd().slice(-SHOWN_CHARS_MAX))
  const how = killed ? `took longer than ${PROGRAM_MS_MAX} ms` : `ended with ${code ?? signal}`
  return `${how}; the end of its stderr: ${end(stderr)}, of its stdout: ${end(stdout)}`
}

/** How a snippet reaches an installation of a test: the documents use the default ports and the default data folder. */
export function asInstalled(dataDir: string, env: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return [
    ['127.0.0.1:4000', `127.0.0.1:${env.GATEWAY_PORT}`],
    ['127.0.0.1:4001', `127.0.0.1:${env.BACKEND_PORT}`],
    ['127.0.0.1:4002', `127.0.0.1:${env.AI_PORT}`],
    ['.data/', `${dataDir}/`],
  ]
}
