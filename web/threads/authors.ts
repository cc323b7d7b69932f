import type { AuthorKind } from '../../src/model/comment.ts'

interface Mark {
  text: string
  title: string
}

/** What is known of who wrote a comment. A name without such a mark beside it says nothing. */
export const AUTHOR_MARKS: Record<AuthorKind, Mark> = {
  owner: { text: 'Owner', title: 'Owns this page' },
  confirmed: { text: 'Confirmed', title: 'Confirmed an email address' },
  anonymous: { text: 'Not confirmed', title: 'Gave this name, or none, and confirmed no address' },
  imported: { text: 'Imported', title: 'Known to the server that this page came from' },
}

/** Whether addresses in what they wrote are links: those of strangers are text. */
export function writesLinks(kind: AuthorKind): boolean {
  return kind === 'owner' || kind === 'confirmed'
}
