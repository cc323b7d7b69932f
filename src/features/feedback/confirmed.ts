import type { FeedbackEvent } from './contract.ts'

type Comment = Extract<FeedbackEvent, { type: 'comment' }>['comment']

/**
 * The events of people who confirmed an address on this server, and of the owner. Words of others
 * that belong to one of these are left out of it.
 */
export function ofConfirmed(events: readonly FeedbackEvent[]): FeedbackEvent[] {
  return events.filter(isOfConfirmed).map((event) => {
    const isReply = event.type === 'reply' && !isConfirmed(event.thread)
    return isReply ? { ...event, thread: withoutWords(event.thread) } : event
  })
}

function isOfConfirmed(event: FeedbackEvent): boolean {
  switch (event.type) {
    case 'comment':
    case 'reply':
      return isConfirmed(event.comment)
    case 'response':
      // A confirmed address, or an alias, which is of words alone.
      return event.response.respondent.includes('@')
    case 'vote':
      return event.vote !== null
    case 'approval':
      return true
    case 'agreement':
      return event.agreement.email !== null
    case 'opened':
      return event.email !== null
    // Nobody has confirmed an address for these.
    case 'page_closed':
    case 'access_request':
      return false
  }
}

function isConfirmed({ author: { kind } }: Comment): boolean {
  return kind === 'confirmed' || kind === 'owner'
}

/** The same as of a deleted comment. */
function withoutWords(comment: Comment): Comment {
  return {
    ...comment,
    author: { ...comment.author, name: null, email: null },
    ...{ body: '', anchor: null, anchor_state: null, anchor_now: null, edited_at: null },
  }
}
