/** Reads and writes comments as the panel beside a page does, without a browser. */
import { type Answer, dataOf, type Owner, type Page, type Sent } from '../client.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { type Person, person } from '../gates/person.ts'
import { word } from '../material.ts'
import { server } from '../server.ts'

export interface Author {
  readonly kind: 'owner' | 'confirmed' | 'anonymous'
  readonly name: string | null
}

export interface Shown {
  readonly id: string
  readonly author: Author | null
  readonly body: string
  readonly path: string
  readonly version_no: number
  readonly anchor: object | null
  readonly anchor_state: string | null
  readonly state: string
  readonly addressed_in: number | null
  readonly created_at: string
  readonly edited_at: string | null
  readonly placeholder: string | null
  readonly replies: Shown[]
}

/** The owner's view. */
export interface Comment extends Omit<Shown, 'replies' | 'placeholder' | 'author'> {
  readonly author: Author & { readonly email: string | null }
  readonly is_hidden: boolean
  readonly replies: Comment[]
}

export interface Read {
  readonly revision: number
  readonly is_whole: boolean
  readonly threads: Shown[]
  readonly earlier: string | null
  readonly count: number
  readonly own: { id: string; editable_until: string }[]
}

/** What the document around a page hands over to its panel. */
interface Credentials {
  readonly token: string
  readonly stamp: string
}

export function credentialsIn(answer: Answer): Credentials | null {
  const [, json] = /<div id="conversations" data-panel="([^"]*)"/.exec(answer.text) ?? []
  if (json === undefined) return null
  const { token, stamp } = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  return { token, stamp }
}

/** Opens a page in a browser of its own, or in that of somebody. */
export async function panelOf(page: Pick<Page, 'slug'>, who: Person = person(), path = '') {
  const opened = await who.open(`/p/${page.slug}${path}`)
  const credentials = credentialsIn(opened)
  if (credentials === null) throw new Error(`No panel in: ${opened.text.slice(0, 500)}`)

  function call(path: string, body: object, headers: Sent = {}): Promise<Answer> {
    const sent = { 'content-type': 'application/json', origin: server.url, ...headers }
    const text = JSON.stringify({ ...credentials, ...body })
    return who.ask(path, { method: 'POST', body: text, headers: sent })
  }
  const send = (operation: string, body: object) => call(`/~/comments${operation}`, body)

  return {
    who,
    credentials,
    /** Sends any operation: `''`, `/post`, `/edit` or `/delete`. */
    send,
    /** Confirms an address as the panel does. The page is to be opened again after it. */
    async confirm(email: string): Promise<void> {
      await call('/~/confirm-email', { email, reason: 'comment' })
      const { code } = await sharedOutbox().last(email)
      await call('/~/confirm-code', { code })
    },
    post: (body: string, more: object = {}): Promise<Answer> =>
      send('/post', { id: word('comment'), body, ...more }),
    /** Posts, and fails unless the comment is stored. */
    async comment(body: string, more: object = {}): Promise<Shown> {
      return dataOf<{ comment: Shown }>(await this.post(body, more), 201).comment
    },
    async read(more: object = {}): Promise<Read> {
      return dataOf<Read>(await send('', more))
    },
    edit: (commentId: string, body: string) => send('/edit', { comment_id: commentId, body }),
    withdraw: (commentId: string) => send('/delete', { comment_id: commentId }),
  }
}
export type Panel = Awaited<ReturnType<typeof panelOf>>

/** The owner's list. */
export async function listOf(by: Owner, { id }: Pick<Page, 'id'>, query = ''): Promise<Comment[]> {
  return dataOf<Comment[]>(await by.call('GET', `/pages/${id}/comments${query}`))
}
