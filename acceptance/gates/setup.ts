/** Setup for tests of gates: owners, gated pages, and the steps through a gate. */
import { expect, test } from 'bun:test'
import { addAccounts } from '../add-accounts.ts'
import { type Answer, type Fields, type Owner, ownerOf, type Page } from '../client.ts'
import { expectGate, expectNotice } from '../expect.ts'
import { html, word } from '../material.ts'
import { command, ownServer, type Plan, server } from '../server.ts'
import { type Mail, sharedOutbox } from './mail.ts'
import { type Person, person } from './person.ts'

/** A test that reads mails: they are in the data folder, which only a server of our own has. */
export const own = test.skipIf(!server.own)

export interface MailedOwner extends Owner {
  readonly email: string
}

/** Creates an account and a key. */
export async function newOwner(
  env: Record<string, string> = ownServer().env,
  plan: Plan = 'pro',
): Promise<MailedOwner> {
  const email = `${word('owner')}@handbill.example`
  const [key] = await addAccounts(env, [{ email, plan }])
  return { ...ownerOf(key!, env.BASE_URL), email }
}

let operator: Promise<string> | undefined
/** The address of the operator: the first account of the server. */
export function operatorEmail(): Promise<string> {
  operator ??= findOperator()
  return operator
}

async function findOperator(): Promise<string> {
  const { stdout } = await command(ownServer().env, 'account', 'list', '--json')
  const accounts = JSON.parse(stdout) as { email: string; is_operator: boolean }[]
  return accounts.find(({ is_operator: isOperator }) => isOperator)!.email
}

let shared: Promise<MailedOwner> | undefined
/** An account shared by the tests that do not depend on its other pages. */
export function owner(): Promise<MailedOwner> {
  shared ??= newOwner()
  return shared
}

let second: Promise<MailedOwner> | undefined
/** Another shared account. */
export function otherOwner(): Promise<MailedOwner> {
  second ??= newOwner()
  return second
}

export function newEmail(stem = 'ann'): string {
  return `${word(stem)}@example.com`
}

export interface Gated {
  readonly page: Page
  readonly path: string
  /** A text that only the content has. */
  readonly content: string
  /** Texts that must not be in a response to a visitor without access. */
  readonly hidden: string[]
}

/** Publishes a page with a unique title and content. */
export async function publishGated(
  by: Owner,
  settings: Fields,
  hidden: string[] = [],
): Promise<Gated> {
  const [content, title] = [word('content'), word('title')]
  const page = await by.publish({ html: html(content, title), ...settings })
  return { page, path: `/p/${page.slug}`, content, hidden: [content, title, ...hidden] }
}

/** Expects the page's content. */
export function expectContent(answer: Answer, { content }: Gated): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  expect(answer.text).toContain(content)
  expect(answer.headers.get('cache-control') ?? '').toMatch(/no-store|private/)
}

/** Expects a gate that reveals nothing, is not cached, and cannot be framed. */
export function expectLocked(answer: Answer, { hidden }: Gated): void {
  expectGate(answer, hidden)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain("script-src 'self'")
  for (const [name, value] of answer.headers) {
    for (const words of hidden) expect(value, name).not.toContain(words)
  }
}

export function expectClosedNotice(answer: Answer, { hidden }: Gated, status: number): void {
  expectNotice(answer, status, hidden)
  expect(answer.text).not.toContain('<form')
}

export function pathIn(link: string): string {
  return new URL(link).pathname
}

/** Sends an email address in the gate's form. */
export async function submitEmail(who: Person, { path }: Gated, email: string): Promise<Answer> {
  return who.submit(await who.open(path), { email })
}

/** Goes through the whole gate: address, mail, link and button. */
export async function confirmEmail(who: Person, page: Gated, email: string): Promise<Answer> {
  const outbox = sharedOutbox()
  const before = outbox.sentTo(email).length
  const answer = await submitEmail(who, page, email)
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const { links } = await outbox.last(email, before + 1)
  return who.submit(await who.open(pathIn(links[0]!)))
}

/** Signs an account in, in a new browser. */
export async function signedIn(email: string, who: Person = person()): Promise<Person> {
  const outbox = sharedOutbox()
  // A mail about a response or comment of the account may arrive meanwhile.
  const signsIn = ({ code }: Mail) => code !== undefined
  const before = outbox.sentTo(email).filter(signsIn).length
  await who.submit(await who.open('/app/sign-in'), { email })
  const { links } = await outbox.last(email, before + 1, signsIn)
  const done = await who.submit(await who.open(pathIn(links[0]!)))
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
  return who
}

/** Waits until all mails queued before are sent: it queues another and waits for that. */
export async function waitForMails(): Promise<void> {
  const email = newEmail('barrier')
  const who = person()
  await who.submit(await who.open('/app/sign-in'), { email })
  await sharedOutbox().last(email)
  await Bun.sleep(30)
}
