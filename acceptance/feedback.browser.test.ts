/** An agent with the address of the server alone asks two people and waits for them in one call. */
import { expect } from 'bun:test'
import { newEmail, newOwner, own } from './gates/setup.ts'
import { word } from './material.ts'
import { agentOf, ERAS, speaking, untrustedIn } from './mcp-client.ts'
import { appCallback, newApp, openSignedOut, press, publishMetadata } from './oauth-app.ts'
import { testBrowser } from './test-browser.ts'
import { EDIT, expectBothAnswered, PLAN, TOLD, twoPeople } from './two-people.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
const callback = appCallback()

for (const era of ERAS) {
  own(
    `an agent asks two people, of ${era}: one comments on a passage, one approves, and both see its edit`,
    async () => {
      const { email } = await newOwner()
      const app = newApp(callback(), { metadataUrl: publishMetadata(), ...speaking(era) })
      const context = await browser().newContext({ reducedMotion: 'reduce' })
      const consent = await openSignedOut(context, await app.askedAt(), email)
      await app.finish(await press(callback(), consent, 'Allow'))
      await context.close()
      await using it = agentOf(await app.connect())

      const content = { html: PLAN, title: word('Plan'), allow_comments: true }
      const { id: page_id } = (await it.call('publish_page', content)).json.data
      const people = [newEmail('ann'), newEmail('ben')] as const
      const question = { kind: 'approval' }
      const result = untrustedIn(await it.call('ask', { page_id, people, question })).data
      expect(result.waiting).toEqual(people)
      const first = it.call('wait_for_feedback', { page_id, wait_s: 50 })
      const answers = it.call('get_answers', { ask_id: result.id, wait_s: 50 })
      const [ann, ben] = result.links as { url: string }[]
      const both = await twoPeople(browser(), [ann!.url, ben!.url])
      await both.annComments()
      const { items, cursor } = untrustedIn(await first).data
      expect(items).toMatchObject([TOLD])
      await both.bothDecide()
      expectBothAnswered(untrustedIn(await answers).data, people)
      const rest = untrustedIn(await it.call('wait_for_feedback', { page_id, cursor })).data
      expect(rest.items).toMatchObject(people.map((who) => ({ approval: { email: who } })))

      const [{ comment }] = items
      const reply_comments = [{ comment_id: comment.id, body: 'It is ten now.' }]
      await it.call('reply_comments', { page_id, reply_comments })
      const edited = await it.call('edit_page', { page_id, ...EDIT, addresses: [comment.id] })
      expect(edited.isError, edited.text).toBe(false)
      await both.bothSeeEdit()
      await both.close()
    },
    TIMEOUT,
  )
}
