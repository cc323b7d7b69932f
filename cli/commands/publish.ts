import { resolve } from 'node:path'
import { ApiError } from '../../src/client/index.ts'
import type { CommandContext } from '../command.ts'
import { prepareContent } from '../content.ts'
import { readLocalContent, STDIN } from '../local-content/index.ts'
import { CommandFailed, WrongUsage } from '../output.ts'
import type { Page } from '../page.ts'
import { openPageRecord, type PageRecord } from '../page-record.ts'
import {
  confirmSkippedFiles,
  contentOptions,
  printPageStatus,
  replaceContent,
} from '../publishing.ts'
import { printStatus } from '../terminal.ts'

const SINGLE_PAGE_SETTINGS = ['title', 'slug']

export async function run(context: CommandContext): Promise<void> {
  const { args, settings } = context
  if (args.length === 0) throw new WrongUsage('PATH is missing.')
  const conflict =
    args.length > 1 && SINGLE_PAGE_SETTINGS.find((name) => settings[name] !== undefined)
  if (conflict) throw new WrongUsage(`--${conflict} is for one page: name one PATH.`)
  const pages: Page[] = []
  for (const path of args) {
    const page = await publish(context, path)
    pages.push(page)
    printPageStatus(context, page)
    if (!context.asJson) context.print(page, page.url)
  }
  if (context.asJson) context.print(pages.length === 1 ? pages[0] : pages, '')
}

/** Replaces the page that the path was published as before, or creates one. */
async function publish(context: CommandContext, path: string): Promise<Page> {
  const location = path === STDIN ? path : resolve(context.env.cwd, path)
  const record = path === STDIN ? null : openPageRecord(location, context.server)
  const recorded = record?.find()
  const local = await confirmSkippedFiles(context, await readLocalContent(location))
  const content = {
    ...(await prepareContent(context.client(), local)),
    ...contentOptions(context, local),
  }
  const replaced =
    recorded === undefined || context.flags.new === true
      ? null
      : await replaceIfFound(context, recorded.id, content)
  if (replaced !== null) return replaced
  const { data: page } = await context.client().createPage({
    ...content,
    ...context.settings,
    publish: context.flags.draft !== true,
  })
  saveRecord(record, page)
  return page
}

/** Returns null if the page was deleted. */
async function replaceIfFound(
  context: CommandContext,
  id: string,
  content: Parameters<typeof replaceContent>[2],
): Promise<Page | null> {
  try {
    return await replaceContent(context, id, content)
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    if (err.code === 'wrong_kind') {
      throw new CommandFailed(`${err.message} To publish it as another page, add --new.`)
    }
    if (err.code !== 'page_not_found') throw err
    printStatus('The page it was published as is gone: this makes a new one.')
    return null
  }
}

/** A record that cannot be written is only reported: the page is published already. */
function saveRecord(record: PageRecord | null, page: Page): void {
  try {
    record?.save(page)
  } catch (err) {
    printStatus(`${(err as Error).message} Publishing this again will make another page.`)
  }
}
