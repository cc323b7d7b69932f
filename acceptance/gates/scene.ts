/** An owner whose mail can be read, pages behind gates, and the way through a gate. */
import { expect, test } from 'bun:test'
import { type Answer, type Fields, type Owner, ownerOf, type Page } from '../client.ts'
import { expectGate, expectNotice } from '../expect.ts'
import { html, word } from '../material.ts'
import { command, ownServer, type Plan, server } from '../server.ts'
import { type Outbox, sharedOutbox } from './mail.ts'
import { type Person, person } from './person.ts'

/** Mails are read from the server's own folder: there is none of somebody else's server. */
export const own = test.skipIf(!server.own)

export interface MailedOwner extends Owner {
  readonly email: string
}

/** A new account, its key and its address. */
export async function newOwner(
  env: Record<string, string> = ownServer().env,
  plan: Plan = 'pro',
): Promise<MailedOwner> {
  const email = `${word('owner')}@handbill.example`
  for (const words of [
    ['account', 'add', email, '--plan', plan],
    ['key', 'create', email],
  ]) {
    const { code, stdout, stderr } = await command(env, ...words, '--json')
    if (code !== 0) throw new Error(`handbill ${words.join(' ')} exited ${code}:\n${stderr}`)
    if (words[0] === 'key') {
      return { ...ownerOf((JSON.parse(stdout) as { key: string }).key), email }
    }
  }
  throw new Error('unreachable')
}

let shared: Promise<MailedOwner> | undefined
/** One for all tests that do not mind what else the account holds. */
export function owner(): Promise<MailedOwner> {
  shared ??= newOwner()
  return shared
}

let second: Promise<MailedOwner> | undefined
/** Another account, which owns nothing of the first. */
export function stranger(): Promise<MailedOwner> {
  second ??= newOwner()
  return second
}

export function newEmail(stem = 'ann'): string {
  return `${word(stem)}@example.com`
}

export interface Gated {
  readonly page: Page
  readonly path: string
  /** Stands in the content and nowhere else. */
  readonly content: string
  /** What nobody may read who was not let in. */
  readonly hidden: string[]
}

/** A page with a title and a content of its own. */
export async function gated(by: Owner, settings: Fields, hidden: string[] = []): Promise<Gated> {
  const [content, title] = [word('content'), word('title')]
  const page = await by.publish({ html: html(content, title), ...settings })
  return { page, path: `/p/${page.slug}`, content, hidden: [content, title, ...hidden] }
}

/** The page's content, whole. */
export function expectOpen(answer: Answer, { content }: Gated): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  expect(answer.text).toContain(content)
  expect(answer.headers.get('cache-control') ?? '').toMatch(/no-store|private/)
}

/** A gate that says nothing, is kept by no cache, and stands in nobody's frame. */
export function expectShut(answer: Answer, { hidden }: Gated): void {
  expectGate(answer, hidden)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain("script-src 'self'")
  for (const [name, value] of answer.headers) {
    for (const words of hidden) expect(value, name).not.toContain(words)
  }
}

export function expectClosed(answer: Answer, { hidden }: Gated, status: number): void {
  expectNotice(answer, status, hidden)
  expect(answer.text).not.toContain('<form')
}

export function pathIn(link: string): string {
  return new URL(link).pathname
}

/** Gives an address at the gate, and answers what comes then. */
export async function give(who: Person, { path }: Gated, email: string): Promise<Answer> {
  return who.submit(await who.open(path), { email })
}

/** Through the whole conversation: the address, the mail, its link, the button. */
export async function confirm(
  who: Person,
  page: Gated,
  email: string,
  outbox: Outbox = sharedOutbox(),
): Promise<Answer> {
  const before = outbox.sentTo(email).length
  const asked = await give(who, page, email)
  expect(asked.status, asked.text.slice(0, 300)).toBe(200)
  const { links } = await outbox.last(email, before + 1)
  return who.submit(await who.open(pathIn(links[0]!)))
}

/** A browser in which the account of the address is signed in. */
export async function signedIn(email: string, who: Person = person()): Promise<Person> {
  const outbox = sharedOutbox()
  const before = outbox.sentTo(email).length
  await who.submit(await who.open('/app/sign-in'), { email })
  const { links } = await outbox.last(email, before + 1)
  const done = await who.submit(await who.open(pathIn(links[0]!)))
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
  return who
}

/** Waits until a mail that was caused now is sent: those caused before have gone by then. */
export async function mailsAreOut(): Promise<void> {
  const email = newEmail('barrier')
  const who = person()
  await who.submit(await who.open('/app/sign-in'), { email })
  await sharedOutbox().last(email)
  await Bun.sleep(30)
}
