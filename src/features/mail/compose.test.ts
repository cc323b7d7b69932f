import { expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeMail } from './index.ts'

const WORDS = { to: 'ann@example.com', subject: 'Hello', paragraphs: ['One'], reason: 'A test.' }

it('says the same in text and HTML', () => {
  const { text, html } = composeMail({
    ...WORDS,
    button: { label: 'Open', url: 'https://x.example/p/a?b=1&c=2' },
    code: '123456',
  })
  for (const part of ['One', '123456', 'A test.']) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
  expect(text).toContain('https://x.example/p/a?b=1&c=2')
  expect(html).toContain('href="https://x.example/p/a?b=1&amp;c=2"')
  expect(html).not.toMatch(/<img|<script|https?:\/\/(?!x\.example)/)
})

it('lets nothing from outside become a header or markup', () => {
  const nasty = 'Plan\r\nBcc: eve@example.com\u2028<script>alert(1)</script>\u202e'
  const { subject, html } = composeMail({ ...WORDS, subject: nasty, paragraphs: [nasty] })
  expect(subject).toBe('Plan Bcc: eve@example.com <script>alert(1)</script>')
  expect(html).not.toContain('<script>')
})

it('keeps a subject to 200 characters', () => {
  expect([...composeMail({ ...WORDS, subject: '🙂'.repeat(300) }).subject]).toHaveLength(200)
})

it('tells mail programs how to stop mails that come again', () => {
  const unsubscribeUrl = 'https://x.example/unsubscribe/a/b'
  expect(composeMail({ ...WORDS, unsubscribeUrl }).headers).toEqual({
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(composeMail(WORDS).headers).not.toHaveProperty('List-Unsubscribe')
})

it('writes to a plain address, and to nothing else', () => {
  for (const to of ['"a"@example.com', 'a@example.com, b@example.com', 'a@example.com\r\n', 'a']) {
    expect(() => composeMail({ ...WORDS, to })).toThrow('plain address')
  }
})

it('lets an address to stop mails at hold no other header', () => {
  const unsubscribeUrl = 'https://x.example/u/a>\r\nBcc: eve@evil.example'
  const { headers } = composeMail({ ...WORDS, unsubscribeUrl })
  expect(headers['List-Unsubscribe']).toBe('<https://x.example/u/a%3EBcc:%20eve@evil.example>')
})

it('reads as well in the dark, in the colours of every other surface', () => {
  const tokens = readFileSync(join(import.meta.dir, '../../../web/tokens.css'), 'utf8')
  const { html } = composeMail({
    ...WORDS,
    button: { label: 'Open', url: 'https://x.example/' },
    code: '123456',
    unsubscribeUrl: 'https://x.example/u',
  })
  const used = new Set(html.match(/#[0-9a-f]{6}\b/gi)!.map((colour) => colour.toLowerCase()))
  expect([...used].filter((colour) => !tokens.includes(colour))).toEqual([])
  // A link or a text without a colour of its own takes one that its paper was not made for.
  const tags = [...html.matchAll(/<(h1|p|a)\b[^>]*>/g)].map(([tag]) => tag)
  const bare = tags.filter((tag) => !/color:/.test(tag) || !/class="/.test(tag))
  expect(bare).toEqual(['<p style="margin:24px 0 8px">'])
})
