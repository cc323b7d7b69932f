import type {
  OwnersComment,
  ParsedThread,
  PostInput,
  ViewersComment,
  Written,
} from '../features/comments/contract.ts'
import { toJson } from '../model/json-text.ts'
import type { Page } from '../model/page/index.ts'
import type { Participant } from '../model/viewer.ts'
import type { TestApp } from './app.ts'
import type { TestNode } from './node.ts'
import type { Owner } from './people.ts'

export const PLAN = '<title>Plan</title><p>We start on 9 May in Berlin.</p><p>Bring a coat.</p>'

let submissions = 0

/** Somebody at a page: the name of their browser, or a confirmed address. */
export type Who = string

/** Publishes a page with comments, which people read and write as the panel does. */
export async function createThread(
  app: TestApp,
  owner: Owner,
  { content = PLAN, ...settings }: { content?: string | object; [setting: string]: unknown } = {},
) {
  const { id } = await owner.publish(content, { allow_comments: true, ...settings })
  const page = async (): Promise<Page> => (await app.pages.find(id))!

  async function participant(who: Who): Promise<Participant> {
    const emails = who.includes('@') ? [who] : []
    const facts = { isOwner: who === owner.email, emails, device: `browser of ${who}` }
    return app.viewers.participantOf(await page(), facts)
  }

  return {
    id,
    page,
    participant,
    /**
     * Posts to the page as it is, with an id of its own unless one is given. `path` is the file that
     * is open, `about` the one that the comment names.
     */
    async post(
      who: Who,
      input:
        | string
        | (Partial<PostInput> & { opened?: string | null; path?: string; about?: string }),
      node: Pick<TestNode, 'comments'> = app,
    ): Promise<Written['comment'] & { editable_until: string }> {
      submissions += 1
      const ownId = `submission-${submissions}`
      const fields = typeof input === 'string' ? { body: input } : input
      const { opened = (await page()).published_id, path = '', about, ...sent } = fields
      const request = {
        page: await page(),
        participant: await participant(who),
        source: { pageVersion: null, manifestId: opened, path },
      }
      const post = { id: ownId, body: 'A comment', ...sent, path: about }
      const { comment, editable_until: until } = await node.comments.post(request, post)
      return { ...comment, editable_until: until }
    },
    async edit(who: Who, commentId: string, body: string) {
      const input = { comment_id: commentId, body }
      return app.comments.edit(await page(), await participant(who), input)
    },
    async withdraw(who: Who, commentId: string): Promise<void> {
      await app.comments.withdraw(await page(), await participant(who), commentId)
    },
    /** What the panel of this viewer reads. */
    async read(
      who: Who = 'reader',
      input: { known?: number; before?: string } = {},
      node: Pick<TestNode, 'comments'> = app,
    ): Promise<ParsedThread> {
      const output = await node.comments.read(await page(), await participant(who), input)
      return JSON.parse(toJson(output))
    },
    /** The threads that viewers see. */
    async threads(): Promise<ViewersComment[]> {
      return (await this.read()).threads as ViewersComment[]
    },
    list: (query = ''): Promise<OwnersComment[]> =>
      owner.ask('GET', `/pages/${id}/comments${query}`),
    write: (body: string, more: object = {}): Promise<OwnersComment> =>
      owner.ask('POST', `/pages/${id}/comments`, { body, ...more }),
    change: (commentId: string, change: object): Promise<OwnersComment> =>
      owner.ask('PATCH', `/pages/${id}/comments/${commentId}`, change),
    async remove(commentId: string): Promise<void> {
      const { status } = await owner.call('DELETE', `/pages/${id}/comments/${commentId}`)
      if (status !== 204) throw new Error(`The comment was not deleted: ${status}`)
    },
    update: (change: object) => owner.update(id, change),
    /** The page's counter. Throws unless it agrees with the stored comments. */
    async verifiedCount(): Promise<number> {
      const ofPage = ({ page_id: pageId }: { page_id: string }) => pageId === id
      const rows = (await app.rows('comments')).filter(ofPage)
      const counter = (await app.rows('comment_counters')).find(ofPage)
      if ((counter?.count ?? 0) !== rows.length) {
        throw new Error(`The counter has ${counter?.count}, but there are ${rows.length} comments.`)
      }
      return rows.length
    },
  }
}
export type TestThread = Awaited<ReturnType<typeof createThread>>
