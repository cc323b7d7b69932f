import { expect, test } from 'bun:test'
import { JsonText } from '../../model/json-text.ts'
import { formatOf, type WebhookFormat } from '../../model/webhook-formats.ts'
import type { FeedbackEvent } from '../feedback/index.ts'
import { formatted } from './formats.ts'

const LINK = 'https://handbill.example/app/inbox?item=cmt_1'
const SHARED = { id: 'evt_1', at: '2026-01-02T03:04:05.000000Z', page_id: 'pg_1', link_id: null }
const HOSTILE = [
  '<!channel> <@U123> <https://evil.example|Log in> & <b>',
  '@everyone @here <@&1> [Log in](https://evil.example) **bold** # big ||spoiler|| `code`',
  '> quote\n# heading\n- item\n```\ncode\n```',
  '\u202egnp.exe\u0000\u0007 <at>Everyone</at> ![x](https://evil.example/x.png)',
  '\\'.repeat(3000),
  '&'.repeat(3000),
  '🙂'.repeat(3000),
]

function comment(body: string, name = 'Ann', title: string | null = 'Plan'): FeedbackEvent {
  const author = { kind: 'anonymous', name, email: null }
  return { type: 'comment', ...SHARED, page_title: title, comment: { author, body } } as never
}
function bodyOf(format: WebhookFormat, event: FeedbackEvent | null) {
  return JSON.parse(formatted(format, { at: SHARED.at, link: LINK, event }))
}

test('an address tells its format', () => {
  const formats = [
    'https://hooks.slack.com/services/T/B/x',
    'https://discord.com/api/webhooks/1/x',
    'https://discord.com/invite/x',
    'https://prod-1.westeurope.logic.azure.com:443/workflows/x',
    'https://a.webhook.office.com/x',
    'https://default1.2.environment.api.powerplatform.com/x',
    'https://hooks.slack.com.evil.example/x',
    'no address',
  ].map(formatOf)
  const chats = ['slack', 'discord', 'standard', 'teams', 'teams', 'teams']
  expect(formats).toEqual([...chats, 'standard', 'standard'] as never)
})

test('standard has the event as it is, its numbers and order too', () => {
  const data = new JsonText('{"2":1,"1":12345678901234567890}')
  const event = { type: 'response', ...SHARED, page_title: null, response: { data } } as never
  const body = formatted('standard', { at: SHARED.at, link: LINK, event })
  expect(body).toStartWith(`{"type":"response","timestamp":"${SHARED.at}","data":{`)
  expect(body).toContain('"data":{"2":1,"1":12345678901234567890}')
  expect(bodyOf('standard', null)).toMatchObject({ type: 'test', timestamp: SHARED.at })
})

test('each chat is told who did what where, in which words, and the way there', () => {
  expect(bodyOf('slack', comment('Why?')).blocks).toMatchObject([
    { text: { type: 'mrkdwn', text: `*<${LINK}|Ann commented on “Plan”>*`, verbatim: true } },
    { text: { type: 'plain_text', text: 'Why?' } },
  ])
  expect(bodyOf('discord', comment('Why?')).content).toBe(
    `**Ann commented on “Plan”**\n<${LINK}>\n> Why?`,
  )
  const { content } = bodyOf('teams', comment('Why?', 'Ann', null)).attachments[0]
  expect(content.body.map(({ inlines }: never) => inlines)).toMatchObject([
    [{ type: 'TextRun', text: 'Ann commented on a page' }],
    [{ type: 'TextRun', text: 'Why?' }],
  ])
  expect(content.actions).toMatchObject([{ type: 'Action.OpenUrl', url: LINK }])
})

test('every type of event has a line', () => {
  const at = (type: string, object: object) => ({ type, ...SHARED, page_title: 'A', ...object })
  const data = new JsonText('{"size":"L","days":["Mon","Tue"]}')
  const vote = { name: 'Ann', option: 'B' }
  const lines = [
    at('reply', { comment: { author: { name: null, email: null }, body: 'no' } }),
    at('response', { response: { respondent: 'Calm Fig', data } }),
    at('vote', { vote }),
    at('vote', { vote: null }),
    at('approval', { approval: { email: 'b@x.org', decision: 'approved', note: null } }),
    at('approval', { approval: { email: 'b@x.org', decision: 'changes_requested', note: 'It' } }),
    at('access_request', { access_request: { email: 'c@x.org' } }),
  ].map((event) => {
    const { body } = bodyOf('teams', event as never).attachments[0].content
    return body.map(({ inlines }: { inlines: [{ text: string }] }) => inlines[0].text).join(': ')
  })
  expect(lines).toEqual([
    'Somebody replied on “A”: no',
    'Calm Fig responded to “A”: size: L\ndays: ["Mon","Tue"]',
    'Ann voted on “A”: B',
    'Somebody voted on “A”',
    'b@x.org approved “A”',
    'b@x.org requested changes to “A”: It',
    'c@x.org asks to open “A”',
  ])
})

test.each(HOSTILE)('Slack reads %j as words, wherever they stand', (text) => {
  const { text: line, blocks } = bodyOf('slack', comment(text, text, text))
  const [heading, words] = blocks.map((block: { text: { text: string } }) => block.text.text)
  expect(words).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
  expect(line).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
  const inside = heading.slice(`*<${LINK}|`.length, -2)
  expect(inside).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)|(?<!\u2060)[*_~`|]/)
  for (const part of [heading, words]) expect(part.length).toBeLessThanOrEqual(3000)
})

test.each(HOSTILE)('Discord reads %j as words, wherever they stand', (text) => {
  const { content, allowed_mentions: mentions } = bodyOf('discord', comment(text, text, text))
  expect(content.length).toBeLessThanOrEqual(2000)
  expect(mentions).toEqual({ parse: [] })
  const words = content
    .replace(`\n<${LINK}>`, '')
    .replace(/^\*\*|\*\*$/gm, '')
    .replace(/^> /gm, '')
    .replace(/\\[\\*_~`|>#\-+.!()[\]{}<@:]/g, '')
  expect(words).not.toMatch(/[\\*_~`|>#\-+!()[\]{}<@:]/)
})

test.each(HOSTILE)('Teams gets %j as runs of text, which are no Markdown', (text) => {
  const [attachment] = bodyOf('teams', comment(text, text, text)).attachments
  const { body, actions } = attachment.content
  for (const block of body) {
    expect([block.type, ...Object.keys(block.inlines[0])]).toEqual([
      'RichTextBlock',
      'type',
      'text',
      'weight',
    ])
    expect(block.inlines[0].text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|[\ud800-\udbff]$/)
  }
  expect(actions.map(({ url }: { url: string }) => url)).toEqual([LINK])
  expect(JSON.stringify(attachment).length).toBeLessThan(28_000)
})
