/** What is typed in a field and is not saved yet. */
export interface Draft {
  /** As the field is called. */
  label: string
  /** Saves it where it can be saved. @returns whether it is stuck: nothing can save it as it is */
  commit(): boolean
}

/** The fields of the dialog that may have something typed in them. */
export interface Drafts {
  add(draft: Draft): () => void
  /** Saves all that can be saved. @returns the names of the fields that are stuck */
  commitAll(): string[]
}

export function createDrafts(): Drafts {
  const drafts = new Set<Draft>()
  return {
    add(draft) {
      drafts.add(draft)
      return () => drafts.delete(draft)
    },
    commitAll: () => [...drafts].filter((draft) => draft.commit()).map(({ label }) => label),
  }
}
