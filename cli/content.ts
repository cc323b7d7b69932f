import { createHash } from 'node:crypto'
import type { DeckFile, LocalContent, LocalDeck } from '../src/client/content/local-content.ts'
import {
  assertFitsPlan,
  type Content,
  fitsEveryPlan,
  prepareContent as prepare,
  uploadAll,
} from '../src/client/content/prepare.ts'
import { ApiError, type Client } from '../src/client/index.ts'
import { isMarkdownSource } from '../src/model/manifest.ts'
import { mapConcurrently } from '../src/model/map-concurrently.ts'
import { isMarkdownName } from '../src/model/markdown/source.ts'
import { CommandFailed } from './output.ts'
import { showProgress } from './terminal.ts'

export type { Content } from '../src/client/content/prepare.ts'

/**
 * Turns local content into the fields of an API request. Content that is too large for the request
 * body is uploaded first; an upload alone changes no page. Content that the plan does not allow is
 * not sent at all.
 *
 * @param keptFiles the files of a deck whose bytes the draft has, with their paths there
 */
export async function prepareContent(
  client: Client,
  local: LocalContent,
  keptFiles: ReadonlyMap<DeckFile, string> = new Map(),
): Promise<Content> {
  if (!fitsEveryPlan(local)) assertFitsPlan(local, (await client.getAccount()).data)
  const content = await prepare(local, (contents) => upload(client, contents), { keptFiles })
  return local.kind === 'html'
    ? { ...content, sha256: await sha256Of(piecesOf(local.blob)) }
    : content
}

async function upload(client: Client, contents: Blob[]): Promise<string[]> {
  const progress = showProgress('Uploading')
  try {
    return await uploadAll(contents, {
      async send(content, onProgress) {
        // Counting the bytes of a small file would take longer than to send it.
        const isLarge = content.size > PIECE_BYTES
        const { data } = await client.createUpload(content, isLarge ? { onProgress } : {})
        if (data.sha256 === (await sha256Of(piecesOf(content)))) return data.id
        throw new CommandFailed('An upload arrived damaged: try again.')
      },
      onProgress: progress.update,
    })
  } finally {
    progress.end()
  }
}

export async function sha256Of(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

const PIECE_BYTES = 1024 * 1024

/** The bytes of a file. Its stream would take twice as long for a small one. */
export async function* piecesOf(content: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.size; at += PIECE_BYTES) {
    yield new Uint8Array(await content.slice(at, at + PIECE_BYTES).arrayBuffer())
  }
}

type Draft = Awaited<ReturnType<typeof readDraft>>

interface Replacement<T> {
  client: Client
  id: string | null
  local: LocalContent
  /** The state of the page that the caller has named. */
  ifMatch?: string | undefined
  /** Sends the request. It may be called again, with all of the content. */
  send(content: Content, ifMatch: string | undefined): Promise<T>
}

/**
 * Makes local content the content of a page. Of a deck, it sends only what the draft lacks. A page
 * that gets files becomes a deck, and a deck of one page without them stays one.
 */
export async function sendChanges<T>(replacement: Replacement<T>): Promise<T> {
  try {
    return await sendAsItIs(replacement)
  } catch (err) {
    const isOfOtherKind = err instanceof ApiError && err.code === 'wrong_kind'
    const asDeck = isOfOtherKind ? await toDeck(replacement) : null
    if (asDeck === null) throw err
    return sendAsItIs(asDeck)
  }
}

async function toDeck<T>(replacement: Replacement<T>): Promise<Replacement<T> | null> {
  const { client, id, local, send } = replacement
  if (local.kind === 'deck') {
    return {
      ...replacement,
      send: (content, ifMatch) => send({ ...content, becomes_deck: true }, ifMatch),
    }
  }
  const files = id === null ? [] : (await readDraft(client, id)).files
  const isHtml = ({ type }: Draft['files'][number]) => type.startsWith('text/html')
  const [page, ...others] = files.filter(isHtml)
  // Of several pages, nothing says which one this is.
  if (page === undefined || others.length > 0 || local.kind !== 'html') return null
  const source = files.find(({ type }) => isMarkdownSource({ mime: type }))?.path
  const name = local.name ?? ''
  const path = isMarkdownName(name) ? (source ?? name) : page.path
  const pages = [{ path, blob: local.blob }]
  return { ...replacement, local: { kind: 'deck', pages, assets: [], skipped: [] } }
}

async function sendAsItIs<T>(replacement: Replacement<T>): Promise<T> {
  const { client, id, local, ifMatch, send } = replacement
  const draft = local.kind === 'deck' && id !== null ? await readDraft(client, id) : null
  const keptFiles =
    local.kind === 'deck' && draft !== null ? await filesToKeep(local, draft) : new Map()
  if (draft !== null && keptFiles.size > 0) {
    try {
      return await send(await prepareContent(client, local, keptFiles), ifMatch ?? draft.etag)
    } catch (err) {
      if (!(err instanceof ApiError) || !mayPassWhole(err, ifMatch)) throw err
    }
  }
  return send(await prepareContent(client, local), ifMatch)
}

/** The files of the draft, with the page's ETag. */
async function readDraft(client: Client, id: string) {
  let etag = ''
  const onEtag = (value: string) => {
    etag = value
  }
  const { data } = await client.listFiles({ id }, { onEtag })
  return { files: data.files, etag }
}

const READS_AT_ONCE = 8

/** The local files whose bytes the draft has, each with the path it has there. */
async function filesToKeep(
  { pages, assets }: LocalDeck,
  { files }: Draft,
): Promise<Map<DeckFile, string>> {
  const matches = new Map<DeckFile, string>()
  for (const [local, isPage] of [
    [pages, true],
    [assets, false],
  ] as const) {
    const drafts = files.filter(({ type }) => isPageType(type) === isPage)
    const hashes = new Map(drafts.map(({ path, hash }) => [path, hash]))
    const paths = new Map(drafts.map(({ path, hash }) => [hash, path]))
    await mapConcurrently(local, READS_AT_ONCE, async (file) => {
      const sha256 = await sha256Of(piecesOf(file.blob))
      const path = hashes.get(file.path) === sha256 ? file.path : paths.get(sha256)
      if (path !== undefined) matches.set(file, path)
    })
  }
  return matches
}

const isPageType = (mime: string) => mime.startsWith('text/html') || isMarkdownSource({ mime })

/** Whether the update may succeed with all content: it then does not depend on the draft. */
function mayPassWhole({ status, code }: ApiError, ifMatch: string | undefined): boolean {
  if (code === 'precondition_failed') return ifMatch === undefined
  const isOvertaken = ['conflict', 'file_not_found'].includes(code)
  return isOvertaken || status === null || status >= 500
}
