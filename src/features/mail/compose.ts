import type { MailWords } from '../../model/mail.ts'
import { isCleanText } from '../../model/text.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

const SUBJECT_LENGTH = 200

/** Plain, one button, the link in text under it, why you got this; nothing tells it was read. */
export function composeMail(words: MailWords): Mail {
  const { to, subject, unsubscribe_url } = words
  if (!isCleanText(to)) throw new Error('An address with control characters')
  return {
    to,
    subject: oneLine(subject),
    text: textOf(words),
    html: htmlOf(words),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe_url !== undefined && {
        'List-Unsubscribe': `<${unsubscribe_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** What comes from outside may hold anything: a header is one line of visible text. */
function oneLine(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  const characters = [...visible]
  if (characters.length <= SUBJECT_LENGTH) return visible
  return `${characters.slice(0, SUBJECT_LENGTH - 1).join('')}…`
}

function textOf({
  subject,
  heading,
  paragraphs,
  button,
  code,
  why,
  unsubscribe_url,
}: MailWords): string {
  const parts = [heading ?? subject, ...paragraphs]
  if (button !== undefined) parts.push(`${button.label}:\n${button.url}`)
  if (code !== undefined) parts.push(`Or type this code where it is asked for: ${code}`)
  parts.push('--', why)
  if (unsubscribe_url !== undefined) parts.push(`Stop these mails: ${unsubscribe_url}`)
  return `${parts.map(oneParagraph).join('\n\n')}\n`
}

function oneParagraph(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
}

const FONT = "font-family:'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const SERIF = "font-family:Newsreader,Georgia,'Times New Roman',serif"

/** Styles stand in the tags, for mail programs that keep no others; dark where they honour it. */
function htmlOf(words: MailWords): string {
  const { paragraphs, button, code, why, unsubscribe_url } = words
  const heading = words.heading ?? words.subject
  const muted = `margin:0 0 8px;font-size:13px;line-height:1.5;color:#6B675E;${FONT}`
  const body = [
    `<h1 style="margin:0 0 16px;font-size:28px;line-height:1.25;font-weight:500;${SERIF}">`,
    `${escaped(heading)}</h1>`,
    ...paragraphs.map(
      (text) => `<p style="margin:0 0 16px;font-size:15px;line-height:1.5">${escaped(text)}</p>`,
    ),
    ...(button === undefined ? [] : [buttonOf(button, muted)]),
    ...(code === undefined ? [] : [codeOf(code)]),
    `<p style="${muted};padding-top:16px;border-top:1px solid #E7E3DA">${escaped(why)}</p>`,
    ...(unsubscribe_url === undefined
      ? []
      : [`<p style="${muted}"><a href="${escaped(unsubscribe_url)}">Stop these mails</a></p>`]),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="margin:0;padding:32px 24px;background:#FBFAF7;color:#1B1A17;${FONT}">
<div style="max-width:480px;margin:0 auto">
<div style="width:48px;height:4px;margin:0 0 24px;background:#2F5BD0"></div>
${body.join('\n')}
</div></body></html>
`
}

function buttonOf({ label, url }: { label: string; url: string }, muted: string): string {
  const look =
    'display:inline-block;padding:12px 16px;border-radius:6px;background:#2F5BD0;color:#FFFFFF;' +
    'font-size:15px;font-weight:600;text-decoration:none'
  return `<p style="margin:24px 0 8px">
<a href="${escaped(url)}" style="${look}">${escaped(label)}</a></p>
<p style="${muted};margin-bottom:24px;overflow-wrap:anywhere">${escaped(url)}</p>`
}

function codeOf(code: string): string {
  const look = 'font-size:21px;letter-spacing:4px;font-family:Menlo,Consolas,monospace'
  return `<p style="margin:0 0 24px;font-size:15px;line-height:1.5">Or type this code where it is
asked for:<br><strong style="${look}">${escaped(code)}</strong></p>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return oneParagraph(text).replace(/[&<>"]/g, (character) => ENTITIES[character]!)
}
