import { count } from './numbers.ts'

/** What goes with something that is deleted, in the order it is named. */
const NAMES = {
  pages: ['page'],
  responses: ['response'],
  comments: ['comment'],
  decisions: ['decision'],
  votes: ['vote'],
  replies: ['reply', 'replies'],
  versions: ['version'],
} as const
export type Losses = { [K in keyof typeof NAMES]?: number }

/**
 * The words for deletion, by the rule of every surface: what can be taken back goes at once, with
 * Undo, and nothing asks. What cannot is asked about once, with these words: they name what goes
 * with it, and the button says the verb.
 *
 * @param name `this page`, `3 pages`, or what it is called
 */
export function deletion(name: string, losses: Losses = {}, verb = 'Delete') {
  const all = Object.entries(NAMES).flatMap(([key, words]) => {
    const value = losses[key as keyof Losses] ?? 0
    return value === 0 ? [] : [count(value, ...(words as readonly [string, string?]))]
  })
  const isOne = all.length === 1 && all[0]!.startsWith('1 ')
  const goes = `${isOne ? 'goes' : 'go'} with ${/^\d/.test(name) ? 'them' : 'it'}. `
  return {
    title: `${verb} ${name} for good?`,
    /** On the button, with the most that is lost: `Delete page and 214 responses`. */
    action: [`${verb} ${name.replace(/^this /, '')}`, ...all.slice(0, 1)].join(' and '),
    warning: `${all.length === 0 ? '' : `${joinWithAnd(all)} ${goes}`}There is no undo.`,
  }
}

/** `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  return [items.slice(0, -1).join(', '), ...items.slice(-1)].filter(Boolean).join(' and ')
}
