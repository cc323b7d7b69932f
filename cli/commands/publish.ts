import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeEntry } from '../../src/client/content/left-out.ts'
import type { LocalContent } from '../../src/client/content/local-content.ts'
import { ApiError } from '../../src/client/index.ts'
import { createPage } from '../../src/features/pages/contract.ts'
import { count } from '../../src/model/numbers.ts'
import { isPageName, parsePageName } from '../../src/model/page-name.ts'
import { assertArgs, type CommandContext, textOf } from '../command.ts'
import { prepareContent, sendChanges } from '../content.ts'
import { readLocalContent, STDIN } from '../local-content.ts'
import { CommandFailed, NotFound, oneLine, WrongUsage } from '../output.ts'
import { findPage, openPageRecord, type Page, resolvePageId } from '../page.ts'
import {
  confirmSkippedFiles,
  contentOptions,
  printOpenTo,
  printWarnings,
  printWritten,
  publishDraft,
  replaceContent,
  reportUnpublished,
  saveRecord,
  type Written,
} from '../publishing.ts'
import { isTerminal, openInBrowser, printStatus } from '../terminal.ts'

const SINGLE_PAGE_SETTINGS = ['title', 'slug']
const PATH_OPTIONS = ['new', 'draft', 'entry', 'alone', 'watch']

export async function publish(context: CommandContext): Promise<void> {
  const { args, settings } = context
  const conflict =
    args.length > 1 && SINGLE_PAGE_SETTINGS.find((name) => settings[name] !== undefined)
  if (conflict) throw new WrongUsage(`--${conflict} is for one page: name one PATH.`)
  if (context.flags.watch === true) return publishEachSave(context)
  const pages: Page[] = []
  for (const name of args) {
    const page = (await publishNamed(context, name)) ?? (await publishPath(context, name))
    pages.push(page)
    if (!context.asJson) context.print(page, page.url)
  }
  if (context.asJson) context.print(pages.length === 1 ? pages[0] : pages, '')
}

/**
 * Publishes the draft of a page that is named by its id, slug or link. Null if the name is that of
 * a local path, which goes before.
 */
async function publishNamed(context: CommandContext, name: string): Promise<Page | null> {
  const { client, server, env, flags, settings } = context
  if (name === STDIN || statSync(resolve(env.cwd, name), { throwIfNoEntry: false })) return null
  const pageName = parsePageName(name)
  if (!isPageName(pageName.idOrSlug)) return null
  const page = await findPage({ client: client(), baseUrl: server }, pageName)
  if (page === null) {
    throw new NotFound(
      'page_not_found',
      `There is no file ${oneLine(name)} here, and you have no page of that name.`,
    )
  }
  const option = PATH_OPTIONS.find((option) => flags[option] !== undefined)
  if (option) throw new WrongUsage(`--${option} is for a PATH: ${oneLine(name)} is a page.`)
  const hasSettings = Object.keys(settings).length > 0
  const publishing = hasSettings
    ? replaceContent(context, { id: page.id }, {})
    : publishDraft(context, page.id)
  return printWritten(context, await publishing)
}

/** Replaces the page that the path was published as before, or creates one. */
async function publishPath(context: CommandContext, path: string): Promise<Page> {
  const location = path === STDIN ? path : resolve(context.env.cwd, path)
  const record = path === STDIN ? null : openPageRecord(location, context.server)
  const recorded = record?.find()
  const local = await readPath(context, location)
  const replaced =
    recorded === undefined || context.flags.new === true
      ? null
      : await replaceIfFound(context, recorded.id, local)
  const page = printWritten(context, replaced ?? (await create(context, local)))
  if (replaced === null) saveRecord(record, page)
  reportEntry(context, local, page)
  return page
}

/** Publishes a path, and its draft again whenever it is saved. */
async function publishEachSave(context: CommandContext): Promise<void> {
  assertArgs('PATH', context.args)
  const [path = ''] = context.args
  if (path === STDIN) throw new WrongUsage('--watch is for a file or a folder.')
  if (context.asJson) throw new WrongUsage('--watch has no result: leave --json out.')
  const location = resolve(context.env.cwd, path)
  const { flags } = context
  const isDraft = flags.draft !== false
  const each = { ...context, flags: { ...flags, draft: isDraft, open: false } }
  const { createWatch } = await import('./watch.ts')
  const isAlone = flags.alone === true
  let id = ''
  const watch = await createWatch({
    ...{ location, isAlone },
    read: () => readLocalContent(location, isAlone),
    // The settings are those of the start: they may be changed in the app meanwhile. Drafts of a
    // short time are one version.
    send: (local) => replaceWithLocal({ ...each, settings: { autosave: isDraft } }, id, local),
  })
  const page = await publishPath(each, path)
  id = page.id
  const preview = new URL(`/app/pages/${id}/watch`, page.url).href
  context.print(page, preview)
  if (flags.open === true && isTerminal()) openInBrowser(preview)
  await watch.run(page)
}

async function readPath(context: CommandContext, location: string): Promise<LocalContent> {
  const local = await readLocalContent(location, context.flags.alone === true)
  return confirmSkippedFiles(context, local)
}

