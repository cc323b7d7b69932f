import type { Quotation } from '../../model/mail.ts'
import { plainLine } from '../../model/plain-text.ts'
import { displayEmail } from '../../platform/display-email.ts'

const TITLE_LENGTH = 100
const NAME_LENGTH = 40
const EXCERPT_LENGTH = 500
/** Marks that would end a quotation, or begin one. */
const QUOTATION_MARKS = /["“”„‟«»＂]/g

/** The owner of a page, as mails name them. */
export interface PageOwner {
  email: string
  name: string | null
}

/**
 * What somebody called a page or themselves, within a sentence of the service: always in quotation
 * marks, which it cannot end, on one line, and short enough that the sentence is still read.
 */
export function quoted(text: string, length = TITLE_LENGTH): string {
  return `“${cut(plainLine(text).replace(QUOTATION_MARKS, "'"), length)}”`
}

/** The name that somebody gave. */
export function quotedName(name: string): string {
  return quoted(name, NAME_LENGTH)
}

/** An owner is who has the address. The name is what they say it is. */
export function ownerWords({ email, name }: PageOwner): string {
  return name === null ? displayEmail(email) : `${displayEmail(email)} (${quotedName(name)})`
}

/** The beginning of what somebody wrote, apart from the sentences of the service. */
export function excerpt(text: string): Quotation {
  return { quote: cut(text, EXCERPT_LENGTH) }
}

function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
