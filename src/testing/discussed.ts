import type { TestApp } from './app.ts'
import type { Owner } from './people.ts'
import { createThread } from './test-comments.ts'

export const ANCHOR = { quote: '9 May', prefix: 'start on ', suffix: ' in', element: null }

/** A page with threads of every kind: moved, resolved, hidden, deleted with a reply. */
export async function discussed(app: TestApp, owner: Owner) {
  const thread = await createThread(app, owner, { slug: 'discussed' })
  const first = await thread.post('ann@example.com', { body: 'When?\n\n<b>', anchor: ANCHOR })
  await thread.post('bob', { body: 'Soon', parent_id: first.id, name: 'Bob' })
  await thread.post(owner.email, { body: 'In May', parent_id: first.id })
  const done = await thread.post('bob', 'Done?')
  await owner.ask('PATCH', `/pages/${thread.id}/comments/${done.id}`, { state: 'resolved' })
  const rude = await thread.post('eve', 'Rude')
  await owner.ask('PATCH', `/pages/${thread.id}/comments/${rude.id}`, { is_hidden: true })
  const gone = await thread.post('ann@example.com', 'Gone')
  await thread.post('bob', { body: 'To the gone', parent_id: gone.id })
  await thread.withdraw('ann@example.com', gone.id)
  await owner.edit(thread.id, 'We start', 'All of us start', { publish: true })
  await thread.read()
  return thread
}
