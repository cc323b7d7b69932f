import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { newFolder, SERVER_CORE, spawnServer, stop, waitUntilReady } from './processes.ts'

/** Linux reports processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100
const HANDBILL = join(import.meta.dir, '..', 'bin', 'handbill')

export interface Served extends AsyncDisposable {
  url: string
  pid: number
}

export interface Handbill extends Served {
  dataDir: string
  /** The variables that it was started with. */
  env: Record<string, string>
  /** What it has printed. */
  output(): string
}

export function environmentOf(dataDir: string, port: number): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
  }
}

/** Starts Handbill with `bin/handbill serve`, on the core of the server or another. */
export async function startHandbill(
  dataDir: string,
  settings: Record<string, string> = {},
  core = SERVER_CORE,
): Promise<Handbill> {
  const env = { ...environmentOf(dataDir, freePort()), ...settings }
  const log = join(newFolder('log'), 'handbill.log')
  const child = spawnServer([HANDBILL, 'serve'], { cwd: dataDir, env, log, core })
  const url = env.BASE_URL!
  await waitUntilReady(`${url}/healthz`, child).catch((err) => {
    throw new Error(`${err.message}:\n${readFileSync(`${log}.err`, 'utf8')}`)
  })
  const output = () => readFileSync(log, 'utf8')
  return { url, pid: child.pid, dataDir, env, output, [Symbol.asyncDispose]: () => stop(child) }
}

/** Makes a Pro account with an API key. */
export async function newOwner({ url, env }: Handbill): Promise<Owner> {
  const email = `bench-${crypto.randomUUID().slice(0, 8)}@handbill.example`
  await handbill(env, 'account', 'add', email, '--plan', 'pro')
  const { key } = await handbill(env, 'key', 'create', email)
  return ownerOf(url, key)
}

async function handbill(env: Record<string, string>, ...args: string[]): Promise<{ key: string }> {
  const child = Bun.spawn([HANDBILL, ...args, '--json'], {
    cwd: env.DATA_DIR!,
    env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) === 0) return JSON.parse(text)
  throw new Error(`handbill ${args.join(' ')}: ${await new Response(child.stderr).text()}`)
}

export interface CreatedPage {
  id: string
  slug: string
  views: number
}

export type Owner = ReturnType<typeof ownerOf>

export function ownerOf(url: string, key: string) {
  const authorization = `Bearer ${key}`

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // A delete answers nothing.
    if (response.ok) return (JSON.parse(text || '{}') as { data: T }).data
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  }

  return {
    url,
    key,
    call,
    create: (fields: object) => call<CreatedPage>('POST', '/pages', fields),
    page: (id: string) => call<CreatedPage>('GET', `/pages/${id}`),
    async upload(bytes: Uint8Array): Promise<string> {
      const response = await fetch(`${url}/api/v1/uploads`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/octet-stream' },
        body: bytes as BodyInit,
      })
      if (!response.ok) throw new Error(`The upload answered ${response.status}`)
      return ((await response.json()) as { data: { id: string } }).data.id
    },
  }
}

/**
 * Starts nginx with one worker and these files, tuned as an operator would: it keeps files open,
 * and connections for as long as the client wants.
 *
 * @param settings more directives for its server
 */
export async function startNginx(
  files: Record<string, Uint8Array>,
  settings = '',
): Promise<Served> {
  const folder = newFolder('nginx')
  for (const name of ['www', 'temp']) mkdirSync(join(folder, name))
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, 'www', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  const [first] = Object.keys(files)
  const port = freePort()
  writeFileSync(join(folder, 'nginx.conf'), nginxConf(folder, port, settings))
  const log = join(folder, 'nginx.log')
  const command = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', `${log}.err`]
  const env = { PATH: process.env.PATH ?? '' }
  const child = spawnServer(command, { cwd: folder, env, log })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/${first}`, child).catch((err) => {
    throw new Error(`${err.message}:\n${readFileSync(`${log}.err`, 'utf8')}`)
  })
  return { url, pid: child.pid, [Symbol.asyncDispose]: () => stop(child) }
}

/** The settings of Debian's nginx.conf, without an access log, and two that are tuned. */
function nginxConf(folder: string, port: number, settings: string): string {
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/temp/${name};`)
    .join('\n')
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
daemon off;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10000 inactive=60s;
  keepalive_requests 1000000000;
  types { text/html html; application/pdf pdf; application/json json; }
${temps}
  server { listen 127.0.0.1:${port} backlog=1024; root ${folder}/www; ${settings} }
}
`
}

/** Resident memory of a process and its children, in MB. */
export function residentMB(pid: number): number {
  return sumOver(pid, (one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  })
}

/** Processor time of a process and its children so far, in seconds. */
export function cpuSeconds(pid: number): number {
  return sumOver(pid, (one) => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8')
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
    return (Number(user) + Number(system)) / TICKS_PER_SECOND
  })
}

/** Of the process and all that it has started, and these in turn. */
function sumOver(pid: number, measure: (pid: number) => number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.reduce((sum, child) => sum + sumOver(Number(child), measure), measure(pid))
}
