import { expect, test } from 'bun:test'
import { ApiError } from '../../../../src/client/index.ts'
import type { Page } from '../../api.ts'
import type { PageChange } from '../use-page.ts'
import { createSaver, withChanges } from './saver.ts'

const PAGE = { id: 'pg_1', og_title: null, allowed_emails: ['ann@example.com'] } as unknown as Page

/** A server whose responses the test releases one by one. */
function setUp() {
  const sent: PageChange[] = []
  const answers: ((error?: Error) => void)[] = []
  let page = PAGE
  const saver = createSaver({
    queue: (run) => run(),
    send(change) {
      sent.push(change)
      return new Promise((resolve, reject) => {
        answers.push((error) => {
          if (error) return reject(error)
          page = { ...page, ...change } as Page
          resolve(page)
        })
      })
    },
    read: async () => page,
    onSaved: () => {},
  })
  const answer = async (error?: Error) => {
    await Bun.sleep(0)
    answers.shift()!(error)
    await Bun.sleep(0)
  }
  return { saver, sent, answer, change: (next: Partial<Page>) => (page = { ...page, ...next }) }
}

const refused = new ApiError('expires_at is part of the Pro plan.', {
  status: 402,
  code: 'plan_required',
})
const signedOut = new ApiError('Sign in.', { status: 401, code: 'signed_out' })
const unreachable = new ApiError('Cannot reach it.', { status: null, code: 'unreachable' })
const title = (text: string) => ({ field: 'og_title', values: { og_title: text } })

test('changes are sent one at a time, and of those that wait the last one of a field wins', async () => {
  const { saver, sent, answer } = setUp()
  saver.save(title('one'))
  saver.save(title('two'))
  saver.save({ field: 'indexed', values: { indexed: true } })
  saver.save(title('three'))
  expect(sent).toEqual([{ og_title: 'one' }])
  expect(withChanges(PAGE, saver.get().pending).og_title).toBe('three')
  await answer()
  await answer()
  expect(saver.get().status).toBe('saving')
  await answer()
  expect(sent).toEqual([{ og_title: 'one' }, { indexed: true }, { og_title: 'three' }])
  expect(saver.get()).toMatchObject({ pending: [], status: 'saved' })
})

test('a refused change is dropped with the sentence at its field, and those after it are sent', async () => {
  const { saver, sent, answer } = setUp()
  saver.save({ field: 'expires_at', values: { expires_at: '2027-01-01T00:00:00Z' } })
  saver.save(title('kept'))
  await answer(refused)
  expect(saver.get().refusals.get('expires_at')).toBe(refused.message)
  await answer()
  expect(sent).toHaveLength(2)
  expect(saver.get().pending).toEqual([])
  saver.save({ field: 'expires_at', values: { expires_at: null } })
  expect(saver.get().refusals.size).toBe(0)
})

test.each([
  ['signed out', signedOut],
  ['unreachable', unreachable],
])('a change that did not arrive waits: %s', async (_, error) => {
  const { saver, sent, answer } = setUp()
  saver.save(title('typed'))
  await answer(error)
  expect(saver.get()).toMatchObject({ status: 'stopped', error })
  expect(withChanges(PAGE, saver.get().pending).og_title).toBe('typed')
  saver.resume()
  await answer()
  expect(sent).toEqual([{ og_title: 'typed' }, { og_title: 'typed' }])
  expect(saver.get()).toMatchObject({ pending: [], status: 'saved' })
})

test('changes of a list apply to the list as the server has it', async () => {
  const { saver, sent, answer, change } = setUp()
  const add = (email: string) => ({
    field: 'allowed_emails',
    values: (page: Page) => ({ allowed_emails: [...page.allowed_emails, email] }),
  })
  change({ allowed_emails: ['ann@example.com', 'other-tab@example.com'] })
  saver.save(add('bob@example.com'))
  saver.save(add('cem@example.com'))
  expect(withChanges(PAGE, saver.get().pending).allowed_emails).toHaveLength(3)
  await answer()
  await answer()
  expect(sent.at(-1)).toEqual({
    allowed_emails: [
      'ann@example.com',
      'other-tab@example.com',
      'bob@example.com',
      'cem@example.com',
    ],
  })
})

test('what did not arrive can be discarded', async () => {
  const { saver, answer } = setUp()
  saver.save(title('typed'))
  await answer(unreachable)
  saver.discard()
  expect(saver.get()).toMatchObject({ pending: [], status: 'idle' })
})
