import { z } from 'zod'
import {
  type ApprovalRecord,
  approvalRecord,
  RECORD_ALGORITHM,
  RECORD_TYPE,
} from '../../model/approval-record.ts'

/** The claims of a record whose signature has not been verified. */
export interface ClaimedRecord {
  record: ApprovalRecord
  /** The key that its header names. */
  keyId: string
}

const header = z.object({
  alg: z.literal(RECORD_ALGORITHM),
  typ: z.literal(RECORD_TYPE),
  kid: z.string().min(1).max(200),
})

/** @returns null unless this is a JWS in compact form with a record of approvals */
export function parseRecord(jws: string): ClaimedRecord | null {
  const parts = jws.split('.')
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return null
  try {
    const { kid: keyId } = header.parse(jsonIn(parts[0]!))
    return { record: approvalRecord.parse(jsonIn(parts[1]!)), keyId }
  } catch {
    return null
  }
}

function jsonIn(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
