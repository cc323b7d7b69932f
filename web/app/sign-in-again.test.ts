import { expect, test } from 'bun:test'
import { ApiError } from '../../src/client/index.ts'
import { answerAll, waitingForSignIn, withSignInAgain } from './sign-in-again.ts'

function refusal(code: string): ApiError {
  return new ApiError('Sign in again.', { status: 403, code })
}

/** A client whose operation is refused until the person has signed in again. */
function openClient(code = 'sign_in_again') {
  const sent: unknown[] = []
  let isSignedIn = false
  const client = withSignInAgain({
    async updatePage(input: object) {
      sent.push(input)
      if (!isSignedIn) throw refusal(code)
      return { data: 'done' }
    },
  })
  return {
    client,
    sent,
    answer(value: boolean) {
      isSignedIn = value
      answerAll(value)
    },
  }
}

test('a call that needs a newer sign-in waits for it, and is sent again as it was', async () => {
  const { client, sent, answer } = openClient()
  const change = { id: 'pg_1', access: 'link' }
  const calls = [client.updatePage(change), client.updatePage(change)]
  await Bun.sleep(0)
  expect([sent.length, waitingForSignIn.get().length]).toEqual([2, 2])
  answer(true)
  expect(await Promise.all(calls)).toEqual([{ data: 'done' }, { data: 'done' }])
  expect(sent).toEqual([change, change, change, change])
  expect(waitingForSignIn.get()).toEqual([])
})

test('a call fails as it was refused, where the person does not sign in', async () => {
  const { client, sent, answer } = openClient()
  const call = client.updatePage({})
  await Bun.sleep(0)
  answer(false)
  await expect(call).rejects.toThrow('Sign in again.')
  expect(sent).toHaveLength(1)
})

test('a call that is refused for another reason waits for nothing', async () => {
  const { client } = openClient('page_not_found')
  await expect(client.updatePage({})).rejects.toThrow('Sign in again.')
  await Bun.sleep(0)
  expect(waitingForSignIn.get()).toEqual([])
})
