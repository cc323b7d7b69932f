export { createBallots } from './ballots.ts'
export { createPollTransfer, optionRow, voteRow } from './poll-transfer.ts'
export { createPolls, type Polls, pollConversation } from './polls.ts'
export { findVoted } from './store.ts'
