export { pollConversation } from './conversation.ts'
export {
  type GivenOption,
  type GivenVote,
  importPoll,
  MAX_IMPORTED_VOTES,
  optionsOf,
  votesOf,
} from './import-poll.ts'
export { createPolls, type Polls } from './polls.ts'
export { personKeyOf } from './voter.ts'
