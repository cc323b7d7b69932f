import { resolve } from 'node:path'
import { argsOf, type Call } from '../command.ts'
import { contentFor } from '../content.ts'
import { WrongUsage } from '../output.ts'
import { type Page, pageId } from '../page.ts'
import { readSource, STDIN } from '../sources/index.ts'
import { announce, contentSettings, replace, reviewed } from '../writing.ts'

export async function run(call: Call): Promise<void> {
  const [name = '', path] = argsOf(call, ['PAGE', 'PATH'], 1)
  const page = path === undefined ? await change(call, name) : await renew(call, name, path)
  announce(call, page)
  call.print(page, page.url)
}

async function renew(call: Call, name: string, path: string): Promise<Page> {
  const at = path === STDIN ? path : resolve(call.env.cwd, path)
  const source = await reviewed(call, await readSource(at))
  const id = await pageId(call, name)
  const content = await contentFor(call.client(), source)
  return replace(call, id, { ...content, ...contentSettings(call, source) })
}

/** Settings alone, which show at once; `--entry` alone points a deck at another of its files. */
async function change(call: Call, name: string): Promise<Page> {
  const { settings, flags } = call
  if (typeof flags.entry === 'string') {
    return replace(call, await pageId(call, name), { entry: flags.entry })
  }
  if (Object.keys(settings).length === 0) {
    throw new WrongUsage('There is nothing to change: name a PATH or a setting.')
  }
  const { data } = await call.client().updatePage({ id: await pageId(call, name), ...settings })
  return data
}
