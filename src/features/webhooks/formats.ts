import { toJson } from '../../model/json-text.ts'
import { plainLine, plainText } from '../../model/plain-text.ts'
import type { WebhookFormat } from '../../model/webhook-formats.ts'
import type { FeedbackEvent } from '../feedback/index.ts'

/** What a webhook is told of. `link` leads to it in the app. */
export interface Notice {
  at: string
  link: string
  /** Null: it is a test. */
  event: FeedbackEvent | null
}

/** What a chat shows of it: a line of ours, and what viewers wrote. */
interface Message {
  title: string
  words: string
  link: string
}

const MAX_TITLE = 200
const MAX_WORDS = 1200
/** Slack takes no more in a block, escaped as it is. */
const MAX_SLACK = 3000
/** Discord takes no more, marks included. */
const MAX_DISCORD = 2000

/** The body of the request: JSON in the form that the receiver understands. */
export function formatted(format: WebhookFormat, notice: Notice): string {
  return toJson(format === 'standard' ? standard(notice) : CHATS[format](messageOf(notice)))
}

/** As Standard Webhooks advises. */
function standard({ at, event }: Notice) {
  const data = event ?? { message: 'This is a test of this webhook.' }
  return { type: event?.type ?? 'test', timestamp: at, data }
}

const CHATS = { slack, discord, teams } as const

function slack({ title, words, link }: Message) {
  const name = slackText(title).replace(/[*_~`|]/g, (mark) => `\u2060${mark}`)
  const heading = `*<${link}|${name}>*`
  const text = cut(slackText(words), MAX_SLACK).replace(/&\w*…$/, '…')
  const quoted = { type: 'plain_text', text, emoji: false }
  return {
    text: slackText(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: heading, verbatim: true } },
      ...(words === '' ? [] : [{ type: 'section', text: quoted }]),
    ],
  }
}

/** Three characters begin all that Slack understands: links, mentions, channels. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function discord({ title, words, link }: Message) {
  const heading = `**${markdownText(title)}**\n<${link}>`
  const quoted = words === '' ? '' : `\n${markdownText(words).replace(/^/gm, '> ')}`
  return {
    content: cut(`${heading}${quoted}`, MAX_DISCORD),
    // No word notifies anybody, and no address is opened for a preview.
    allowed_mentions: { parse: [] },
    flags: 4,
  }
}

function markdownText(text: string): string {
  return text.replace(/[\\*_~`|>#\-+.!()[\]{}<@:]/g, '\\$&')
}

function teams({ title, words, link }: Message) {
  // Runs of text are no Markdown, unlike blocks of text.
  const run = (text: string, weight: 'bolder' | 'default') => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, weight }],
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [run(title, 'bolder'), ...(words === '' ? [] : [run(words, 'default')])],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Handbill', url: link }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

function messageOf({ event, link }: Notice): Message {
  if (event === null) return { title: 'A test from Handbill', words: 'It arrives.', link }
  const [act, words] = describe(event)
  const page = event.page_title === null ? 'a page' : `“${plainLine(event.page_title)}”`
  const title = cut(plainLine(act.replace('{page}', () => page)), MAX_TITLE)
  return { title, words: cut(plainText(words), MAX_WORDS), link }
}

/** What happened on `{page}`, and in which words. */
function describe(event: FeedbackEvent): [act: string, words: string] {
  switch (event.type) {
    case 'comment':
    case 'reply': {
      const { author, body } = event.comment
      const act = event.type === 'comment' ? 'commented on' : 'replied on'
      return [`${author.name ?? author.email ?? 'Somebody'} ${act} {page}`, body]
    }
    case 'response': {
      const { respondent, data } = event.response
      const fields = JSON.parse(toJson(data)) as object
      const values = Object.entries(fields).map(([key, value]) => `${key}: ${textOf(value)}`)
      return [`${respondent} responded to {page}`, values.join('\n')]
    }
    case 'vote': {
      if (event.vote === null) return ['Somebody voted on {page}', '']
      return [`${event.vote.name} voted on {page}`, event.vote.option]
    }
    case 'approval': {
      const { email, decision, note } = event.approval
      const act = decision === 'approved' ? 'approved' : 'requested changes to'
      return [`${email} ${act} {page}`, note ?? '']
    }
    case 'agreement':
      return [
        `${event.agreement.name} accepted the agreement of {page}`,
        event.agreement.email ?? '',
      ]
    case 'opened':
      return event.email === null
        ? [`{page} was opened with the link of ${event.link_label}`, '']
        : [`${event.email} opened {page}`, '']
    case 'page_closed':
      return [`{page} ${CLOSED[event.reason]}`, '']
    case 'access_request':
      return [`${event.access_request.email} asks to open {page}`, '']
  }
}

const CLOSED = { expired: 'has expired', view_limit: 'has reached its view limit' } as const

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff\\]+$/, '')}…`
}
