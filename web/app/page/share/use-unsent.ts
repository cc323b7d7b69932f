import { useCommit } from './use-commit.ts'

/** Keeps the dialog from closing over what is typed and only a button sends. */
export function useUnsent(label: string, isUnsent: boolean): void {
  useCommit(label, () => isUnsent)
}
