import { resolve } from 'node:path'
import { ApiError, type Client, type Output } from '../src/client/index.ts'
import { isPageName, type PageName, parsePageName } from '../src/model/page-name.ts'
import type { Call } from './command.ts'
import { memoryOf, type PathMemory } from './memory.ts'
import { CommandFailed, oneLine } from './output.ts'

export type Page = Output<'getPage'>['data']

/** Of a path that was published from here, or null. */
export function memoryAt({ env, server }: Call, name: string): PathMemory | null {
  if (/^https?:\/\//.test(name)) return null
  const memory = memoryOf(resolve(env.cwd, name), server)
  return memory.find() === undefined ? null : memory
}

/** The id of the page that somebody names by id, slug or link, or by what it was made from. */
export async function pageId(call: Call, name: string): Promise<string> {
  return knownId(call, name) ?? (await namedPage(call, name)).id
}

/** The page itself, named as for `pageId`. */
export async function getPage(call: Call, name: string): Promise<Page> {
  const id = knownId(call, name)
  if (id === undefined) return namedPage(call, name)
  const { data } = await call.client().getPage({ id })
  return data
}

/** What is known without asking the server. */
function knownId(call: Call, name: string): string | undefined {
  return /^pg_[0-9A-Za-z]+$/.test(name) ? name : memoryAt(call, name)?.find()?.id
}

async function namedPage({ client, server }: Call, name: string): Promise<Page> {
  const page = await findPage({ client: client(), baseUrl: server }, parsePageName(name))
  if (page !== null) return page
  throw new CommandFailed(
    `You have no page ${oneLine(name)}: give an id, a slug, a link, or a path published from here.`,
  )
}

export interface PageServer {
  client: Client
  baseUrl: string
}

/**
 * The page of an id, a slug or a link; null where the account has none. A link must be the page's
 * own: another server may have a page of that slug, too.
 */
export async function findPage(
  { client, baseUrl }: PageServer,
  { idOrSlug, origin }: PageName,
): Promise<Page | null> {
  if (!isPageName(idOrSlug)) return null
  try {
    const { data: page } = await client.getPage({ id: idOrSlug })
    const isOwn =
      origin === null || [baseUrl, page.url].some((url) => URL.parse(url)?.origin === origin)
    return isOwn ? page : null
  } catch (err) {
    if (err instanceof ApiError && err.code === 'page_not_found') return null
    throw err
  }
}
