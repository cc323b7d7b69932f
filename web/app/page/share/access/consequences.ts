import type { Page } from '../../../boot.ts'
import { count } from '../../../ui/text.ts'

type Access = Page['access']

/** Who may open a page with that access, in one line. */
export const EXPLANATIONS: Record<Access, string> = {
  link: 'No password, no account.',
  people: 'They confirm their address by a link in a mail.',
  private: 'You, when signed in. Nobody else.',
  password: 'One password for everyone who gets the link.',
  email_gate: 'You see who opened it. Nobody needs an account.',
}

/** What a change of access means for those who could open the page before, in one line. */
export function consequenceOf(from: Access, to: Access, page: Page): string | null {
  if (from === to) return null
  const lost = LOST[from]
  switch (to) {
    case 'link':
      return `Now open to anyone who has the link${from === 'private' ? '' : `: ${lost}`}.`
    case 'private':
      return 'Nobody else can open it any more, not even those who have it open.'
    case 'people': {
      const { length } = page.allowed_emails
      if (length === 0) return 'Until you invite somebody, only you can open it.'
      return `Now only you and ${count(length, 'invited person', 'invited people')} can open it.`
    }
    case 'password':
      return 'Everyone needs the password now, also those who opened it before.'
    case 'email_gate':
      return 'Everyone must confirm an email address now, also those who opened it before.'
  }
}

const LOST: Record<Access, string> = {
  link: '',
  private: '',
  people: 'the list of invited people is kept, and not asked for',
  password: 'the password is kept, and not asked for',
  email_gate: 'no email address is asked for',
}
