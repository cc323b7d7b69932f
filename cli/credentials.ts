import { join } from 'node:path'
import { parseBaseUrl } from '../src/client/index.ts'
import { isRecord, readJson, writeJson } from './json-files.ts'
import { CommandFailed } from './output.ts'

const DEFAULT_URL = 'http://localhost:8787'

/** The file that `login` writes: the server used last, and an API key for each server. */
interface StoredCredentials {
  url: string | null
  keys: Record<string, string>
}

/** The server and the API key of a command: from the environment, else from the stored file. */
export function createCredentials(env: Environment) {
  const path = join(env.configHome || join(env.home, '.config'), 'handbill', 'config.json')

  function read(): StoredCredentials {
    const value = readJson(path) ?? { url: null, keys: {} }
    if (isRecord(value) && isRecord(value.keys)) return value as unknown as StoredCredentials
    throw new CommandFailed(`${path} is not a file that handbill login wrote: move it away.`)
  }
  const configuredUrl = env.url && parseServerUrl(env.url)
  const ownUrl = env.ownUrl && parseServerUrl(env.ownUrl)

  return {
    path,
    /**
     * The server of a command. A key of the environment goes to the server that the program is of,
     * not to one that another login stored.
     */
    url: () => configuredUrl || (env.key && ownUrl) || read().url || ownUrl || DEFAULT_URL,
    /** The server that `login` offers. */
    offeredUrl: () => configuredUrl || ownUrl || read().url || DEFAULT_URL,
    /** A stored key is only sent to the server it was stored for. */
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
    remove(url: string): boolean {
      const { [url]: key, ...keys } = read().keys
      if (key === undefined) return false
      writeJson(path, { url, keys }, 0o600)
      return true
    },
  }
}

/** Only this computer and plain addresses are asked without TLS. */
const WITHOUT_TLS =
  /^(localhost|[^/]*\.localhost|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d+)?(\/|$)/i

/**
 * Normalizes the address of a server, whose scheme may be left out. Keys are stored under it.
 *
 * @throws CommandFailed
 */
export function parseServerUrl(text: string): string {
  const scheme = WITHOUT_TLS.test(text) ? 'http' : 'https'
  const url = parseBaseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`)
  if (url !== null) return url
  throw new CommandFailed(
    `${text} is not the address of a server: give one such as https://pages.example.com.`,
  )
}

/** The part of the process environment that commands use. Only a main.ts reads it. */
export interface Environment {
  cwd: string
  home: string
  configHome: string | undefined
  /** HANDBILL_URL and HANDBILL_API_KEY. They take precedence over what `login` stored. */
  url: string | undefined
  /** The server that this program was downloaded from. */
  ownUrl: string | undefined
  key: string | undefined
  noColor: boolean
}
