import { describe, expect, it } from 'bun:test'
import { isDelivered } from './drafts.ts'
import { afterAction, type Thread } from './model.ts'

const comment = {
  id: 'cmt_1',
  path: '',
  version_no: 3,
  author: { kind: 'anonymous' as const, name: 'Amber Heron', email: null },
  body: 'Why?',
  anchor: null,
  anchor_state: null,
  anchor_now: null,
  state: 'open' as const,
  addressed_in: null,
  is_hidden: false,
  created_at: '2026-11-21T10:00:00.000000Z',
  edited_at: null,
}
const reply = { ...comment, id: 'cmt_2', author: { ...comment.author, kind: 'owner' as const } }
const thread: Thread = { ...comment, replies: [reply] }

describe('afterAction', () => {
  it('changes a comment or a reply, and nothing else', () => {
    const change = { is_hidden: true }
    expect(afterAction(thread, { kind: 'change', commentId: 'cmt_1', change })).toEqual({
      ...thread,
      is_hidden: true,
    })
    const hidden = afterAction(thread, { kind: 'change', commentId: 'cmt_2', change })
    expect(hidden).toEqual({ ...thread, replies: [{ ...reply, is_hidden: true }] })
  })
  it('deletes a reply alone, or the whole thread', () => {
    expect(afterAction(thread, { kind: 'delete', commentId: 'cmt_2' })).toEqual({
      ...thread,
      replies: [],
    })
    expect(afterAction(thread, { kind: 'delete', commentId: 'cmt_1' })).toBeNull()
  })
})

it('knows a reply that arrived although its answer was lost', () => {
  const before = '2026-11-21T09:00:00.000000Z'
  const draft = { text: ' Why? ', key: 'k', problem: 'No answer.', sentAfter: before }
  expect(isDelivered(thread, draft)).toBe(true)
  expect(isDelivered(thread, { ...draft, sentAfter: null })).toBe(false)
  expect(isDelivered(thread, { ...draft, sentAfter: reply.created_at })).toBe(false)
  expect(isDelivered(thread, { ...draft, text: 'Because' })).toBe(false)
  const strangers = { ...thread, replies: [{ ...reply, author: comment.author }] }
  expect(isDelivered(strangers, draft)).toBe(false)
})
