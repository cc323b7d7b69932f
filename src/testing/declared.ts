import { codesOf, EVERYWHERE } from '../http/rest/codes.ts'
import { Refusal } from '../model/errors.ts'
import type { Operation } from '../model/operation.ts'

/**
 * The same operations, each held to its contract: a refusal that the contract does not name is a
 * fault here, since the reference would not tell of it.
 */
export function declared(operations: readonly Operation[]): Operation[] {
  return operations.map(({ contract, run }) => {
    const codes = new Set([...codesOf(contract), ...EVERYWHERE])
    return {
      contract,
      async run(...given) {
        try {
          return await run(...given)
        } catch (err) {
          if (!(err instanceof Refusal) || codes.has(err.code)) throw err
          const told = `${contract.name} refused with ${err.code}, which its contract does not name`
          throw new Error(told, { cause: err })
        }
      },
    }
  })
}
