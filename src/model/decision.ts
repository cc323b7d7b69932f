import type { Proof } from './approval-record.ts'

const VERBS = { approved: 'approved', changes_requested: 'requested changes to' } as const

/** What an approver did, within a sentence: `approved version 3`. */
export function decisionWords(decision: keyof typeof VERBS, versionNo: number): string {
  return `${VERBS[decision]} version ${versionNo}`
}

/** What a decision rests on besides a mail: who reads a record must know. */
export function proofWords(proof: Proof | undefined): string {
  return proof === 'owner_link' ? ', by a link that the owner handed on' : ''
}

export function firstUpper(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
