import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'

/** The name of a page for people who may not see its title yet. */
function publicName({ settings }: Page): string {
  return settings.og_title === null ? 'a page' : `“${settings.og_title}”`
}

function nameForOwner({ title }: Page): string {
  return title === null ? 'an untitled page' : `“${title}”`
}

export function confirmMail(
  page: Page,
  { to, url, code, host }: { to: string; url: string; code: string; host: string },
): MailContent {
  return {
    to,
    subject: `Confirm your email to open ${publicName(page)} on ${host}`,
    heading: 'Confirm your email',
    paragraphs: [`Use this link to open ${publicName(page)}. It works once, for 15 minutes.`],
    button: { label: 'Confirm and open', url },
    code,
    reason: `Somebody gave this address to open a page on ${host}. If it was not you, do nothing.`,
  }
}

interface RequestMail {
  to: string
  /** The address that asks for access. */
  email: string
  approveUrl: string
  denyUrl: string
  host: string
}

export function requestMail(
  page: Page,
  { to, email, approveUrl, denyUrl, host }: RequestMail,
): MailContent {
  return {
    to,
    subject: `${email} asks to open ${nameForOwner(page)}`,
    heading: 'Somebody asks for access',
    paragraphs: [
      `${email} asks to open ${nameForOwner(page)}. Nobody is let in until you decide.`,
      `To deny it, open ${denyUrl}`,
    ],
    button: { label: 'Approve', url: approveUrl },
    reason: `You own this page on ${host}, and let people who are not invited ask.`,
  }
}

export function approvedMail(
  page: Page,
  { to, url, host }: { to: string; url: string; host: string },
): MailContent {
  return {
    to,
    subject: `You may open ${publicName(page)} on ${host}`,
    heading: 'You are invited',
    paragraphs: [`Its owner has approved your request to open ${publicName(page)}.`],
    button: { label: 'Open the page', url },
    reason: `You asked for this on ${host}.`,
  }
}
