import { ACCENT_COLOURS, type Accent, chosenAccent } from '../../model/accent.ts'
import { type Html, html, rawHtml, unlinked } from '../../model/html.ts'
import type { MailContent, MailLink, Quotation } from '../../model/mail.ts'
import { isOpenToAll, type Page } from '../../model/page/index.ts'
import { plainLine, shortened } from '../../model/plain-text.ts'
import { plainSite, type Site } from '../../model/site.ts'
import { parseEmail } from '../../model/text.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Message } from '../../platform/mail/index.ts'

export interface Mail extends Omit<Message, 'id'> {
  /** Whether somebody waits for its code, so that it goes before others. */
  isAwaited: boolean
}

const SUBJECT_LENGTH = 200

/**
 * Composes a mail as text and as HTML. Neither part loads anything from a server, so opening the
 * mail is not observable.
 */
export function composeMail(content: MailContent, site: Site = plainSite('')): Mail {
  const { to, subject, replyTo, unsubscribeUrl } = content
  assertAddress(to)
  if (replyTo !== undefined) assertAddress(replyTo)
  return {
    to,
    subject: oneLine(subject),
    text: textOf(content),
    html: htmlOf(content, site),
    isAwaited: content.code !== undefined,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(replyTo !== undefined && { 'Reply-To': replyTo }),
      ...(unsubscribeUrl !== undefined && {
        // URL encodes line ends and angle brackets, so the address cannot add a header.
        'List-Unsubscribe': `<${new URL(unsubscribeUrl).href}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** One plain address adds nothing to a header: no second one, no name, no line. */
function assertAddress(address: string): void {
  if (parseEmail(address) !== address) throw new Error('A mail needs one plain address')
}

/** One line of visible text, fit for a header: titles and names may contain any character. */
function oneLine(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  const characters = [...visible]
  if (characters.length <= SUBJECT_LENGTH) return visible
  const begin = characters.slice(0, SUBJECT_LENGTH - 2)
  // What is quoted stays quoted.
  const isQuoted = begin.lastIndexOf('“') > begin.lastIndexOf('”')
  return `${begin.join('')}${isQuoted ? '…”' : '…'}`
}

function textOf(content: MailContent): string {
  const { subject, heading, paragraphs, button, otherLinks = [], code, reason } = content
  const parts = [heading ?? subject, ...paragraphs.map(textPart)]
  for (const link of [button, ...otherLinks]) if (link) parts.push(`${link.label}:\n${link.url}`)
  if (code !== undefined) parts.push(`Or type this code where it is asked for: ${code}`)
  parts.push('--', reason)
  const { unsubscribeUrl: url } = content
  if (url !== undefined) parts.push(`Stop these mails: ${url}`)
  return `${parts.map(printable).join('\n\n')}\n`
}

/** A mark before each line tells what others wrote from what the service says. */
function textPart(paragraph: string | Quotation): string {
  if (typeof paragraph === 'string') return paragraph
  return printable(paragraph.quote).replace(/^/gm, '> ')
}

/** Control characters become spaces, except line feeds. */
function printable(text: string): string {
  const lines = text.toWellFormed().replaceAll('\r\n', '\n')
  return lines.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
}

const FONT = "font-family:'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const SERIF = "font-family:Newsreader,Georgia,'Times New Roman',serif"

/** The light values of our design tokens, as inline styles: some mail programs drop all others. */
const LIGHT = { paper: '#FBFAF7', ink: '#1B1A17', muted: '#6B675E', line: '#E7E3DA' }
/** The dark values, for mail programs that support dark mode. */
function darkStyle(accent: Accent): Html {
  const [, colour] = ACCENT_COLOURS[accent]
  return rawHtml(`@media (prefers-color-scheme:dark){
.paper{background:#151412!important}.ink{color:#F1EEE7!important}.muted{color:#A39E93!important}
.line{border-color:#33302B!important}.accent{color:${colour}!important}
.bar{background:${colour}!important}
.button{background:${colour}!important;color:#151412!important}}`)
}

const MUTED = rawHtml(`margin:0 0 8px;font-size:13px;line-height:1.5;color:${LIGHT.muted};${FONT}`)
const TEXT = rawHtml(`margin:0 0 16px;font-size:15px;line-height:1.5;color:${LIGHT.ink}`)
const QUOTE = rawHtml(`${TEXT};margin-left:0;padding-left:12px;border-left:3px solid ${LIGHT.line}`)
const BREAK = rawHtml('<br>')
const HEADING = rawHtml(
  `margin:0 0 16px;font-size:28px;line-height:1.25;font-weight:500;${SERIF};color:${LIGHT.ink}`,
)
const BODY = rawHtml(`margin:0;background:${LIGHT.paper};color:${LIGHT.ink};${FONT}`)

function htmlOf(content: MailContent, site: Site): string {
  const { brand } = content
  const accent = brand?.accent ?? site.accent
  const name = brand?.name == null ? site.name : `${quotedName(brand.name)} · ${site.name}`
  const [colour] = ACCENT_COLOURS[accent]
  const { subject, paragraphs, button, otherLinks, code, reason, unsubscribeUrl: url } = content
  const heading = printable(content.heading ?? subject)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="viewport" content="width=device-width"><title>${heading}</title>
<style>:root{color-scheme:light dark}${darkStyle(accent)}</style></head>
<body class="paper ink" style="${BODY}">
<div class="paper" style="padding:32px 24px;background:${LIGHT.paper}">
<div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere">
<div class="bar" style="width:48px;height:4px;margin:0 0 12px;background:${colour}"></div>
<p class="muted" style="${MUTED};margin-bottom:24px">${printable(name)}</p>
<h1 class="ink" style="${HEADING}">${heading}</h1>
${paragraphs.map(htmlPart)}
${button && buttonBlock(button, colour)}
${otherLinks?.map((link) => quietLink(link, colour))}
${code !== undefined && codeBlock(code)}
<p class="muted line" style="${MUTED};padding-top:16px;border-top:1px solid ${LIGHT.line}">
${printable(reason)}</p>
${url !== undefined && quietLink({ label: 'Stop these mails', url }, colour)}
</div></div></body></html>
`.toString()
}

function htmlPart(paragraph: string | Quotation): Html {
  if (typeof paragraph === 'string') {
    return html`<p class="ink" style="${TEXT}">${printable(paragraph)}</p>\n`
  }
  const lines = printable(paragraph.quote).split('\n')
  return html`<blockquote class="ink line" style="${QUOTE}">
${lines.map((line, at) => html`${at > 0 && BREAK}${line}`)}</blockquote>\n`
}

function buttonBlock({ label, url }: MailLink, colour: string): Html {
  const style =
    `display:inline-block;padding:12px 16px;border-radius:6px;background:${colour};color:#FFFFFF;` +
    'font-size:15px;font-weight:600;text-decoration:none'
  return html`<p style="margin:24px 0 8px">
<a class="button" href="${printable(url)}" style="${style}">${printable(label)}</a></p>
<p class="muted" style="${MUTED};margin-bottom:24px">${printable(url)}</p>`
}

function codeBlock(code: string): Html {
  const style = 'font-size:21px;letter-spacing:4px;font-family:Menlo,Consolas,monospace'
  return html`<p class="ink" style="${TEXT};margin-bottom:24px">Or type this code where it is
asked for:<br><strong style="${style}">${printable(code)}</strong></p>`
}

function quietLink({ label, url }: MailLink, colour: string): Html {
  return html`<p class="muted" style="${MUTED};margin-bottom:24px">
<a class="accent" href="${printable(url)}" style="color:${colour}">${label}</a></p>`
}

const TITLE_LENGTH = 100
const NAME_LENGTH = 40
const EXCERPT_LENGTH = 500
/** Marks that would end a quotation, or begin one. */
const QUOTATION_MARKS = /["“”„‟«»＂]/g

/** The owner of a page, as mails name them. */
export interface PageOwner {
  email: string
  name: string | null
  accent?: Accent | null
}

/** Of every mail that leads somebody to a page. */
export interface PageMail {
  to: string
  url: string
  host: string
  /** Null where the account is gone. */
  owner: PageOwner | null
}

/** How a mail about a page presents itself, to those who may know who its owner is. */
export function brandOf(
  { settings }: Pick<Page, 'settings'>,
  owner: PageOwner | null,
): Pick<MailContent, 'brand'> {
  const accent = chosenAccent(settings) ?? owner?.accent ?? null
  return { brand: { name: owner?.name ?? null, accent } }
}

/** How a mail that names the owner's address presents itself: an answer to it goes there. */
export function fromOwner(
  page: Pick<Page, 'settings'>,
  owner: PageOwner | null,
): Pick<MailContent, 'brand' | 'replyTo'> {
  return { ...brandOf(page, owner), ...(owner !== null && { replyTo: owner.email }) }
}

type PersonalText = Pick<MailContent, 'subject' | 'heading' | 'paragraphs' | 'reason'>

/**
 * A mail of a page's owner with a personal link, and with the page's address, which leads there
 * once that has been used.
 */
export function personalMail(
  page: Pick<Page, 'slug' | 'settings'>,
  { to, url, owner }: Omit<PageMail, 'host'>,
  { label = 'Open the page', ...text }: PersonalText & { label?: string },
): MailContent {
  const later = { label: 'Open it again later', url: `${new URL(url).origin}/p/${page.slug}` }
  return { to, ...text, ...fromOwner(page, owner), button: { label, url }, otherLinks: [later] }
}

/** What an owner wrote for a mail of the service. */
export function theyWrite(message: string | null) {
  return message === null ? [] : ['They write:', { quote: message }]
}

/**
 * What somebody called a page or themselves, within a sentence of the service: always in quotation
 * marks, which it cannot end, on one line, and short enough that the sentence is still read.
 */
export function quoted(text: string, length = TITLE_LENGTH): string {
  return `“${shortened(plainLine(text).replace(QUOTATION_MARKS, "'"), length)}”`
}

/** The name of a page for its owner, and for people who may open it. */
export function pageName({ title, settings }: Pick<Page, 'title' | 'settings'>): string {
  const name = title ?? settings.og_title
  return name === null ? 'an untitled page' : quoted(name)
}

/** The name of a page for an address that may not be allowed to open it. */
export function publicName({ title, settings }: Page): string {
  const name = settings.og_title ?? (isOpenToAll(settings) ? title : null)
  return name === null ? 'a page' : quoted(name)
}

/** The name that somebody gave. */
export function quotedName(name: string): string {
  return quoted(name, NAME_LENGTH)
}

/**
 * An owner is who has the address: the name is only what they say it is, and an invitation in the
 * name of somebody else would be believed. So people whom the owner invites or asks see the
 * address. Nobody else does: gates, notices, viewer and pictures have the name alone.
 */
export function ownerWords(owner: PageOwner | null): string {
  if (owner === null) return 'The owner'
  const { email, name } = owner
  return name === null ? displayEmail(email) : `${displayEmail(email)} (${quotedName(name)})`
}

/** The owner, for people who may not see the address. */
export function ownerLabel(name: string | null): string {
  return name === null ? 'The owner' : `The owner (${quotedName(unlinked(name))})`
}

const WORDS = new Intl.DateTimeFormat('en-GB', {
  ...({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const),
})

/** A time as people write it: `Tuesday 24 November 2026 at 14:05 UTC`. */
export function timeWords(timestamp: string): string {
  return `${WORDS.format(new Date(timestamp)).replace(',', '')} UTC`
}

/** The beginning of what somebody wrote, apart from the sentences of the service. */
export function excerpt(text: string): Quotation {
  return { quote: shortened(text, EXCERPT_LENGTH) }
}
