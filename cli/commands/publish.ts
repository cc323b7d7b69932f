import { resolve } from 'node:path'
import { ApiError } from '../../src/client/index.ts'
import type { Call } from '../command.ts'
import { contentFor } from '../content.ts'
import { memoryOf, type PathMemory } from '../memory.ts'
import { CommandFailed, WrongUsage } from '../output.ts'
import type { Page } from '../page.ts'
import { readSource, STDIN } from '../sources/index.ts'
import { say } from '../terminal.ts'
import { announce, contentSettings, replace, reviewed } from '../writing.ts'

const ONE_PAGE_ONLY = ['title', 'slug']

export async function run(call: Call): Promise<void> {
  const { args, settings } = call
  if (args.length === 0) throw new WrongUsage('PATH is missing.')
  const once = args.length > 1 && ONE_PAGE_ONLY.find((name) => settings[name] !== undefined)
  if (once) throw new WrongUsage(`--${once} is for one page: name one PATH.`)
  const pages: Page[] = []
  for (const path of args) {
    const page = await publish(call, path)
    pages.push(page)
    announce(call, page)
    if (!call.asJson) call.print(page, page.url)
  }
  if (call.asJson) call.print(pages.length === 1 ? pages[0] : pages, '')
}

/** The page that the path was published as before, if any and if wanted, or a new one. */
async function publish(call: Call, path: string): Promise<Page> {
  const at = path === STDIN ? path : resolve(call.env.cwd, path)
  const memory = path === STDIN ? null : memoryOf(at, call.server)
  const remembered = memory?.find()
  const source = await reviewed(call, await readSource(at))
  const content = { ...(await contentFor(call.client(), source)), ...contentSettings(call, source) }
  const again =
    remembered === undefined || call.flags.new === true
      ? null
      : await replaceIfThere(call, remembered.id, content)
  if (again !== null) return again
  const { data: page } = await call.client().createPage({
    ...content,
    ...call.settings,
    publish: call.flags.draft !== true,
  })
  keep(memory, page)
  return page
}

async function replaceIfThere(
  call: Call,
  id: string,
  content: Parameters<typeof replace>[2],
): Promise<Page | null> {
  try {
    return await replace(call, id, content)
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    if (err.code === 'wrong_kind') {
      throw new CommandFailed(`${err.message} To publish it as another page, add --new.`)
    }
    if (err.code !== 'page_not_found') throw err
    say('The page it was published as is gone: this makes a new one.')
    return null
  }
}

/** The page is there whether or not it can be remembered, so that is no failure. */
function keep(memory: PathMemory | null, page: Page): void {
  try {
    memory?.keep(page)
  } catch (err) {
    say(`${(err as Error).message} Publishing this again will make another page.`)
  }
}
