import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PAGE_RECORD_FILE } from '../src/client/content/deck-builder.ts'
import { ApiError, type Client, type Output } from '../src/client/index.ts'
import { leftOutPart } from '../src/model/deck-folder.ts'
import { isPageName, type PageName, parsePageName } from '../src/model/page-name.ts'
import type { CommandContext } from './command.ts'
import { isRecord, readJson, writeJson } from './json-files.ts'
import { CommandFailed, NotFound, oneLine } from './output.ts'

export type Page = Output<'getPage'>['data']

/** The record of a local path, or null if it was not published before. */
export function findPageRecord(
  { env, server, args }: CommandContext,
  name = args[0]!,
): PageRecord | null {
  if (/^https?:\/\//.test(name)) return null
  const record = openPageRecord(resolve(env.cwd, name), server)
  return record.find() === undefined ? null : record
}

/**
 * The id of a page, named by its id, its slug, its link or the path it was published from.
 *
 * @param name by default the first argument
 */
export async function resolvePageId(
  context: CommandContext,
  name = context.args[0]!,
): Promise<string> {
  return findKnownId(context, name) ?? (await fetchNamedPage(context, name)).id
}

/** The page, named as for `resolvePageId`. */
export async function getPage(context: CommandContext, name = context.args[0]!): Promise<Page> {
  const id = findKnownId(context, name)
  if (id === undefined) return fetchNamedPage(context, name)
  const { data } = await context.client().getPage({ id })
  return data
}

function findKnownId(context: CommandContext, name: string): string | undefined {
  return /^pg_[0-9A-Za-z]+$/.test(name) ? name : findPageRecord(context, name)?.find()?.id
}

async function fetchNamedPage({ client, server }: CommandContext, name: string): Promise<Page> {
  const page = await findPage({ client: client(), baseUrl: server }, parsePageName(name))
  if (page !== null) return page
  throw new NotFound(
    'page_not_found',
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
      origin === null ||
      [baseUrl, page.url].some((url) => URL.canParse(url) && new URL(url).origin === origin)
    return isOwn ? page : null
  } catch (err) {
    if (err instanceof ApiError && err.code === 'page_not_found') return null
    throw err
  }
}

interface RecordedPage {
  id: string
  url: string
}
/** `{ "http://localhost:8787": { "report.html": { "id": "pg_…", "url": "…" } } }` */
type PageRecords = Record<string, Record<string, RecordedPage>>

/**
 * Reads and writes which page a path was published as on a server. The record is in a JSON file
 * beside a file or inside a folder, works after the path is deleted, and contains no key.
 */
export function openPageRecord(path: string, server: string) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const name = isFolder ? '.' : basename(path)
  const file = join(isFolder ? path : dirname(path), PAGE_RECORD_FILE)

  const read = () => readRecords(file)
  function write(page: RecordedPage | undefined): void {
    const records = read()
    const { [name]: _, ...others } = records[server] ?? {}
    const pages = page === undefined ? others : { ...others, [name]: page }
    writeJson(file, { ...records, [server]: pages }, 0o644)
  }

  return {
    find: (): RecordedPage | undefined => ownProperty(ownProperty(read(), server), name),
    save: ({ id, url }: RecordedPage) => write({ id, url }),
    remove: () => write(undefined),
  }
}

/** How many folders are looked into, the nearest first: a home folder has very many. */
const MAX_FOLDERS = 10_000

/**
 * The paths in and below a folder that were published, by the records beside them. What `publish`
 * leaves out of a deck, such as node_modules, is not looked into, nor are links. `problems` has a
 * line for each record that cannot be read.
 */
export function recordedPaths(folder: string, server: string, mostFolders = MAX_FOLDERS) {
  const paths: (RecordedPage & { path: string })[] = []
  const problems: string[] = []
  const folders = ['']
  for (const below of folders) {
    const entries = entriesOf(join(folder, below))
    const hasRecord = entries.some(({ name }) => name === PAGE_RECORD_FILE)
    try {
      const records = hasRecord ? readRecords(join(folder, below, PAGE_RECORD_FILE)) : {}
      const pages = Object.entries(ownProperty(records, server) ?? {})
      paths.push(...pages.map(([name, page]) => ({ path: join(below, name), ...page })))
    } catch (err) {
      if (!(err instanceof CommandFailed)) throw err
      problems.push(err.message)
    }
    const next = entries.filter((each) => each.isDirectory() && leftOutPart(each.name) === null)
    const near = next.slice(0, mostFolders - folders.length)
    folders.push(...near.map(({ name }) => join(below, name)))
  }
  return { paths: paths.sort((a, b) => (a.path < b.path ? -1 : 1)), problems }
}

/** None of a folder that may not be read. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

function readRecords(file: string): PageRecords {
  const value = readJson(file) ?? {}
  if (isPageRecords(value)) return value
  throw new CommandFailed(`${file} is not a file that handbill wrote: mend it, or move it away.`)
}

export type PageRecord = ReturnType<typeof openPageRecord>

/** Reads an own property: a path can be named like an inherited one, such as `constructor`. */
function ownProperty<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function isPageRecords(value: unknown): value is PageRecords {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (pages) => isRecord(pages) && Object.values(pages).every(isRecordedPage),
    )
  )
}
function isRecordedPage(value: unknown): value is RecordedPage {
  return isRecord(value) && typeof value.id === 'string' && typeof value.url === 'string'
}
