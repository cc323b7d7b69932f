import { COMMON_CODES, errorCodesOf } from '../http/rest/error-codes.ts'
import { Refusal } from '../model/errors.ts'
import type { Operation, VisitorOperation } from '../model/operation.ts'

/**
 * The same operations, each held to its contract: refusing with a code that the contract does not
 * name throws, because the reference would not list that code.
 */
export function declared(operations: readonly Operation[]): Operation[] {
  return operations.map(({ contract, run }) => {
    const codes = new Set([...errorCodesOf(contract), ...COMMON_CODES])
    return { contract, run: checked(contract.name, codes, run) }
  })
}

export function declaredByVisitors(operations: readonly VisitorOperation[]): VisitorOperation[] {
  return operations.map(({ contract, run }) => ({
    contract,
    run: checked(contract.name, new Set(contract.errors), run),
  }))
}

function checked<Given extends unknown[]>(
  name: string,
  codes: ReadonlySet<string>,
  run: (...given: Given) => Promise<unknown>,
) {
  return async (...given: Given) => {
    try {
      return await run(...given)
    } catch (err) {
      if (!(err instanceof Refusal) || codes.has(err.code)) throw err
      const message = `${name} refused with ${err.code}, which its contract does not name`
      throw new Error(message, { cause: err })
    }
  }
}
