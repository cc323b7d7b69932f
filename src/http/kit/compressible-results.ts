import { z } from 'zod'
import type { Contract } from '../../model/operation.ts'

/**
 * Whether results of an operation may be compressed: only those of a read that cannot contain a
 * secret, such as the password of a page. Schemas are searched at the first request, not at the
 * start.
 */
export function createCompressibleResults() {
  const known = new WeakMap<Contract, boolean>()

  return (contract: Contract): boolean => {
    const found = known.get(contract)
    if (found !== undefined) return found
    const isCompressible = contract.http.method === 'GET' && !holdsSecret(contract.output)
    known.set(contract, isCompressible)
    return isCompressible
  }
}

/** Whether the schema has a member with the name of a secret, at any depth. */
function holdsSecret(output: z.ZodType | null): boolean {
  if (output === null) return false
  const schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })
  return /"(?:password|secret|token)":\{/.test(JSON.stringify(schema))
}
