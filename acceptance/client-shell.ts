/** Somebody at a shell of their own: a folder, a home, and the command `handbill`. */
import { afterAll } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CommandResult, handbill, server } from './server.ts'

export interface Run {
  input?: string | Uint8Array
  env?: Record<string, string>
  cwd?: string
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function shellOf(key: string | null = server.keys.pro) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handbill-shell-')))
  folders.push(root)
  const folder = join(root, 'work')
  mkdirSync(folder)
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, 'home'),
    HANDBILL_URL: server.url,
    ...(key !== null && { HANDBILL_API_KEY: key }),
  }

  /** Not yet done, for who wants to interrupt it. */
  function start(words: string[], { input, env: more = {}, cwd = folder }: Run = {}) {
    return Bun.spawn([handbill, ...words], {
      cwd,
      env: { ...env, ...more },
      stdin: input === undefined ? 'ignore' : new Blob([input as BlobPart]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async function runWith(given: Run, ...words: string[]): Promise<CommandResult> {
    const child = start(words, given)
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, stdout, stderr }
  }

  const run = (...words: string[]) => runWith({}, ...words)

  return {
    folder,
    home: env.HOME!,
    env,
    start,
    runWith,
    run,
    /** Its only line on stdout, of a command that must be done. */
    async line(...words: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(...words)
      if (code !== 0) throw new Error(`handbill ${words.join(' ')} exited ${code}:\n${stderr}`)
      if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`not one line: ${JSON.stringify(stdout)}`)
      return stdout.trim()
    },
    async json<T>(...words: string[]): Promise<T> {
      const { code, stdout, stderr } = await run(...words, '--json')
      if (code !== 0) throw new Error(`handbill ${words.join(' ')} exited ${code}:\n${stderr}`)
      return JSON.parse(stdout) as T
    },
    write(path: string, content: string | Uint8Array): string {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
  }
}

export function slugOf(url: string): string {
  return /\/p\/([^/]+)$/.exec(url)![1]!
}
