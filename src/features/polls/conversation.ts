import type { Conversation } from '../../model/conversation.ts'
import type { Polls } from './polls.ts'

/** The poll in the panel of a page's conversations. */
export function pollConversation(polls: Pick<Polls, 'turnout'>): Conversation {
  return {
    id: 'poll',
    isOn: ({ settings }) => settings.collect_votes,
    count: polls.turnout,
  }
}
