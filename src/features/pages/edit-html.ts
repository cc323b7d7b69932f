import { type Account, assertStores } from '../../model/account.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import type { Subjects } from '../../model/operation.ts'
import type { EditsSummary } from '../../model/page/html.ts'
import { MAX_FILE_BYTES } from '../../model/plan.ts'
import {
  bufferOf,
  bytesIn,
  type Content,
  type Edit,
  entryFile,
  htmlFileOf,
  isHtml,
  type Manifest,
  type ManifestFile,
  type SourceFile,
  type Staged,
  sizeOf,
  stage,
} from '../content/index.ts'
import { authorOf, changePage, setDraft } from './changes.ts'
import type { EditInput } from './contract.ts'
import type { PageDeps } from './parts.ts'
import type { Released } from './present.ts'
import { getHtmlManifest, sourceOf } from './read.ts'

/**
 * Finds and replaces text in the HTML of a page's draft, or in the Markdown that it is made of: its
 * HTML is then rendered again.
 */
export async function editHtml(
  deps: PageDeps,
  request: Subjects['owner'],
  input: EditInput,
): Promise<Released & { edits: EditsSummary }> {
  const { content, versions } = deps
  const { account, page } = request
  const { publish, addresses } = input
  const before = await getHtmlManifest(deps, page)
  const named = input.file === undefined ? entryFile(before) : htmlFileOf(before, input.file)
  const file = sourceOf(before, named)
  const { edited, staged } = await content.holdMemory(file.size_bytes, async () => {
    const edited = await editFile(content, { account, before, file, edits: input.edits })
    const draft = await stageEdited(content, before, { ...file, ...edited })
    assertStores(account, sizeOf(draft.manifest))
    return { edited, staged: await content.storeRelease(draft) }
  })

  const versionNos = { previous_version: 0, version: 0 }
  const after = await changePage(deps, request, {
    onDraft: true,
    async apply(tx, current) {
      // Restoring this version undoes the edit.
      const draft = { manifest: before, manifestId: current.draft_id }
      const undo = { page: current, content: draft, source: 'edit' } as const
      versionNos.previous_version = await versions.save(tx, undo)
      const { next, versionNo } = await setDraft(tx, deps, {
        ...{ page: current, content: staged, publish, addresses },
        source: publish ? 'publish' : 'edit',
        author: authorOf(request.context, input.autosave),
      })
      versionNos.version = versionNo
      // Edits of Markdown do not say where passages of its HTML went: they are looked for.
      if (isHtml(file)) {
        await versions.recordEdit(tx, {
          pageId: page.id,
          fromHash: file.hash,
          toHash: edited.hash,
          splices: edited.splices,
        })
      }
      return next
    },
  })
  const edits = { changes: edited.changes, ...versionNos }
  return { page: after, edits, release: staged.release }
}

interface EditOfFile {
  account: Account
  before: Manifest
  file: ManifestFile
  edits: readonly Edit[]
}

/** @throws Refusal which, where the text is in other files of the deck, names them */
async function editFile(content: Content, { account, before, file, edits }: EditOfFile) {
  try {
    const html = await content.bytes(file.hash)
    return await content.editHtml(html, edits, maxBytesOf(account, before, file))
  } catch (err) {
    const find = err instanceof Refusal ? findOfMissing(err, edits) : undefined
    if (find === undefined || before.kind === 'single') throw err
    const paths: string[] = []
    for (const { path, hash } of editable(before).filter((each) => each !== file)) {
      if (bufferOf(await content.bytes(hash)).includes(find)) paths.push(path)
    }
    throw paths.length === 0 ? err : inOtherFile(err as Refusal, file.path, paths)
  }
}

/** The `find` of the edit that matched nothing; undefined where the edits failed otherwise. */
function findOfMissing({ code, details }: Refusal, edits: readonly Edit[]): string | undefined {
  return code === 'edit_not_found' ? edits[Number(details?.edit_index)]?.find : undefined
}

const MAX_NAMED_FILES = 5

function inOtherFile({ details }: Refusal, target: string, paths: string[]): Refusal {
  const names = paths.slice(0, MAX_NAMED_FILES).map((path) => JSON.stringify(path))
  const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : ''
  return refuse.unprocessable(
    'edit_not_found',
    `Edit ${details?.edit_index}: its find is not in ${JSON.stringify(target)}, but in ` +
      `${names.join(', ')}${more}: name the file to edit as \`file\`.`,
    { ...details, found_in: paths },
  )
}

const editable = (manifest: Manifest) =>
  manifest.files.filter(isHtml).map((file) => sourceOf(manifest, file))

/** The size limit of the file: in a deck, the plan's limit without the other files. */
function maxBytesOf({ limits }: Account, { kind, files }: Manifest, target: ManifestFile): number {
  if (kind === 'single') return limits.file_bytes
  const room = limits.deck_bytes - bytesIn(files.filter((file) => file !== target))
  // An edit has the whole file in memory.
  return Math.min(room, MAX_FILE_BYTES)
}

async function stageEdited(
  content: Content,
  before: Manifest,
  { path, mime, bytes, hash }: SourceFile,
): Promise<Staged> {
  const target = { path, mime, bytes, hash }
  const newFiles = isHtml(target) ? [target] : await content.renderMarkdown(before, target)
  const files = before.files.map((file) => newFiles.find((each) => each.path === file.path) ?? file)
  return stage({ kind: before.kind, entry: before.entry, files })
}
