import type { MailContent } from '../../model/mail.ts'
import { parseEmail } from '../../model/text.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

const SUBJECT_LENGTH = 200

/** Plain, one button, the link in text under it, why you got this; nothing tells it was read. */
export function composeMail(words: MailContent): Mail {
  const { to, subject, unsubscribeUrl } = words
  if (parseEmail(to) !== to) throw new Error('A mail to what is not a plain address')
  return {
    to,
    subject: oneLine(subject),
    text: textOf(words),
    html: htmlOf(words),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        // As a URL spells it: without line ends and angle brackets.
        'List-Unsubscribe': `<${new URL(unsubscribeUrl).href}>`,
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
  reason: why,
  unsubscribeUrl,
}: MailContent): string {
  const parts = [heading ?? subject, ...paragraphs]
  if (button !== undefined) parts.push(`${button.label}:\n${button.url}`)
  if (code !== undefined) parts.push(`Or type this code where it is asked for: ${code}`)
  parts.push('--', why)
  if (unsubscribeUrl !== undefined) parts.push(`Stop these mails: ${unsubscribeUrl}`)
  return `${parts.map(oneParagraph).join('\n\n')}\n`
}

function oneParagraph(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
}

const FONT = "font-family:'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const SERIF = "font-family:Newsreader,Georgia,'Times New Roman',serif"

/** The tokens' light values, in the tags: some mail programs keep no other styles. */
const LIGHT = { paper: '#FBFAF7', ink: '#1B1A17', muted: '#6B675E', line: '#E7E3DA' }
const ACCENT = '#1F5FBF'
/** And the dark ones, for those that ask for them. */
const DARK = `@media (prefers-color-scheme:dark){
.paper{background:#151412!important}.ink{color:#F1EEE7!important}.muted{color:#A39E93!important}
.line{border-color:#33302B!important}.accent{color:#8AB4F5!important}
.button{background:#8AB4F5!important;color:#151412!important}.bar{background:#8AB4F5!important}}`

const MUTED = `margin:0 0 8px;font-size:13px;line-height:1.5;color:${LIGHT.muted};${FONT}`
const TEXT = `margin:0 0 16px;font-size:15px;line-height:1.5;color:${LIGHT.ink}`
const HEADING = `margin:0 0 16px;font-size:28px;line-height:1.25;font-weight:500;${SERIF}`

function htmlOf(words: MailContent): string {
  const {
    subject,
    heading = subject,
    paragraphs,
    button,
    code,
    reason: why,
    unsubscribeUrl,
  } = words
  const body = [
    `<h1 class="ink" style="${HEADING};color:${LIGHT.ink}">${escapeText(heading)}</h1>`,
    ...paragraphs.map((text) => `<p class="ink" style="${TEXT}">${escapeText(text)}</p>`),
    ...(button === undefined ? [] : [buttonBlock(button)]),
    ...(code === undefined ? [] : [codeBlock(code)]),
    `<p class="muted line" style="${MUTED};padding-top:16px;border-top:1px solid ${LIGHT.line}">`,
    `${escapeText(why)}</p>`,
    ...(unsubscribeUrl === undefined ? [] : [unsubscribeLink(unsubscribeUrl)]),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="viewport" content="width=device-width"><title>${escapeText(heading)}</title>
<style>:root{color-scheme:light dark}${DARK}</style></head>
<body class="paper ink" style="margin:0;background:${LIGHT.paper};color:${LIGHT.ink};${FONT}">
<div class="paper" style="padding:32px 24px;background:${LIGHT.paper}">
<div style="max-width:480px;margin:0 auto">
<div class="bar" style="width:48px;height:4px;margin:0 0 24px;background:${ACCENT}"></div>
${body.join('\n')}
</div></div></body></html>
`
}

function buttonBlock({ label, url }: { label: string; url: string }): string {
  const look =
    `display:inline-block;padding:12px 16px;border-radius:6px;background:${ACCENT};color:#FFFFFF;` +
    'font-size:15px;font-weight:600;text-decoration:none'
  return `<p style="margin:24px 0 8px">
<a class="button" href="${escapeText(url)}" style="${look}">${escapeText(label)}</a></p>
<p class="muted" style="${MUTED};margin-bottom:24px;overflow-wrap:anywhere">${escapeText(url)}</p>`
}

function codeBlock(code: string): string {
  const look = 'font-size:21px;letter-spacing:4px;font-family:Menlo,Consolas,monospace'
  return `<p class="ink" style="${TEXT};margin-bottom:24px">Or type this code where it is
asked for:<br><strong style="${look}">${escapeText(code)}</strong></p>`
}

function unsubscribeLink(url: string): string {
  return `<p class="muted" style="${MUTED}">
<a class="accent" href="${escapeText(url)}" style="color:${ACCENT}">Stop these mails</a></p>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string): string {
  return oneParagraph(text).replace(/[&<>"]/g, (character) => ENTITIES[character]!)
}
