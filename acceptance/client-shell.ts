/** Runs the command `handbill` as a user does, in a folder and a home directory of their own. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { guardedFolder } from './guardian.ts'
import { type CommandResult, handbill, server } from './server.ts'

export interface RunOptions {
  input?: string | Uint8Array
  env?: Record<string, string>
  cwd?: string
}

/** The program under test, which may be another than that of the checkout. */
const program = process.env.HANDBILL_CLIENT || handbill
/** For tests of the commands of a server, too: the program of the client alone has none. */
export const isClientAlone = program !== handbill

interface Place {
  /** The working directory of its commands. */
  folder: string
  home: string
  env: Record<string, string>
}

export type Shell = ReturnType<typeof shellOf>

/** @param key the API key in its environment; null for none */
export function shellOf(key: string | null = server.keys.pro) {
  const place = createPlace(key)
  const { folder } = place
  return {
    ...place,
    ...runnersIn(place),
    write(path: string, content: string | Uint8Array): string {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
  }
}

function createPlace(key: string | null): Place {
  const root = guardedFolder('shell-')
  const folder = join(root, 'work')
  mkdirSync(folder)
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, 'home'),
    HANDBILL_URL: server.url,
    ...(key !== null && { HANDBILL_API_KEY: key }),
  }
  return { folder, home: env.HOME!, env }
}

function runnersIn({ folder, env }: Place) {
  /** Starts a command without waiting for its end. */
  function start(args: string[], options: RunOptions = {}) {
    const { input, cwd = folder } = options
    return Bun.spawn([program, ...args], {
      cwd,
      env: { ...env, ...options.env },
      stdin: input === undefined ? 'ignore' : new Blob([input as BlobPart]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async function runWith(options: RunOptions, ...args: string[]): Promise<CommandResult> {
    const child = start(args, options)
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, stdout, stderr }
  }

  async function outputOf(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runWith({}, ...args)
    if (code !== 0) throw new Error(`handbill ${args.join(' ')} exited ${code}:\n${stderr}`)
    return stdout
  }

  return {
    start,
    runWith,
    run: (...args: string[]) => runWith({}, ...args),
    /** The only line that a successful command prints. */
    async line(...args: string[]): Promise<string> {
      const stdout = await outputOf(...args)
      if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`not one line: ${JSON.stringify(stdout)}`)
      return stdout.trim()
    },
    json: async <T>(...args: string[]) => JSON.parse(await outputOf(...args, '--json')) as T,
  }
}

interface TerminalOptions {
  /** What to type, once the text before it is shown. */
  answers?: [shown: string, typed: string][]
  env?: Record<string, string>
  columns?: number
}

/** Runs a command on a terminal. Commands in the shell's `bin` folder come first in its PATH. */
export async function runOnTerminal(
  { folder, env }: Shell,
  args: string[],
  options: TerminalOptions = {},
): Promise<{ code: number; shown: string }> {
  let output = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn([program, ...args], {
    cwd: folder,
    env: { ...env, PATH: `${folder}/bin:${env.PATH}`, ...options.env },
    terminal: {
      cols: options.columns ?? 100,
      rows: 30,
      data: (_terminal, piece) => {
        output += decoder.decode(piece, { stream: true })
      },
    },
  })
  for (const [text, typed] of options.answers ?? []) {
    while (!output.includes(text) && child.exitCode === null) await Bun.sleep(5)
    child.terminal!.write(typed)
  }
  const code = await child.exited
  await Bun.sleep(20)
  return { code, shown: output.replaceAll('\r\n', '\n') }
}

/** Installs a fake browser. Returns a function that reads the address it was asked to open. */
export function installBrowser(shell: Shell): () => string {
  const path = shell.write('bin/xdg-open', '#!/bin/sh\nprintf %s "$1" >"$0.opened"\n')
  chmodSync(path, 0o755)
  return () => (existsSync(`${path}.opened`) ? readFileSync(`${path}.opened`, 'utf8') : '')
}

export function slugOf(url: string): string {
  return /\/p\/([^/]+)$/.exec(url)![1]!
}
