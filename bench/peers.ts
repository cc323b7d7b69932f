/**
 * Servers of static files that do the same work as ours: the same headers, and a log of requests.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { newFolder, spawnServer, stop, waitUntilReady } from './processes.ts'
import { type Served, startNginx } from './servers.ts'

type Files = Record<string, Uint8Array>
type Added = readonly (readonly [name: string, value: string])[]

/** Our headers that a file server sets by itself, or that belong to one connection. */
const OWN_HEADERS = /^(?:connection|content-length|content-type|date|etag|keep-alive|server)$/

/** The headers that a peer has to add, as a program like wrk gets them from ours. */
export async function headersOf(url: string, sent: Record<string, string> = {}): Promise<Added> {
  const headers = { 'accept-encoding': 'identity', ...sent }
  const answer = await fetch(url, { method: 'HEAD', headers, redirect: 'manual' })
  if (answer.status !== 200) throw new Error(`HEAD ${url} answered ${answer.status}`)
  return [...answer.headers].filter(([name]) => !OWN_HEADERS.test(name))
}

/** nginx with these headers and a log of requests that is written at most 100 ms later. */
export function startEqualNginx(files: Files, headers: Added): Promise<Served> {
  const added = headers.map(([name, value]) => `add_header ${name} ${quoted(value)};`)
  const log = 'access_log access.log combined buffer=64k flush=100ms;'
  return startNginx(files, [log, ...added].join(' '))
}

/** Another server of files, by the name of its program. Null where that is not installed. */
export interface Other {
  name: string
  start(files: Files, headers: Added): Promise<Served>
}

/** Those whose packages are installed, and the names of the others. */
export function otherServers(): { installed: Other[]; absent: string[] } {
  const all = [
    { name: 'Caddy', program: 'caddy', start: startCaddy },
    { name: 'Apache', program: 'apache2', start: startApache },
  ]
  const isThere = ({ program }: { program: string }) => Bun.which(program) !== null
  return {
    installed: all.filter(isThere),
    absent: all.filter((one) => !isThere(one)).map(({ name }) => name),
  }
}

/** Caddy's log has no buffer: it writes a line of JSON for each request. */
function startCaddy(files: Files, headers: Added): Promise<Served> {
  return start(files, (folder, port) => {
    const added = headers.map(([name, value]) => `header ${name} ${quoted(value)}`)
    const settings = `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  root * ${folder}/www
  ${added.join('\n  ')}
  log {
    output file ${folder}/access.log
  }
  file_server
}
`
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', written(folder, settings)]
  })
}

/** Apache with its worker for many connections. Its buffer is written when it is full. */
function startApache(files: Files, headers: Added): Promise<Served> {
  return start(files, (folder, port) => {
    const modules = ['mpm_event', 'authz_core', 'headers', 'mime'].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    )
    const added = headers.map(([name, value]) => `Header set ${name} ${quoted(value)}`)
    const settings = `ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
${modules.join('\n')}
ServerLimit 1
ThreadLimit 320
ThreadsPerChild 320
MaxRequestWorkers 320
KeepAlive On
KeepAliveTimeout 60
MaxKeepAliveRequests 0
DocumentRoot ${folder}/www
TypesConfig /dev/null
AddType text/html .html
ErrorLog ${folder}/error.log
BufferedLogs On
CustomLog ${folder}/access.log "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\""
${added.join('\n')}
`
    return ['apache2', '-X', '-d', folder, '-f', written(folder, settings)]
  })
}

async function start(
  files: Files,
  commandIn: (folder: string, port: number) => string[],
): Promise<Served> {
  const folder = newFolder('peer')
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, 'www', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  const port = freePort()
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const log = join(folder, 'output.log')
  const child = spawnServer(commandIn(folder, port), { cwd: folder, env, log })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/${Object.keys(files)[0]}`, child)
  return { url, pid: child.pid, [Symbol.asyncDispose]: () => stop(child) }
}

function written(folder: string, settings: string): string {
  const path = join(folder, 'settings.conf')
  writeFileSync(path, settings)
  return path
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '\\"')}"`
}
