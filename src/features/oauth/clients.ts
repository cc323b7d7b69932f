import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { GuardedFetch } from '../../platform/fetch/index.ts'
import { isModestJson } from '../../platform/json-limits.ts'
import { atMost } from '../../platform/lru.ts'
import { sha256 } from '../../platform/secrets.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import { type Client, metadataUrl, OAuthError, parseMetadata, UNUSED_CLIENT_MS } from './rules.ts'
import * as store from './store.ts'

const MAX_METADATA_BYTES = 8 * 1024
const MAX_CACHED = 200
const CACHED_MS = 10 * 60_000
/** Registrations that nobody has allowed. Beyond that, the oldest go. */
const MAX_UNUSED = 2000
const REGISTERED = /^app_[0-9a-f]{32}$/

interface ClientDeps {
  database: Database
  clock: Clock
  fetch: GuardedFetch
  throttles: Throttles
}

/** Apps, by the metadata that they publish at the address that is their id, or by registration. */
export function createClients({ database, clock, fetch, throttles }: ClientDeps) {
  const published = new LRUCache<string, Client>({ ...atMost(MAX_CACHED), ttl: CACHED_MS })

  async function readPublished(id: string): Promise<Client> {
    const fetched = await fetch.get(id, { maxBytes: MAX_METADATA_BYTES })
    try {
      const isJson = /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(fetched.contentType ?? '')
      // An address that leads on to another is not what the app is known by.
      if (!isJson || fetched.url !== id) throw unusable(id)
      const bytes = await fetched.read()
      if (!isModestJson(bytes)) throw unusable(id)
      const { client_id, ...client } = parseMetadata(parseJson(bytes))
      if (client_id !== id) throw unusable(id)
      return { id, ...client }
    } finally {
      await fetched.close()
    }
  }

  return {
    /**
     * Registers an app. The same app once more is the same registration.
     *
     * @throws OAuthError
     */
    async register(metadata: unknown): Promise<Client> {
      const { name, redirect_uris } = parseMetadata(metadata)
      const sorted = [...new Set(redirect_uris)].sort()
      const id = `app_${sha256(JSON.stringify([name, sorted])).slice(0, 32)}`
      await database.write(async (tx) => {
        await store.putClient(tx, {
          id,
          name,
          redirect_uris: JSON.stringify(sorted),
          used_at: null,
          expires_at: clock.after(UNUSED_CLIENT_MS),
        })
        await store.deleteUnused(tx, MAX_UNUSED)
      })
      return { id, name, redirect_uris: sorted }
    },
    /**
     * @param who counts what is fetched
     * @throws OAuthError, or Refusal `rate_limited` or as the guarded fetch does
     */
    async find(id: string, who: string): Promise<Client> {
      if (metadataUrl(id) === null) {
        const client =
          REGISTERED.test(id) && (await store.findClient(database.read, id, clock.now()))
        if (client) return client
        throw new OAuthError('invalid_client', 'This app is not known here: connect it anew.')
      }
      const cached = published.get(id)
      if (cached !== undefined) return cached
      await throttles.assert(LIMITS.app_metadata, who)
      const client = await readPublished(id)
      published.set(id, client)
      return client
    },
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

function unusable(id: string) {
  return new OAuthError('invalid_client', `What ${id} says about its app cannot be used.`)
}
