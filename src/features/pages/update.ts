import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { contentInput } from '../content/contract.ts'
import {
  type Arrived,
  type Content,
  contentSource,
  landing,
  type Manifest,
  type Staged,
  stage,
} from '../content/index.ts'
import { addAddresses, authorOf, changePage, setDraft } from './changes.ts'
import type { UpdateInput } from './contract.ts'
import { isPassword, type PageDeps, sealPassword } from './parts.ts'
import type { Released } from './present.ts'
import { assertFallback, assertPlanAllows, mergeSettings, newPassword } from './rules.ts'

const CONTENT_MEMBERS = contentInput.keyof().options

interface Replacement {
  account: Account
  input: UpdateInput
  before: Manifest | null
  source: Arrived
}

/** Changes a page's settings, or replaces its draft. */
export async function updatePage(
  deps: PageDeps,
  request: Subjects['owner'],
  input: UpdateInput,
): Promise<Released> {
  const { content, importContent, views, agreements } = deps
  const { account, page } = request
  const maxViews = (await views.limitOf(page.id)) ?? null
  assertPlanAllows(account, input, { ...page.settings, max_views: maxViews })
  mergeSettings(page.settings, input)
  const agreement = input.agreement && (await agreements.prepare(account, input.agreement))
  const before = await replacedDraft(content, page, input)
  const source = await importContent.arrive(account, input, request.context)
  const staged = await content
    .holdMemory(source.sizeBytes, () => prepare(deps, page, { account, input, before, source }))
    .finally(source.close)
  const release = staged?.release ?? null
  if (Object.values(input).every((value) => value === undefined)) return { page, release }

  const after = await changePage(deps, request, {
    onDraft: staged !== null,
    isNoEdit: Object.entries(input).every(
      ([name, value]) => name === 'folder' || value === undefined,
    ),
    // Closing a page must work where nothing can be stored.
    durability: staged === null ? 'freeing' : 'full',
    async apply(tx, current) {
      const next = withInput(deps, current, input)
      if (agreement !== undefined) {
        const version = await agreements.save(tx, current, agreement)
        next.settings = { ...next.settings, agreement: version }
      }
      const { max_views, expires_at: closes_at } = input
      if (max_views !== undefined || closes_at !== undefined) {
        await views.setLimits(tx, page.id, { max_views, closes_at })
      }
      const { addresses } = input
      if (staged === null) {
        if (addresses?.length) await addAddresses(tx, deps, { page: next, addresses })
        return next
      }
      const author = authorOf(request.context, input.autosave)
      const draft = await setDraft(tx, deps, {
        ...{ page: next, content: staged, source: 'edit', publish: false, addresses, author },
      })
      return draft.next
    },
  })
  return { page: after, release }
}

/** The draft that the input replaces, or null where it only has settings. */
async function replacedDraft(content: Content, page: Page, input: UpdateInput) {
  const members = [...CONTENT_MEMBERS, 'becomes_deck' as const]
  if (members.every((name) => input[name] === undefined)) return null
  const before = await content.getManifest(page.draft_id)
  if (!hasEntryAlone(input)) assertSameKind(before, contentSource(input), input)
  return before
}

/** Reads the new draft, and stores its blobs that are too large for a row. */
async function prepare(deps: PageDeps, page: Page, replacement: Replacement) {
  const { content, importContent } = deps
  const { account, input, before, source } = replacement
  let draft: Staged | null = null
  if (before !== null) {
    draft = hasEntryAlone(input)
      ? withEntry(before, input)
      : await importContent(account, input, { ...source, before })
  }
  if (input.fallback != null) {
    const { files } = draft?.manifest ?? (await content.getManifest(page.draft_id))
    assertFallback(input, files, page.settings.fallback)
  }
  // What the page has already is released: so a folder is published again without a change.
  const isSame = draft?.manifestId === page.draft_id && !draft.warnings?.length
  if (isSame) return content.stageStored(page.draft_id)
  return draft && content.storeRelease(draft)
}

/** The page with the settings, title, slug and password of the input. */
function withInput(deps: PageDeps, current: Page, input: UpdateInput): Page {
  const settings = mergeSettings(current.settings, input)
  const isMissing = current.password_sealed === null && settings.access === 'password'
  const newText = input.password === undefined && isMissing ? null : input.password
  const isSame = typeof newText === 'string' && isPassword(deps, current, newText)
  return {
    ...current,
    settings,
    title: input.title === undefined ? current.title : input.title,
    slug: input.slug ?? current.slug,
    password_sealed:
      newText === undefined || isSame
        ? current.password_sealed
        : sealPassword(deps, current.id, newText ?? newPassword()),
  }
}

function hasEntryAlone({ entry, files, file_upload: zip }: UpdateInput): boolean {
  return entry !== undefined && files === undefined && zip === undefined
}

/** An update with only `entry` keeps the files and changes the first page of a deck. */
function withEntry(before: Manifest, input: UpdateInput): Staged {
  const more = CONTENT_MEMBERS.find((name) => name !== 'entry' && input[name] !== undefined)
  if (before.kind !== 'bundle' || more !== undefined) throw wrongKind(before, 'entry')
  const { kind, files } = before
  return stage({ kind, files, entry: landing(files, input.entry) })
}

/**
 * A page keeps its kind: it accepts HTML, the files of a deck, or a single file, as it was created.
 * The input can make a deck of it.
 */
function assertSameKind(before: Manifest, source: string, { becomes_deck }: UpdateInput): void {
  const kind = becomes_deck === true ? 'bundle' : before.kind
  const sources =
    kind === 'bundle'
      ? /^(?:files|zip)$/
      : before.file_name === null
        ? /^(?:html|markdown)/
        : /^file_/
  if (sources.test(source)) return
  throw wrongKind({ ...before, kind }, source === 'zip' ? 'filename' : source)
}

function wrongKind({ kind, file_name }: Manifest, param: string) {
  const [what, takes] =
    kind === 'bundle'
      ? ['a deck', 'files (with assets and entry), a zip as file_upload, or entry alone']
      : file_name === null
        ? ['a single HTML page', `html, html_base64, html_url, html_upload or markdown; ${AS_DECK}`]
        : ['a PDF or image', `file_base64, file_url or file_upload; ${AS_DECK}`]
  return refuse.invalid('wrong_kind', `This page is ${what}: it takes ${takes}.`, { param })
}
const AS_DECK = 'with becomes_deck, files'
