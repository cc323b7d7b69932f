import type { z } from 'zod'
import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { RequestContext } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { LIMITS } from '../../model/plan.ts'
import {
  applyEdits,
  type Change,
  isHtml,
  type Manifest,
  type ManifestFile,
  omitDataUris,
  type Staged,
  sizeOf,
  stage,
} from '../content/index.ts'
import type { EditInput, readHtml } from './contract.ts'
import type { PageDeps, Records } from './records.ts'

/** A byte order mark is content: it is not for the decoder to drop. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export type Html = z.input<typeof readHtml.output>['data']
export interface EditsSummary {
  changes: Change[]
  previous_version: number
  version: number
}

export function createHtml({ content, versions }: PageDeps, records: Records) {
  async function read(page: Page, full: boolean): Promise<Html> {
    const manifest = await getHtmlManifest(page)
    const elided = { count: 0, chars: 0 }
    const files: { path: string; html: string }[] = []
    for (const { path, hash } of manifest.files.filter(isHtml)) {
      const text = utf8.decode(await content.bytes(hash))
      const short = full ? { html: text, elided: { count: 0, chars: 0 } } : omitDataUris(text)
      elided.count += short.elided.count
      elided.chars += short.elided.chars
      files.push({ path, html: short.html })
    }
    const hasUnpublishedChanges = page.draft_id !== page.published_id
    const { kind, entry } = manifest
    return kind === 'single'
      ? { kind, html: files[0]!.html, has_unpublished_changes: hasUnpublishedChanges, elided }
      : { kind, entry, files, has_unpublished_changes: hasUnpublishedChanges, elided }
  }

  async function edit(
    account: Account,
    page: Page,
    input: EditInput,
    context: RequestContext,
  ): Promise<{ page: Page; edits: EditsSummary }> {
    const before = await getHtmlManifest(page)
    const file = fileToEdit(before, input.file)
    const { bytes, changes } = applyEdits(await content.bytes(file.hash), input.edits, {
      max_bytes: roomFor(account, before, file),
    })
    const edited = staged(before, file, bytes)
    const ready = input.publish ? await content.prepareRelease(edited) : edited
    await content.putLarge(ready)

    const numbers = { previous_version: 0, version: 0 }
    const changed = await records.change(page, context, {
      onDraft: true,
      async apply(tx, current) {
        const version = {
          pageId: page.id,
          publishedId: current.published_id,
          source: 'edit',
        } as const
        numbers.previous_version = await versions.save(tx, {
          ...version,
          manifestId: current.draft_id,
          sizeBytes: sizeOf(before),
        })
        await content.save(tx, ready)
        numbers.version = await versions.save(tx, {
          ...version,
          manifestId: ready.manifestId,
          sizeBytes: sizeOf(ready.manifest),
          source: input.publish ? 'publish' : 'edit',
        })
        return records.setDraft(tx, current, ready.manifestId, input.publish)
      },
    })
    return { page: changed, edits: { changes, ...numbers } }
  }

  async function getHtmlManifest(page: Page): Promise<Manifest> {
    const manifest = await content.getManifest(page.draft_id)
    if (manifest.file_name === null) return manifest
    throw refuse.invalid('not_html', 'This page is a PDF or image: it has no HTML to read or edit.')
  }

  return { read, edit }
}

function fileToEdit({ kind, entry, files }: Manifest, path: string | undefined): ManifestFile {
  if (path !== undefined && kind === 'single') {
    throw refuse.invalid('wrong_kind', 'file names a file of a deck; this is a single page.', {
      param: 'file',
    })
  }
  const file = files.find((each) => isHtml(each) && each.path === (path ?? entry))
  if (file !== undefined) return file
  throw refuse.invalid('file_not_found', `The deck has no HTML file ${path}.`, { param: 'file' })
}

/** How large the file may become: its own cap, and what the deck's other files leave. */
function roomFor({ plan }: Account, { kind, files }: Manifest, edited: ManifestFile): number {
  const { fileBytes, deckBytes } = LIMITS[plan]
  if (kind === 'single') return fileBytes
  const others = files.filter((file) => file !== edited)
  return deckBytes - others.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0)
}

function staged(before: Manifest, edited: ManifestFile, bytes: Uint8Array): Staged {
  const { path, mime } = edited
  const files = before.files.map((file) => (file === edited ? { path, mime, bytes } : file))
  return stage({ kind: before.kind, entry: before.entry, files })
}
