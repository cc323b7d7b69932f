import { expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeMail, timeWords } from './index.ts'

const CONTENT = { to: 'ann@example.com', subject: 'Hello', paragraphs: ['One'], reason: 'A test.' }

it('text and HTML have the same content, and the HTML loads nothing', () => {
  const { text, html } = composeMail({
    ...CONTENT,
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

it('control characters and markup in a title become neither a header nor markup', () => {
  const nasty = 'Plan\r\nBcc: eve@example.com\u2028<script>alert(1)</script>\u202e'
  const { subject, html } = composeMail({ ...CONTENT, subject: nasty, paragraphs: [nasty] })
  expect(subject).toBe('Plan Bcc: eve@example.com <script>alert(1)</script>')
  expect(html).not.toContain('<script>')
})

it('an answer goes to one plain address, and to none that could be more than that', () => {
  const compose = (replyTo: string) => composeMail({ ...CONTENT, replyTo }).headers
  expect(compose('ben@example.com')).toMatchObject({ 'Reply-To': 'ben@example.com' })
  for (const nasty of ['ben@example.com\r\nBcc: eve@example.com', 'a@b.example, c@d.example', '']) {
    expect(() => compose(nasty)).toThrow('one plain address')
  }
})

it('a time is written in words', () => {
  expect(timeWords('2026-11-24T14:05:59.000000Z')).toBe('Tuesday 24 November 2026 at 14:05 UTC')
})

it('a subject has at most 200 characters', () => {
  const lengthOf = (subject: string) => [...composeMail({ ...CONTENT, subject }).subject].length
  expect(lengthOf('🙂'.repeat(300))).toBeLessThanOrEqual(200)
  expect(lengthOf('🙂'.repeat(200))).toBe(200)
  const cut = composeMail({ ...CONTENT, subject: `“${'x'.repeat(300)}” was opened` }).subject
  expect(cut).toEndWith('x…”')
  expect(cut).toHaveLength(200)
})

it('what others wrote is marked in each line of the text, and stands apart in the HTML', () => {
  const quote = 'One\n\n-- \nhttps://x.example is <b>down</b>'
  const { text, html } = composeMail({ ...CONTENT, paragraphs: ['They write:', { quote }, 'Bye'] })
  expect(text).toContain(
    'They write:\n\n> One\n> \n> -- \n> https://x.example is <b>down</b>\n\nBye',
  )
  expect(html).toMatch(/<blockquote [^>]+>\nOne<br><br>-- <br>https:\/\/x.example is &lt;b&gt;down/)
  expect(html).not.toContain('<a ')
  // As forms send them.
  const sent = composeMail({ ...CONTENT, paragraphs: [{ quote: quote.replaceAll('\n', '\r\n') }] })
  expect(sent).toEqual(composeMail({ ...CONTENT, paragraphs: [{ quote }] }))
})

it('mails with an unsubscribe link have the headers for one-click unsubscribing', () => {
  const unsubscribeUrl = 'https://x.example/unsubscribe/a/b'
  expect(composeMail({ ...CONTENT, unsubscribeUrl }).headers).toEqual({
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(composeMail(CONTENT).headers).not.toHaveProperty('List-Unsubscribe')
})

it('a recipient that is not one plain address is refused', () => {
  for (const to of ['"a"@example.com', 'a@example.com, b@example.com', 'a@example.com\r\n', 'a']) {
    expect(() => composeMail({ ...CONTENT, to })).toThrow('one plain address')
  }
})

it('an unsubscribe link cannot add a header', () => {
  const unsubscribeUrl = 'https://x.example/u/a>\r\nBcc: eve@evil.example'
  const { headers } = composeMail({ ...CONTENT, unsubscribeUrl })
  expect(headers['List-Unsubscribe']).toBe('<https://x.example/u/a%3EBcc:%20eve@evil.example>')
})

it('every colour is a design token, with a dark counterpart for each text and link', () => {
  const tokens = readFileSync(join(import.meta.dir, '../../../web/tokens.css'), 'utf8')
  const { html } = composeMail({
    ...CONTENT,
    button: { label: 'Open', url: 'https://x.example/' },
    code: '123456',
    unsubscribeUrl: 'https://x.example/u',
  })
  const used = new Set(html.match(/#[0-9a-f]{6}\b/gi)!.map((colour) => colour.toLowerCase()))
  expect([...used].filter((colour) => !tokens.includes(colour))).toEqual([])
  // Text without a colour and a class would be unreadable on a dark background.
  const tags = [...html.matchAll(/<(h1|p|a)\b[^>]*>/g)].map(([tag]) => tag)
  const bare = tags.filter((tag) => !/color:/.test(tag) || !/class="/.test(tag))
  expect(bare).toEqual(['<p style="margin:24px 0 8px">'])
})
