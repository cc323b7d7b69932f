/** Decides about pages as the panel does, without a browser. */
import { type Answer, dataOf, type Fields, type Owner, type Page, send } from '../client.ts'
import { type Person, person } from '../gates/person.ts'
import { type MailedOwner, newEmail, newOwner, signedIn } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { command, ownServer, server } from '../server.ts'

export interface Credentials {
  readonly token: string
  readonly stamp: string
}

export interface Decision {
  readonly decision: string
  readonly note: string | null
  readonly version_no: number
  readonly is_current: boolean
}

export interface ApprovalView {
  readonly version_no: number
  readonly is_shown: boolean
  readonly mine: { email: string; decision: Decision | null; due_at: string | null } | null
  readonly others: (Decision & { email: string })[] | null
  readonly waiting: string[] | null
}

export interface Approver extends Fields {
  readonly email: string
  readonly decision: string | null
  readonly note: string | null
  readonly version_no: number | null
  readonly is_current: boolean
  readonly asked_at: string | null
  readonly history: Fields[]
}

export interface Approvals {
  readonly collecting: boolean
  readonly visibility: string
  readonly version_no: number | null
  readonly manifest: string | null
  readonly counts: { approved: number; changes_requested: number; waiting: number }
  readonly approvers: Approver[]
}

export interface SignOff {
  readonly by: MailedOwner
  readonly page: Page
  readonly title: string
  readonly ann: string
  readonly ben: string
  read(): Promise<Approvals>
  republish(text: string): Promise<void>
}

/** A page with two approvers, of an owner of its own. */
export async function signOff(settings: Fields = {}): Promise<SignOff> {
  const by = await newOwner()
  const [ann, ben, title] = [newEmail('ann'), newEmail('ben'), word('title')]
  const page = await by.publish({
    html: html('one', title),
    collect_approvals: true,
    approver_emails: [ann, ben],
    ...settings,
  })
  return {
    by,
    page,
    title,
    ann,
    ben,
    read: () => approvalsOf(by, page),
    async republish(text) {
      await by.update(page.id, { html: html(text, title) })
      await by.goLive(page.id)
    },
  }
}

export async function approvalsOf(by: Owner, { id }: Page): Promise<Approvals> {
  return dataOf<Approvals>(await by.call('GET', `/pages/${id}/approvals`))
}

/** An approver whose browser has confirmed the address: by signing in. */
export async function confirmed(email: string): Promise<Person> {
  const added = await command(ownServer().env, 'account', 'add', email, '--json')
  if (added.code !== 0 && !added.stdout.includes('exists')) throw new Error(added.stderr)
  return signedIn(email)
}

/** Somebody with a browser, and what its panel sends. */
export function approver(who: Person = person()) {
  function cookie(): string {
    const sent = [...who.jar.values()].filter(({ path }) => path === '/')
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }
  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const json = { 'content-type': 'application/json', origin: server.url, cookie: cookie() }
    const sent = { ...json, 'sec-fetch-site': 'same-origin', ...headers }
    return send(path, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  }
  /** Opens the page, and finds what its panel starts with. */
  async function open({ slug }: Page): Promise<Credentials> {
    return credentialsIn(await who.open(`/p/${slug}`))
  }
  async function prepare(page: Page, options: Fields = {}): Promise<Answer> {
    return post('/~/decisions', { ...(await open(page)), decision: 'approved', ...options })
  }
  /** Presses the button of the page that confirms. */
  async function press(path: string): Promise<Answer> {
    return who.submit(await who.open(path))
  }

  return {
    who,
    open,
    post,
    prepare,
    press,
    read: async (page: Page) => post('/~/approval', { ...(await open(page)), known: null }),
    async view(page: Page): Promise<ApprovalView> {
      return dataOf<{ state: ApprovalView }>(await this.read(page)).state
    },
    /** Decides in this browser, which has confirmed the address. */
    async decide(page: Page, input: Fields = {}): Promise<Answer> {
      const { confirm_path: path } = dataOf<{ confirm_path: string }>(await prepare(page, input))
      return press(path)
    },
  }
}

export function credentialsIn(answer: Answer): Credentials {
  const [, json] = /<div id="conversations" data-panel="([^"]*)"/.exec(answer.text) ?? []
  if (json === undefined) throw new Error(`No panel in: ${answer.text.slice(0, 500)}`)
  const data = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Credentials
  return { token: data.token, stamp: data.stamp }
}
