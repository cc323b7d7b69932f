import { implement, type Operation } from '../../model/operation.ts'
import { cancelAsk, createAsk, getAsk } from './contract.ts'
import type { Asks } from './index.ts'

export function askOperations(asks: Asks): Operation[] {
  return [
    implement(createAsk, async (subject, input) => ({ data: await asks.create(subject, input) })),
    implement(getAsk, async ({ account, context }, input) => ({
      data: await asks.read(account, input, context),
    })),
    implement(cancelAsk, async ({ account }, { ask_id: id }) => ({
      data: await asks.cancel(account, id),
    })),
  ]
}
