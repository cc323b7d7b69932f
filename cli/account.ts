import { join } from 'node:path'
import { isRecord, readJson, writeJson } from './files.ts'
import { CommandFailed } from './output.ts'
import type { World } from './world.ts'

export const DEFAULT_URL = 'http://localhost:8787'

/** What `login` stores: the server used last, and a key for each. */
interface Stored {
  url: string | null
  keys: Record<string, string>
}

/** Which server, and with what key. */
export function createLogins(world: World) {
  const path = join(world.config_home || join(world.home, '.config'), 'handbill', 'config.json')

  function read(): Stored {
    const value = readJson(path) ?? { url: null, keys: {} }
    if (isRecord(value) && isRecord(value.keys)) return value as unknown as Stored
    throw new CommandFailed(`${path} is not what handbill login wrote: move it away.`)
  }
  const given = world.url && normalUrl(world.url)

  return {
    path,
    url: () => given || (read().url ?? DEFAULT_URL),
    /** A stored key goes to the server it was stored for, and to no other. */
    key(url: string): string {
      const key = world.key || read().keys[url]
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

/** Without a slash at its end. @throws CommandFailed */
export function normalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '') {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  throw new CommandFailed(
    `${text} is not the address of a server: give one such as https://pages.example.com.`,
  )
}
