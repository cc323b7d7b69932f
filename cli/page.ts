import { resolve } from 'node:path'
import { ApiError, type Client, type Output } from '../src/client/index.ts'
import { isPageName, type PageName, parsePageName } from '../src/model/page-name.ts'
import type { CommandContext } from './command.ts'
import { CommandFailed, oneLine } from './output.ts'
import { openPageRecord, type PageRecord } from './page-record.ts'

export type Page = Output<'getPage'>['data']

/** The record of a local path, or null if it was not published before. */
export function findPageRecord({ env, server }: CommandContext, name: string): PageRecord | null {
  if (/^https?:\/\//.test(name)) return null
  const record = openPageRecord(resolve(env.cwd, name), server)
  return record.find() === undefined ? null : record
}

/** The id of a page, named by its id, its slug, its link or the path it was published from. */
export async function resolvePageId(context: CommandContext, name: string): Promise<string> {
  return findKnownId(context, name) ?? (await fetchNamedPage(context, name)).id
}

/** The page, named as for `resolvePageId`. */
export async function getPage(context: CommandContext, name: string): Promise<Page> {
  const id = findKnownId(context, name)
  if (id === undefined) return fetchNamedPage(context, name)
  const { data } = await context.client().getPage({ id })
  return data
}

/** The id, if it is known without a request. */
function findKnownId(context: CommandContext, name: string): string | undefined {
  return /^pg_[0-9A-Za-z]+$/.test(name) ? name : findPageRecord(context, name)?.find()?.id
}

async function fetchNamedPage({ client, server }: CommandContext, name: string): Promise<Page> {
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
 * Fetches the page of an id, a slug or a link. Null if the account has none. A link must have the
 * page's own origin: another server can have a page with the same slug.
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
