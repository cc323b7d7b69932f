/** An agent with the official MCP client waits for two people, one of them in Chromium. */
import { expect, test } from 'bun:test'
import { approver, confirmed } from './approvals/approver.ts'
import { becomes } from './browser.ts'
import { dataOf, pro } from './client.ts'
import { newEmail } from './gates/setup.ts'
import { html, word } from './material.ts'
import { agent, ERAS, untrustedIn } from './mcp-client.ts'
import { testBrowser } from './test-browser.ts'

const TIMEOUT = 60_000

const browser = testBrowser()

interface Told {
  items: { type: string; comment?: { id: string; body: string }; approval?: { email: string } }[]
  cursor: string
}

for (const era of ERAS) {
  test(
    `an agent waits in one call, of ${era}: a comment and an approval come, and it answers both`,
    async () => {
      await using it = await agent('http', { era })
      const ben = newEmail('ben')
      const published = await it.call('publish_page', {
        ...{ html: html('Plan', 'We meet at nine.'), title: word('Plan'), allow_comments: true },
        ...{ collect_approvals: true, approver_emails: [ben] },
      })
      const { id: pageId, url } = published.json.data
      async function wait(cursor?: string): Promise<Told> {
        const answer = await it.call('wait_for_feedback', {
          ...{ page_id: pageId, wait_s: 50, ...(cursor !== undefined && { cursor }) },
        })
        return untrustedIn(answer).data
      }
      const first = wait()
      const tab = await (await browser().newContext({ reducedMotion: 'reduce' })).newPage()
      await tab.goto(url)
      await tab.getByRole('button', { name: /^Comments/ }).click()
      await tab.getByLabel('Comment', { exact: true }).fill('Ten would be better')
      await tab.getByRole('button', { name: 'Post comment', exact: true }).click()
      const { items, cursor } = await first
      expect(items).toMatchObject([{ type: 'comment', comment: { body: 'Ten would be better' } }])
      const commentId = items[0]!.comment!.id

      const edited = await it.call('edit_page', {
        ...{ page_id: pageId, edits: [{ find: 'nine', replace: 'ten' }], publish: true },
        addresses: [commentId],
      })
      expect(edited.isError, edited.text).toBe(false)
      const replies = [{ comment_id: commentId, body: 'It is ten now.' }]
      const replied = await it.call('reply_comments', { page_id: pageId, reply_comments: replies })
      expect(replied.isError, replied.text).toBe(false)
      await becomes(
        async () =>
          (await tab.locator('.comment .words').allTextContents()).includes('It is ten now.'),
        true,
      )

      const second = wait(cursor)
      await approver(await confirmed(ben)).decide(await pro.page(pageId))
      expect((await second).items).toMatchObject([{ type: 'approval', approval: { email: ben } }])
      const [thread] = dataOf<{ state: string; addressed_in: number }[]>(
        await pro.call('GET', `/pages/${pageId}/comments`),
      )
      expect(thread).toMatchObject({ state: 'resolved', addressed_in: 2 })
      await tab.context().close()
    },
    TIMEOUT,
  )

  test(
    `an agent asks two people, of ${era}: both answer by their links, and it hears of both at once`,
    async () => {
      await using it = await agent('http', { era })
      const people = [newEmail('ann'), newEmail('ben')] as const
      const asked = await it.call('ask', {
        ...{ html: html('Plan', 'We meet at nine.'), title: word('Plan') },
        ...{ people, question: { kind: 'approval' } },
      })
      const { id, page, links, waiting } = untrustedIn(asked).data
      expect(waiting).toEqual(people)
      const answers = it.call('get_answers', { ask_id: id, wait_s: 50 })
      const tab = await (await browser().newContext({ reducedMotion: 'reduce' })).newPage()
      await tab.goto(links[0].url)
      await tab.getByRole('button').first().click()
      await tab.waitForURL(/\/p\//)
      for (const email of people) {
        await approver(await confirmed(email)).decide(await pro.page(page.id))
      }
      const { outcome, answered } = untrustedIn(await answers).data
      expect(outcome).toBe('all_answered')
      expect(answered).toMatchObject(
        people.map((who) => ({ who, version_no: 1, answer: { decision: 'approved' } })),
      )
      await tab.context().close()
    },
    TIMEOUT,
  )
}
