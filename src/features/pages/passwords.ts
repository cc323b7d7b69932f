import type { Page } from '../../model/page/index.ts'
import { type Secrets, sameText } from '../../platform/secrets.ts'

/** Passwords of pages are sealed and not hashed, since their owners can read them. */
export interface PagePasswords {
  seal(pageId: string, text: string): string
  /** @returns undefined where the page has no password */
  open(page: Page): string | undefined
  /**
   * Whether the text is the page's password, compared in constant time. Spaces at the ends and the
   * Unicode form do not count: both change when a password is copied.
   */
  matches(page: Page, text: string): boolean
}

export function createPagePasswords(secrets: Secrets): PagePasswords {
  function open({ id, password_sealed }: Page): string | undefined {
    return password_sealed === null ? undefined : secrets.open('page-password', id, password_sealed)
  }
  return {
    seal: (pageId, text) => secrets.seal('page-password', pageId, text),
    open,
    matches(page, text) {
      const password = open(page)
      if (password === undefined) return false
      const [typed, stored] = [canonical(text), canonical(password)]
      // An earlier version accepted passwords of only spaces.
      return stored === '' ? sameText(text, password) : sameText(typed, stored)
    },
  }
}

function canonical(password: string): string {
  return password.normalize('NFC').trim()
}
