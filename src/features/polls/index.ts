export { createBallots } from './ballots.ts'
export { createPollTransfer, optionRow, voteRow } from './poll-transfer.ts'
export {
  createPolls,
  type Polls,
  pollConversation,
  pollOperations,
  pollVisitorOperations,
} from './polls.ts'
export { countByAddress as countVotes, findVoted } from './store.ts'
