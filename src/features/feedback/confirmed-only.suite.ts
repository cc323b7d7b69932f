import { type ENGINES, testApp } from '../../testing/app.ts'
import { ownerWith } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createForm } from '../../testing/test-form.ts'
import { createPoll } from '../../testing/test-poll.ts'

export const ANN = 'ann@example.com'
/** In all that somebody wrote who confirmed nothing. */
export const MARK = 'zwieback'
export const NAMED = { poll_require_email: true, poll_named: true }

/** An account with words of both kinds of viewers in every way there is, and a limited key. */
export async function limited(engine: (typeof ENGINES)[number]) {
  const app = await testApp(engine)
  const owner = await app.owner()
  const talk = await createThread(app, owner, {
    collect_approvals: true,
    approver_emails: [ANN],
  })
  const anchor = { quote: `Bring ${MARK}`, prefix: '', suffix: '', element: null }
  const { id } = await talk.post('one', { body: `Why ${MARK}?`, name: MARK, anchor })
  await talk.post(ANN, { body: 'Because', parent_id: id })
  await talk.write('I say', { parent_id: id })
  const { id: mine } = await talk.post(ANN, { body: 'Mine', name: 'Ann' })
  await talk.post('two', { body: `No ${MARK}`, name: MARK, parent_id: mine })
  const form = await createForm(app, owner)
  await form.send('one', { a: MARK }, { name: MARK })
  await app.responses.submit(
    await form.page(),
    app.viewers.viewerOf(await form.page(), { email: ANN }),
    {
      ...{ id: 'submission-of-ann', data: '{"a":"yes"}', name: null, page_version: null },
      ...{ path: '', controls: [] },
    },
  )
  const poll = await createPoll(app, owner, NAMED)
  await poll.vote({ device: 'one', email: ANN }, 'B', { name: 'Ann' })
  const secret = await createPoll(app, owner)
  await secret.vote('one', 'C')
  const closed = await owner.publish('x', { access: 'people', allow_access_requests: true })
  await app.access.requestAccess((await app.pages.find(closed.id))!, `${MARK}@example.com`)
  const made = await app.accounts.createKey(owner.email, 'agent', { confirmed_only: true })
  const pages = [talk.id, form.id, poll.id, secret.id, closed.id]
  return { app, owner, talk, id, mine, pages, agent: ownerWith(app, made.key, owner.email) }
}
