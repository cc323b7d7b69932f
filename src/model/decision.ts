const VERBS = { approved: 'approved', changes_requested: 'requested changes to' } as const

export type DecisionKind = keyof typeof VERBS

/** What an approver did, within a sentence: `approved version 3`. */
export function decisionWords(decision: DecisionKind, versionNo: number): string {
  return `${VERBS[decision]} version ${versionNo}`
}

export function firstUpper(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
