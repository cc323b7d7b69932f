import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { RequestContext } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import {
  type ContentInput,
  contentSource,
  type ImportContent,
  isHtml,
  landing,
  type Manifest,
  type Staged,
  sizeOf,
  stage,
} from '../content/index.ts'
import type { UpdateInput } from './contract.ts'
import type { PageDeps, Records } from './records.ts'
import { assertPlanAllows, mergeSettings, newPassword } from './rules.ts'

const CONTENT_MEMBERS = [
  'html',
  'html_base64',
  'html_url',
  'html_upload',
  'sha256',
  'files',
  'assets',
  'entry',
  'file_base64',
  'file_url',
  'file_upload',
  'filename',
  'mime',
] as const satisfies (keyof ContentInput)[]

export function createUpdate(deps: PageDeps, records: Records, importContent: ImportContent) {
  const { content, versions, views } = deps

  /** The new draft, or null where the input only sets settings. */
  async function takeContent(
    account: Account,
    page: Page,
    input: UpdateInput,
  ): Promise<Staged | null> {
    if (CONTENT_MEMBERS.every((name) => input[name] === undefined)) return null
    const before = await content.getManifest(page.draft_id)
    if (input.entry !== undefined && input.files === undefined) {
      return repoint(before, input)
    }
    assertSameKind(before, contentSource(input))
    return importContent(account, input, before)
  }

  /** `entry` alone: the same files, another landing page. */
  function repoint(before: Manifest, input: UpdateInput): Staged {
    const more = CONTENT_MEMBERS.find((name) => name !== 'entry' && input[name] !== undefined)
    if (before.kind !== 'bundle' || more !== undefined) throw wrongKind(before, 'entry')
    const { kind, files } = before
    return stage({ kind, files, entry: landing(files.filter(isHtml), input.entry) })
  }

  function nextPassword(page: Page, access: string, given: string | undefined): string | null {
    if (given !== undefined) return records.passwords.seal(page.id, given)
    if (page.password_sealed !== null || access !== 'password') return page.password_sealed
    return records.passwords.seal(page.id, newPassword())
  }

  return async (
    account: Account,
    page: Page,
    input: UpdateInput,
    context: RequestContext,
  ): Promise<Page> => {
    assertPlanAllows(account, input)
    mergeSettings(page.settings, input)
    const staged = await takeContent(account, page, input)
    if (staged !== null) await content.putLarge(staged)
    if (Object.values(input).every((value) => value === undefined)) return page

    return records.change(page, context, {
      onDraft: staged !== null,
      async apply(tx, current) {
        const settings = mergeSettings(current.settings, input)
        if (input.max_views !== undefined) await views.setLimit(tx, page.id, input.max_views)
        const next: Page = {
          ...current,
          settings,
          title: input.title === undefined ? current.title : input.title,
          slug: input.slug ?? current.slug,
          password_sealed: nextPassword(current, settings.access, input.password),
        }
        if (staged === null) return next
        await content.save(tx, staged)
        await versions.save(tx, {
          pageId: page.id,
          manifestId: staged.manifestId,
          sizeBytes: sizeOf(staged.manifest),
          source: 'edit',
          publishedId: current.published_id,
        })
        return records.setDraft(tx, next, staged.manifestId, false)
      },
    })
  }
}

/** Html goes to HTML pages, files to decks, a file to file pages: a page keeps its kind. */
function assertSameKind(before: Manifest, source: string): void {
  const wanted =
    before.kind === 'bundle' ? /^files$/ : before.file_name === null ? /^html/ : /^file_/
  if (!wanted.test(source)) throw wrongKind(before, source)
}

function wrongKind({ kind, file_name: fileName }: Manifest, param: string) {
  const [what, takes] =
    kind === 'bundle'
      ? ['a deck', 'files (with assets and entry), or entry alone']
      : fileName === null
        ? ['a single HTML page', 'html, html_base64, html_url or html_upload']
        : ['a PDF or image', 'file_base64, file_url or file_upload']
  return refuse.invalid('wrong_kind', `This page is ${what}: it takes ${takes}.`, { param })
}
