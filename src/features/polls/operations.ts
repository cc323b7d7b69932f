import {
  implement,
  implementVisitor,
  type Operation,
  type VisitorOperation,
} from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Polls } from './polls.ts'

export function pollOperations(polls: Polls): Operation[] {
  return [
    implement(contracts.getPoll, async ({ page }, range) => ({
      data: await polls.results(page, range),
    })),
  ]
}

export function pollVisitorOperations(polls: Polls): VisitorOperation[] {
  return [
    implementVisitor(contracts.readPoll, async ({ page, participant }, { known = null }) => ({
      data: await polls.read(page, participant, known),
    })),
    implementVisitor(contracts.castVote, async ({ page, participant }, ballot) => ({
      data: await polls.vote(page, participant, ballot),
    })),
  ]
}
