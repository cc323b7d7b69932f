import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { Client, Output } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { STDIN } from '../local-content.ts'
import { CommandFailed, oneLine, WrongUsage, writeFile } from '../output.ts'
import { getPage, openPageRecord, type Page } from '../page.ts'
import { isTerminal, printStatus } from '../terminal.ts'
import { type PulledFile, saveFile, saveFolder } from '../write-files.ts'

/**
 * Saves the content of a page. The path is recorded as that of the page, so that publishing it
 * again replaces the same page.
 */
export async function pull(context: CommandContext): Promise<void> {
  const [name = '', path] = positionalArgs(context, ['PAGE', 'PATH'], 1)
  const version = versionOf(context)
  const page = await getPage(context, name)
  const content = await fetchPublished(context.client(), page, version)
  if (path === STDIN) {
    if (content.kind === 'deck') throw new WrongUsage('A deck is a folder: name one.')
    await writeFile(content.file.chunks())
    return
  }
  const fallback = content.kind === 'file' ? nameOf(content.file, page.slug) : page.slug
  const target = resolve(context.env.cwd, path ?? fallback)
  const force = context.flags.force === true
  const files =
    content.kind === 'deck'
      ? await saveFolder(target, content.files, force)
      : [await saveFile(target, content.file, { force })]
  openPageRecord(target, context.server).save(page)
  context.print({ path: target, files }, path ?? fallback)
  if (isTerminal()) {
    const count = files.length === 1 ? '1 file' : `${files.length} files`
    printStatus(
      `Saved ${count}. To publish what you change there: handbill publish ${path ?? fallback}`,
    )
  }
}

/** A single HTML page has no name of its own but its slug. */
function nameOf({ path, isHtml }: PulledFile, slug: string): string {
  return isHtml ? `${slug}.html` : path
}

function versionOf({ flags }: CommandContext): number | undefined {
  const { version } = flags
  if (version === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(String(version))) return Number(version)
  throw new WrongUsage('--version must be the number of a version.')
}

type PulledContent = { kind: 'file'; file: PulledFile } | { kind: 'deck'; files: PulledFile[] }

type Asset = NonNullable<Output<'getVersion'>['data']['assets']>[number]

interface Listed {
  /** The HTML of a single page. */
  html?: string | undefined
  files?: { path: string; html: string }[] | undefined
  assets?: Asset[] | undefined
}

/** Lists the content of a page's draft or of a version. HTML is in it; the rest is fetched. */
async function fetchPublished(
  client: Client,
  page: Page,
  version: number | undefined,
): Promise<PulledContent> {
  const { html, files = [], assets = [] } = await listContent(client, page, version)
  const fetched = (asset: Asset): PulledFile => ({
    path: asset.path,
    isHtml: false,
    chunks: () => fetchAsset(client, { id: page.id, version }, asset),
  })
  if (html !== undefined) return { kind: 'file', file: inlined('index.html', html) }
  if (page.kind === 'single') {
    const [only] = assets
    if (only === undefined) throw new CommandFailed('The server lists no file of this page.')
    return { kind: 'file', file: fetched(only) }
  }
  const pages = files.map((file) => inlined(file.path, file.html))
  return { kind: 'deck', files: [...pages, ...assets.map(fetched)] }
}

/** A version has all of its content; of a draft, a PDF or image has no HTML to list. */
async function listContent(client: Client, page: Page, version?: number): Promise<Listed> {
  const { id, file } = page
  if (version === undefined && file === null) {
    const { data } = await client.readHtml({ id, full: true })
    return data
  }
  const number = version ?? (await client.listVersions({ id })).data[0]?.version_no
  if (number === undefined) throw new CommandFailed('The server lists no version of this page.')
  const { data } = await client.getVersion({ id, version_no: number })
  return data
}

function inlined(path: string, html: string): PulledFile {
  async function* chunks() {
    yield new TextEncoder().encode(html)
  }
  return { path, isHtml: true, chunks }
}

/** @throws CommandFailed where the bytes are others than the list says */
async function* fetchAsset(
  client: Client,
  { id, version }: { id: string; version: number | undefined },
  { path, hash }: Asset,
): AsyncGenerator<Uint8Array> {
  const response = await client.readFile({ id, path, ...(version !== undefined && { version }) })
  const hasher = createHash('sha256')
  for await (const chunk of response.body ?? []) {
    hasher.update(chunk)
    yield chunk
  }
  if (hasher.digest('hex') === hash) return
  throw new CommandFailed(
    `${oneLine(path)} arrived damaged, or the draft has just changed: pull the page again.`,
  )
}
