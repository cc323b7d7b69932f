import type { LocalContent } from '../../../src/client/content/local-content.ts'
import { isMarkdownName } from '../../../src/model/markdown/source.ts'
import type { Page } from '../boot.ts'
import { kindOf, nameOf } from '../page/words.ts'

type Kind = ReturnType<typeof kindOf>

/** For each kind of page, what it is and what replaces it. A page keeps its kind. */
const KINDS: Record<Kind, { takes: LocalContent['kind']; is: string; replacedBy: string }> = {
  page: { takes: 'html', is: 'one HTML document', replacedBy: 'one HTML or Markdown file' },
  deck: { takes: 'deck', is: 'a deck of several files', replacedBy: 'its whole folder or a zip' },
  pdf: { takes: 'file', is: 'a PDF', replacedBy: 'a PDF or an image' },
  image: { takes: 'file', is: 'an image', replacedBy: 'an image or a PDF' },
}

/** Why content cannot replace that of a page, and what could; null where it can. */
export function whyNot(page: Page, local: LocalContent, name: string): string | null {
  if (page.trashed_at !== null) return `“${nameOf(page)}” is in the trash: take it back first.`
  const { takes, is, replacedBy } = KINDS[kindOf(page)]
  if (takes === local.kind) return null
  const what = `“${nameOf(page)}” is ${is}, and ${name} is ${whatIs(local, name)}.`
  return `${what} Drop ${replacedBy} to replace it.`
}

function whatIs(local: LocalContent, name: string): string {
  if (local.kind === 'html') return isMarkdownName(name) ? 'a Markdown file' : 'one HTML document'
  if (local.kind === 'file') return /\.pdf$/i.test(local.name) ? 'a PDF' : 'an image'
  return /\.[a-z0-9]+$/i.test(name) && !/\.zip$/i.test(name) ? 'a file of another type' : 'a folder'
}

/** Whether everybody who has the link sees the page. */
export function isPublic(page: Page): boolean {
  const isServed = page.is_published && page.closed_by === null && page.trashed_at === null
  return isServed && page.access === 'link'
}

/** For whom the page is published, as the button says it. */
export function audienceOf({ access, allowed_emails }: Pick<Page, 'access' | 'allowed_emails'>) {
  const people = allowed_emails.length
  const invited =
    people === 0
      ? 'the people you invite'
      : people === 1
        ? 'the person invited'
        : `the ${people} people invited`
  return {
    link: 'anyone with the link',
    people: invited,
    private: 'you alone',
    password: 'anyone with the password',
    email_gate: 'anyone who confirms an email',
  }[access]
}
