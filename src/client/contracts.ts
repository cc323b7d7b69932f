import type { Contract, Declaration } from '../model/operation.ts'
import * as features from './features.ts'

/** The contracts of the API: visitor operations are no part of it. */
export function contracts(): Contract[] {
  return Object.entries<unknown>(features).flatMap(([name, value]) =>
    isDeclaration(value) ? [{ ...value, name }] : [],
  )
}

function isDeclaration(value: unknown): value is Declaration {
  const { http, audience } = Object(value) as Partial<Declaration>
  return http !== undefined && !['visitor', 'participant'].includes(audience!)
}

/** How an operation is bound to HTTP: all that the client needs of a contract at run time. */
export type Binding = Pick<Contract['http'], 'method' | 'path' | 'rawBody' | 'file'>

/**
 * Reads the bindings from the contracts. It runs as a macro when the client is bundled, so that the
 * contracts' schemas and zod are not part of the bundle.
 */
export function bindings(): Record<string, Binding> {
  const byName: Record<string, Binding> = {}
  for (const { name, http } of contracts()) {
    const { method, path, rawBody, file } = http
    byName[name] = { method, path, ...(rawBody && { rawBody }), ...(file && { file }) }
  }
  return byName
}
