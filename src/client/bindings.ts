import type { Contract } from '../model/operation.ts'
import { contracts } from './contracts.ts'

/** Where an operation is found: all that the client needs of a contract at run time. */
export type Binding = Pick<Contract['http'], 'method' | 'path' | 'rawBody'>

/**
 * Runs as a macro, when the client is bundled: the contracts' schemas, and zod with them, stay out
 * of the bundle, and no binding is written twice.
 */
export function bindings(): Record<string, Binding> {
  const found: Record<string, Binding> = {}
  for (const { name, http } of contracts()) {
    const { method, path, rawBody } = http
    found[name] = rawBody ? { method, path, rawBody } : { method, path }
  }
  return found
}
