import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import { displayStranger } from '../../platform/display-email.ts'
import {
  fromOwner,
  ownerWords,
  type PageMail,
  pageName,
  personalMail,
  publicName,
  theyWrite,
  timeWords,
} from '../mail/index.ts'

/** @param mail without the owner for an address that nobody invited: it has no title either */
export function confirmMail(page: Page, mail: PageMail & { code: string }): MailContent {
  const { to, url, code, host, owner } = mail
  const name = owner === null ? publicName(page) : pageName(page)
  return {
    to,
    subject: `Confirm your email to open ${name} on ${host}`,
    ...fromOwner(page, owner),
    heading: 'Confirm your email',
    paragraphs: [
      ...(owner === null ? [] : [`${ownerWords(owner)} invites you to open ${name}.`]),
      `This link opens ${owner === null ? name : 'it'}. It works once, for 15 minutes.`,
    ],
    button: { label: 'Confirm and open', url },
    code,
    reason: `Somebody gave this address to open a page on ${host}. If it was not you, do nothing.`,
  }
}

interface RequestMail {
  to: string
  /** The address that was given with the request. Nobody has confirmed it. */
  email: string
  at: string
  approveUrl: string
  denyUrl: string
  /** The request in the owner's inbox. */
  itemUrl: string
  host: string
}

export function requestMail(
  page: Page,
  { to, email, at, approveUrl, denyUrl, itemUrl, host }: RequestMail,
): MailContent {
  const asks = requestWords(email, page)
  return {
    to,
    subject: asks,
    heading: 'Somebody asks for access',
    paragraphs: [
      `${asks}. They asked on ${timeWords(at)}.`,
      'Nobody is let in until you decide, and then only whoever confirms the address.',
    ],
    button: { label: 'Approve', url: approveUrl },
    otherLinks: [
      { label: 'Deny the request', url: denyUrl },
      { label: 'See it in your inbox', url: itemUrl },
    ],
    reason: `You own this page on ${host}, and let people who are not invited ask.`,
  }
}

function requestWords(email: string, page: Page): string {
  return `Somebody who gave the address ${displayStranger(email)} asks to open ${pageName(page)}`
}

interface DigestMail {
  to: string
  /** The newest undecided requests. */
  requests: { email: string; at: string; page: Page }[]
  /** The number of all undecided requests, also of those that the mail does not list. */
  count: number
  url: string
  host: string
}

/** Replaces the single mails of an owner whom many people ask within an hour. */
export function requestDigestMail({ to, requests, count, url, host }: DigestMail): MailContent {
  const more = count - requests.length
  return {
    to,
    subject: `${count} people ask to open your pages on ${host}`,
    heading: 'Many people ask for access',
    paragraphs: [
      'Nobody is let in until you decide. The link works once, and again where you are signed in.',
      ...requests.map(
        ({ email, at, page }) => `${requestWords(email, page)}. They asked on ${timeWords(at)}.`,
      ),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    button: { label: 'Review the requests', url },
    reason: `You own these pages on ${host}, and let people who are not invited ask.`,
  }
}

/** What every mail with a personal link says of it. */
const PERSONAL = 'The link is yours alone: it works once, for 14 days.'

export function approvedMail(page: Page, mail: PageMail): MailContent {
  const name = pageName(page)
  return personalMail(page, mail, {
    subject: `You may open ${name} on ${mail.host}`,
    heading: 'You are let in',
    paragraphs: [`${ownerWords(mail.owner)} has approved your request to open ${name}.`, PERSONAL],
    reason: `You asked for this on ${mail.host}.`,
  })
}

/** In the place of a personal link that was used or has expired. */
export function newLinkMail(page: Page, mail: PageMail): MailContent {
  const name = pageName(page)
  return personalMail(page, mail, {
    subject: `Your new link to ${name} on ${mail.host}`,
    heading: 'Here is your new link',
    paragraphs: [`${ownerWords(mail.owner)} shares ${name} with you.`, PERSONAL],
    reason: `Somebody asked for it on ${mail.host}, with an earlier link to this address.`,
  })
}

/** @param mail with the owner's message, as text */
export function invitationMail(
  page: Page,
  { message, ...mail }: PageMail & { message: string | null },
): MailContent {
  const invites = `${ownerWords(mail.owner)} invites you to open ${pageName(page)}`
  return personalMail(page, mail, {
    subject: invites,
    heading: 'You are invited',
    paragraphs: [`${invites}.`, ...theyWrite(message), PERSONAL],
    reason: `The owner of this page on ${mail.host} has this address among the people they invite.`,
  })
}
