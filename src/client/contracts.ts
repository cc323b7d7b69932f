import type { Contract } from '../model/operation.ts'
import * as features from './features.ts'

export function contracts(): Contract[] {
  const exported: unknown[] = Object.values(features)
  return exported.filter(isContract)
}

/** Visitor operations are no part of the API. */
function isContract(value: unknown): value is Contract {
  if (typeof value !== 'object' || value === null || !('http' in value)) return false
  return 'audience' in value && !isVisitorAudience(value.audience)
}

function isVisitorAudience(audience: unknown): boolean {
  return audience === 'visitor' || audience === 'participant'
}
