import type { Conversation } from '../../model/conversation.ts'
import type { Comments } from './comments.ts'

/** The comments of a page, for the panel. */
export function commentConversation(comments: Pick<Comments, 'count'>): Conversation {
  return {
    id: 'comments',
    isOn: ({ settings }) => settings.allow_comments,
    count: ({ id }) => comments.count(id),
  }
}
