import { COMMON_CODES, errorCodesOf } from '../http/rest/error-codes.ts'
import { Refusal } from '../model/errors.ts'
import type { Operation, VisitorOperation } from '../model/operation.ts'

/**
 * The same operations, each held to its contract: refusing with a code that the contract does not
 * name throws, because the reference would not list that code. So does refusing input without
 * naming the member.
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
    run: checked(contract.http.path, new Set(contract.errors), run),
  }))
}

function checked<Given extends unknown[]>(
  name: string,
  codes: ReadonlySet<string>,
  run: (...args: Given) => Promise<unknown>,
) {
  return async (...inputs: Given) => {
    try {
      return await run(...inputs)
    } catch (err) {
      if (!(err instanceof Refusal)) throw err
      const isOfInput = err.kind === 'invalid' && err.code !== 'not_html'
      const isNamed = !isOfInput || typeof err.details?.param === 'string'
      if (codes.has(err.code) && isNamed) throw err
      const fault = isNamed ? 'which its contract does not name' : 'and names no param'
      throw new Error(`${name} refused with ${err.code}, ${fault}`, { cause: err })
    }
  }
}
