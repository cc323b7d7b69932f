import { expect, test } from 'bun:test'
import { z } from 'zod'
import { closestParameter, parseInput } from './input.ts'

const KNOWN = ['html', 'html_url', 'title', 'access', 'max_views', 'allowed_emails', 'expires_at']

test.each([
  ['content', 'html'],
  ['Content', 'html'],
  ['titel', 'title'],
  ['maxViews', 'max_views'],
  ['max-view', 'max_views'],
  ['allowed_email', 'allowed_emails'],
  ['expires', 'expires_at'],
  ['colour', null],
  ['constructor', null],
  ['__proto__', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('%s means %p', (unknown, known) => {
  expect(closestParameter(unknown, KNOWN)).toBe(known)
})

test.each([
  ['replacement', ['find', 'replace'], 'replace'],
  ['new_string', ['find', 'replace'], 'replace'],
  ['content', ['find', 'replace'], 'replace'],
  ['old_string', ['find', 'replace'], 'find'],
  ['content', ['path', 'html', 'html_base64'], 'html'],
  ['filename', ['path', 'html', 'html_base64'], 'path'],
  ['text', ['comment_id', 'body'], 'body'],
  ['comments', ['reply_comments'], 'reply_comments'],
  ['page', ['page_id', 'wait_s'], 'page_id'],
  ['timeout', ['page_id', 'wait_s'], 'wait_s'],
  ['deadline', ['people', 'due_at'], 'due_at'],
  ['emails', ['people', 'due_at'], 'people'],
  ['approvers', ['emails', 'message'], 'emails'],
  ['version', ['version_no', 'publish'], 'version_no'],
  ['replacement', ['html', 'title'], null],
])('%s means one of %p: %p', (unknown, known, meant) => {
  expect(closestParameter(unknown, known)).toBe(meant)
})

test('where a name is like none of few, all of them are named', () => {
  const schema = z.strictObject({ cursor: z.string(), types: z.string() })
  expect(() => parseInput(schema, { since: '1d' })).toThrow(
    'There is no parameter since: the parameters here are cursor, types.',
  )
})
