import { expect, it } from 'bun:test'
import { composeMail } from './index.ts'

const WORDS = { to: 'ann@example.com', subject: 'Hello', paragraphs: ['One'], why: 'A test.' }

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
  const unsubscribe_url = 'https://x.example/unsubscribe/a/b'
  expect(composeMail({ ...WORDS, unsubscribe_url }).headers).toEqual({
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${unsubscribe_url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(composeMail(WORDS).headers).not.toHaveProperty('List-Unsubscribe')
})
