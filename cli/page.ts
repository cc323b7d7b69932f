import { resolve } from 'node:path'
import { answersOf, type Output } from '../src/client/index.ts'
import type { Call } from './command.ts'
import { memoryOf, type PathMemory } from './memory.ts'
import { CommandFailed, oneLine, WrongUsage } from './output.ts'

export type Page = Output<'getPage'>['data']

/** The first argument, and that there are no more than `most`. @throws WrongUsage */
export function argsOf({ args }: Call, names: string[], least = names.length): string[] {
  const missing = names.slice(0, least)[args.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  if (args.length <= names.length) return args
  throw new WrongUsage(`${oneLine(args[names.length]!)} is one argument too many.`)
}

/** Of a path that was published from here, or null. */
export function memoryAt({ world, server }: Call, name: string): PathMemory | null {
  if (/^https?:\/\//.test(name)) return null
  const memory = memoryOf(resolve(world.cwd, name), server)
  return memory.find() === undefined ? null : memory
}

/** The id of the page that somebody names by id, slug or address, or by what it was made from. */
export async function pageId(call: Call, name: string): Promise<string> {
  if (/^pg_[0-9A-Za-z]+$/.test(name)) return name
  const remembered = memoryAt(call, name)?.find()
  if (remembered !== undefined) return remembered.id
  const slug = /^https?:\/\//.test(name) ? slugIn(name) : name
  for await (const { data } of answersOf(call.client().listPages, { limit: 200 })) {
    const page = data.find((each) => each.slug === slug || each.url === name)
    if (page !== undefined) return page.id
  }
  throw new CommandFailed(
    `You have no page ${oneLine(name)}: give an id, a slug, a link, or a path published from here.`,
  )
}

export async function getPage(call: Call, name: string): Promise<Page> {
  const { data } = await call.client().getPage({ id: await pageId(call, name) })
  return data
}

function slugIn(url: string): string | undefined {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' }
  return /\/p\/([^/]+)/.exec(pathname)?.[1]
}

/** Who may open it, in the words that the product has for it. */
export function audienceOf(page: Page): string {
  const { access, allowed_emails, expires_at, max_views, views } = page
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) {
    return 'Its link has expired: nobody but you can open it.'
  }
  if (max_views !== null && views >= max_views) {
    return 'It was opened as often as it may be: nobody but you can open it.'
  }
  const count = allowed_emails.length
  const invited = `${count} ${count === 1 ? 'person' : 'people'} you invite`
  return {
    link: 'Anyone with the link can open it.',
    people: `Only the ${invited} can open it.`,
    private: 'Only you can open it.',
    password: 'Anyone with the password can open it.',
    email_gate: 'Anyone who confirms an email can open it.',
  }[access]
}
