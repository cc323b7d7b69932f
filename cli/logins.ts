import { join } from 'node:path'
import { parseBaseUrl } from '../src/client/index.ts'
import type { Environment } from './environment.ts'
import { isRecord, readJson, writeJson } from './files.ts'
import { CommandFailed } from './output.ts'

const DEFAULT_URL = 'http://localhost:8787'

/** What `login` stores: the server used last, and a key for each. */
interface Stored {
  url: string | null
  keys: Record<string, string>
}

/** Which server to ask, and with what key: as the environment says, else as `login` stored it. */
export function createLogins(env: Environment) {
  const path = join(env.configHome || join(env.home, '.config'), 'handbill', 'config.json')

  function read(): Stored {
    const value = readJson(path) ?? { url: null, keys: {} }
    if (isRecord(value) && isRecord(value.keys)) return value as unknown as Stored
    throw new CommandFailed(`${path} is not what handbill login wrote: move it away.`)
  }
  const given = env.url && serverUrl(env.url)

  return {
    path,
    url: () => given || (read().url ?? DEFAULT_URL),
    /** A stored key goes to the server it was stored for, and to no other. */
    key(url: string): string {
      const key = env.key || read().keys[url]
      if (key) return key.trim()
      throw new CommandFailed(
        `There is no API key for ${url}: run handbill login, or set HANDBILL_API_KEY.`,
      )
    },
    store(url: string, key: string): void {
      writeJson(path, { url, keys: { ...read().keys, [url]: key } }, 0o600)
    },
    /** Whether there was one. */
    forget(url: string): boolean {
      const { [url]: key, ...keys } = read().keys
      if (key === undefined) return false
      writeJson(path, { url, keys }, 0o600)
      return true
    },
  }
}

/** The address of a server as logins are stored under it. @throws CommandFailed */
export function serverUrl(text: string): string {
  const url = parseBaseUrl(text)
  if (url !== null) return url
  throw new CommandFailed(
    `${text} is not the address of a server: give one such as https://pages.example.com.`,
  )
}