async function create(context: CommandContext, local: LocalContent): Promise<Written> {
  const options = contentOptions(context, local)
  const other = Object.keys(context.settings).find((name) => !(name in createPage.input.shape))
  if (other !== undefined) {
    throw new WrongUsage(`--${other} changes a page, and this would be a new one: leave it out.`)
  }
  const content = { ...(await prepareContent(context.client(), local)), ...options }
  const publish = context.flags.draft !== true
  return context.client().createPage({ ...content, ...context.settings, publish })
}

/** Says where visitors land. Any page but an index.html may be a guess. */
function reportEntry({ flags }: CommandContext, local: LocalContent, page: Page): void {
  if (local.kind !== 'deck' || local.entry !== undefined || page.entry_path === null) return
  const isSure = flags.entry !== undefined || /^index\.html?$/i.test(page.entry_path)
  const hint = isSure ? '' : ' To open it elsewhere, add --entry FILE.'
  printStatus(describeEntry(page.entry_path) + hint)
}

async function replaceIfFound(
  context: CommandContext,
  id: string,
  local: LocalContent,
): Promise<Written | null> {
  try {
    return await replaceWithLocal(context, id, local)
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    if (err.code === 'wrong_kind') {
      throw new CommandFailed(`${err.message} To publish it as another page, add --new.`)
    }
    if (err.code === 'page_not_found') {
      printStatus('The page it was published as is gone: this makes a new one.')
      return null
    }
    if (err.code !== 'in_trash') throw err
    const undo = `handbill rm --undo ${id}`
    printStatus(`The page it was published as is in the trash (${undo}): this makes a new one.`)
    return null
  }
}

export async function update(context: CommandContext): Promise<void> {
  const [name = '', path] = context.args
  const written =
    path === undefined
      ? await updateSettings(context, name)
      : await updateContent(context, name, path)
  const page = printWritten(context, written)
  context.print(page, page.url)
}

async function updateContent(
  context: CommandContext,
  name: string,
  path: string,
): Promise<Written> {
  const location = path === STDIN ? path : resolve(context.env.cwd, path)
  const local = await readPath(context, location)
  const id = await resolvePageId(context, name)
  return replaceWithLocal(context, id, local)
}

/** Updates settings, which take effect at once. `--entry` alone changes a deck's first page. */
async function updateSettings(context: CommandContext, name: string): Promise<Written> {
  const { settings, flags } = context
  if (typeof flags.entry === 'string') {
    const id = await resolvePageId(context, name)
    return replaceContent(context, { id }, { entry: flags.entry })
  }
  if (Object.keys(settings).length === 0) {
    throw new WrongUsage('There is nothing to change: name a PATH or a setting.')
  }
  return context.client().updatePage({ id: await resolvePageId(context, name), ...settings })
}

/** Replaces the content of a page by local content. Of a deck, it sends only what changed. */
async function replaceWithLocal(
  context: CommandContext,
  id: string,
  local: LocalContent,
): Promise<Written> {
  const options = contentOptions(context, local)
  return sendChanges({
    client: context.client(),
    id,
    local,
    send: (content, ifMatch) =>
      replaceContent(context, { id, ifMatch }, { ...content, ...options }),
  })
}

export async function edit(context: CommandContext): Promise<void> {
  const { find, replace, all, file, addresses, publish } = context.flags
  if (typeof find !== 'string' || find === '') throw new WrongUsage('--find is missing.')
  if (typeof replace !== 'string') throw new WrongUsage("--replace is missing: '' deletes.")
  const edit = {
    id: await resolvePageId(context),
    edits: [{ find, replace, replace_all: all === true }],
    file: textOf(file),
    addresses: textOf(addresses)?.split(','),
    publish: publish === true,
  }
  const response = await context.client().editHtml(edit).catch(rewordError)
  const { data: page, edits, warnings } = response
  printOpenTo(page)
  context.print({ page, edits }, page.url)
  if (isTerminal()) {
    const total = edits.changes.reduce((sum, change) => sum + change.count, 0)
    const [state, flag] =
      publish === true ? ['and published it', ' --publish'] : ['in the draft', '']
    const undo = `handbill restore ${page.id} ${edits.previous_version}${flag}`
    printStatus(`Replaced ${count(total, 'place')} ${state}. To undo: ${undo}`)
  }
  printWarnings(warnings)
  reportUnpublished(page)
}

/** Rewords errors about the list of edits: the command has one edit, made of options. */
function rewordError(err: unknown): never {
  if (!(err instanceof ApiError)) throw err
  const { code, details } = err
  const files = Array.isArray(details.found_in) ? details.found_in.filter(isText) : []
  const isElsewhere = code === 'edit_not_found' && files.length > 0
  const elsewhere = `The text of --find is not in this file, but in ${files.join(', ')}`
  const message = isElsewhere ? `${elsewhere}: add --file ${files[0]}.` : OPTION_MESSAGES[code]
  throw message === undefined ? err : err.reworded(message)
}
const isText = (path: unknown) => typeof path === 'string'
const OPTION_MESSAGES: Record<string, string> = {
  edit_not_found: 'The text of --find is nowhere in the draft: copy it exactly as it is there.',
  edit_ambiguous: 'The text of --find is there more than once: make it longer, or add --all.',
}
